// The board of a training. The trait `board` holds the shell: a drawing with places to fill and curves to draw. Each
// `frame` fills all of them: bytes while it lives, the same bytes as text in a document. Only the newest is drawn.

import { html, svg } from "./theme.js";
import { FRAME, answer, mounted, telling } from "./frame.js";
import { DRAWN, parsed } from "./drawn.js";

const GAP = 65535, QUIET_MS = 3000;
const DOT = "a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0"; // a point with no neighbour that a line could go to

const STYLE = FRAME + DRAWN + `
.cursor { stroke: var(--ink); stroke-width: 1; }
.spot { fill: var(--ink); }
.status { min-height: 2.9em; border: 0; border-top: 1px solid var(--line); }
`;

/** The length of a header, the header, and then the points of all curves, in tenths of pixels. */
function decoded(bytes) {
  const view = typeof bytes === "string"
    ? new DataView(Uint8Array.from(atob(bytes), letter => letter.charCodeAt(0)).buffer)
    : bytes.buffer ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new DataView(bytes);
  const length = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + 4, length)));
  let at = 4 + length;
  const points = [];
  for (; at < view.byteLength; at += 2) points.push(view.getUint16(at, true));
  return { ...header, points };
}

const short = number => String(Math.round(number * 10) / 10);

/** The way through the points, broken where one has no place; of a band, there above and back below. */
function line(rows, x, apart) {
  if (rows.length === 2) {
    const spots = rows.map(row => row.map((up, number) => [short(x + number * apart), up]));
    const [low, high] = spots.map(row => row.filter(spot => spot[1] !== GAP));
    return high.length > 1 ? `M${[...high, ...low.reverse()].map(([across, up]) => `${across} ${short(up / 10)}`).join("L")}z` : "";
  }
  let found = "", last = GAP;
  rows[0].forEach((up, number) => {
    const after = rows[0][number + 1] ?? GAP, at = x + number * apart, height = short(up / 10);
    if (up !== GAP) found += last === GAP && after === GAP ? `M${short(at - 1.5)} ${height}${DOT}` : `${last === GAP ? "M" : "L"}${short(at)} ${height}`;
    last = up;
  });
  return found;
}

/** Three digits, as the rest of the picture writes them. */
const digits = value => !value ? "0" : Math.abs(value) < 1e-4 || Math.abs(value) >= 1e5 ? value.toExponential(2) : String(Number(value.toPrecision(3)));

function render({ model, el }) {
  const stage = html("div", { className: "stage", tabIndex: 0, attributes: { role: "group" } });
  const status = telling();
  const keys = html("p", { className: "keys" });
  const root = html("div", { className: "root" }, stage, status, keys);

  let board = null, image = null, paths = [], shown = {}, frame = null, wanted = 0, spoken = -QUIET_MS, row = 1, column = null;
  const cursor = svg("path", { class: "cursor" }), spot = svg("circle", { class: "spot", r: 3.5 });

  function mount() {
    board = model.get("board");
    if (!board.shell) return;
    stage.replaceChildren(...parsed(board.shell));
    stage.setAttribute("aria-label", board.title);
    keys.textContent = board.keys;
    image = stage.querySelector("svg");
    image.append(cursor, spot);
    paths = [...image.querySelectorAll("[data-curve]")].sort((a, b) => a.dataset.curve - b.dataset.curve);
    shown = {};
    draw();
  }

  function draw() {
    wanted = 0;
    const bytes = model.get("frame");
    if (!image || !(bytes?.byteLength || bytes?.length)) return;
    frame = decoded(bytes);
    if (frame.curves.length !== paths.length) return; // of another shell, which comes with its own
    for (const [name, markup] of Object.entries(frame.places)) {
      if (shown[name] !== markup) image.querySelector(`[data-place="${name}"]`).replaceChildren(...parsed(markup));
    }
    shown = frame.places;
    let start = 0;
    frame.rows = frame.curves.map(([count, x, apart], number) => {
      const rows = board.curves[number][4] === "band" ? 2 : 1;
      const mine = Array.from({ length: rows }, (_, each) => frame.points.slice(start + each * count, start + (each + 1) * count));
      start += rows * count;
      paths[number].setAttribute("d", line(mine, x, apart));
      return mine[0];
    });
    image.setAttribute("aria-label", frame.told);
    if (column === null && performance.now() - spoken > QUIET_MS) { // a voice cannot follow twenty frames a second
      status.textContent = frame.told;
      spoken = performance.now();
    }
    point();
  }

  const later = () => { wanted ||= requestAnimationFrame(draw); };

  /** The number at the cursor: where its curve lies between the ends of its scale. */
  function point() {
    cursor.setAttribute("d", "");
    spot.setAttribute("visibility", "hidden");
    if (column === null || !frame) return;
    const [count, x, apart] = frame.curves[row];
    const [label, scale, top, tall] = board.curves[row];
    if (!count) return;
    column = Math.min(Math.max(column, 0), count - 1);
    const up = frame.rows[row][column], across = x + column * apart;
    cursor.setAttribute("d", `M${across} ${top}v${tall}`);
    const [low, high, log] = frame.scales[scale], share = 1 - (up / 10 - top) / tall;
    const value = up === GAP ? "–" : digits(log ? low * (high / low) ** share : low + share * (high - low));
    if (up !== GAP) {
      for (const [name, number] of [["cx", across], ["cy", up / 10], ["visibility", "visible"]]) spot.setAttribute(name, number);
    }
    const steps = frame.steps[scale];
    status.textContent = board.at.replace("{first}", column * steps + 1).replace("{last}", (column + 1) * steps).replace("{said}", `${label} ${value}`);
  }

  function at(event) {
    if (!frame?.rows) return;
    const box = image.getBoundingClientRect(), zoom = image.viewBox.baseVal.width / box.width;
    const across = (event.clientX - box.left) * zoom, down = (event.clientY - box.top) * zoom;
    const far = number => {
      const [, , top, tall] = board.curves[number], [count, x, apart] = frame.curves[number];
      return Math.abs(down - top - tall / 2) + Math.max(0, x - across, across - x - count * apart);
    };
    row = paths.map((_, number) => number).slice(1).reduce((best, number) => (far(number) < far(best) ? number : best), 1);
    const [, x, apart] = frame.curves[row];
    column = Math.round((across - x) / apart);
    point();
  }

  const last = () => frame.curves[row][0] - 1;
  const pressed = {
    ArrowLeft: () => { column = (column ?? last() + 1) - 1; }, ArrowRight: () => { column = (column ?? -1) + 1; },
    Home: () => { column = 0; }, End: () => { column = last(); },
    ArrowUp: () => { row = Math.max(row - 1, 1); column ??= last(); },
    ArrowDown: () => { row = Math.min(row + 1, paths.length - 1); column ??= last(); },
    Escape: () => { column = null; status.textContent = frame.told; },
  };
  stage.addEventListener("pointermove", at);
  stage.addEventListener("pointerleave", () => { if (frame) pressed.Escape(); point(); });
  answer(stage, Object.fromEntries(Object.entries(pressed).map(([key, act]) => [key, () => frame?.rows && (act(), point())])));

  const leave = mounted({ model, el }, root, STYLE, model.get("board"), { board: mount, frame: later });
  mount();
  return () => {
    cancelAnimationFrame(wanted);
    leave();
  };
}

export default { render };
