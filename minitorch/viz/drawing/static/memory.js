// The player of a program's memory. `memory` holds a drawing for each run and the numbers behind it; `run` and `step`
// are where it stands, a step being a column.

import { button, html, label, svg } from "./theme.js";
import { FRAME, answer, filled, mounted, telling, terms } from "./frame.js";
import { CHOICE, Choice } from "./choice.js";
import { DRAWN, parsed } from "./drawn.js";
import { Transport } from "./transport.js";

const PLAY_MS = 350;

const STYLE = FRAME + DRAWN + CHOICE + `
.stage { max-height: 660px; }
:host([data-fills]) .stage svg { width: 900px; }
.hit { pointer-events: all; cursor: pointer; }
.row.chosen .v { stroke: var(--ink); stroke-width: 2.5; } .row.chosen .nm { text-decoration: underline; }
.span { fill: var(--ink); fill-opacity: .1; stroke: var(--ink); stroke-dasharray: 3 2; } .span, [data-cursor] { pointer-events: none; }
.facts { border-top: 1px solid var(--line); padding: 6px 12px; background: var(--card); max-height: 130px; overflow: auto; }
.facts button { float: right; } dl { display: grid; grid-template-columns: auto 1fr; gap: 0 10px; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
`;

/** Bytes in thousands of them, as the drawing writes them. */
function size(bytes) {
  let at = 0;
  while (bytes >= 999.5 && at < 3) (bytes /= 1000, at += 1);
  return `${at && bytes < 100 ? Number(bytes.toPrecision(3)) : Math.round(bytes)} ${["B", "kB", "MB", "GB"][at]}`;
}

function render({ model, el }) {
  const memory = model.get("memory"), { controls: said, runs } = memory;
  let run, now, step, row, image, rows, span, cursor;

  const controls = new Transport(said, PLAY_MS, go), choice = new Choice(runs, memory.choice, take);
  const bar = html("div", { className: "bar" }, ...controls.buttons, controls.scrub, controls.count);
  const status = telling();
  const stage = html("div", { className: "stage", tabIndex: 0, attributes: { role: "group", "aria-label": memory.title } });
  const facts = html("div", { className: "facts", tabIndex: 0, attributes: { role: "region", "aria-live": "polite" } });
  const keys = html("p", { className: "keys", textContent: memory.keys });
  const root = html("div", { className: "root" }, choice.element, bar, status, stage, facts, keys);

  const last = () => Math.max(now.columns.length - 1, 0);

  function go(wanted) {
    step = Math.min(Math.max(wanted, 0), last());
    model.set("step", step); // other views of this model follow; the kernel is not asked
    refresh();
  }

  function take(wanted) {
    controls.stop();
    mount(wanted);
    model.set("run", run);
    go(now.peak);
  }

  function mount(wanted) {
    run = wanted;
    now = runs[run];
    [image] = parsed(now.shell);
    image.setAttribute("aria-label", now.told);
    stage.replaceChildren(image);
    rows = [...image.querySelectorAll("[data-row]")];
    cursor = image.querySelector("[data-cursor]");
    span = image.insertBefore(svg("rect", { class: "span", y: now.top, height: now.foot - now.top }), cursor);
    choice.show(run);
    bar.hidden = !cursor; // side by side
    choose(-1);
  }

  function refresh() {
    if (!cursor) {
      controls.show(0, 0, status.textContent = memory.hint);
      return;
    }
    const [moment, what, bytes, ...levels] = now.columns[step];
    let alive = 0;
    rows.forEach((each, index) => {
      const lit = now.rows[index].lives.some(([birth, death]) => birth <= moment && moment < death);
      alive += lit;
      each.classList.toggle("lit", lit);
      each.classList.toggle("off", !lit);
    });
    for (const each of image.querySelectorAll("[data-kind]")) each.textContent = size(levels[each.dataset.kind]);
    cursor.setAttribute("transform", `translate(${now.left + now.apart * (step + 0.5)} 0)`);
    status.textContent = filled(said.moment, { number: moment, last: now.last, what: now.words[what], size: size(bytes), count: alive, total: rows.length });
    controls.show(step, last(), status.textContent, last(), `${moment} / ${now.last}`);
  }

  function choose(wanted) {
    row = Math.min(wanted, rows.length - 1);
    rows.forEach((each, index) => each.classList.toggle("chosen", index === row));
    facts.hidden = row < 0;
    span.setAttribute("width", 0);
    if (row < 0) return;
    const { name, lives, facts: pairs } = now.rows[row];
    const at = moment => now.apart * Math.min(moment / now.together, now.columns.length);
    const from = at(Math.min(...lives.map(life => life[0])));
    span.setAttribute("x", now.left + from);
    span.setAttribute("width", at(Math.max(...lives.map(life => life[1]))) - from);
    const close = button("×", said.close, () => (choose(-1), stage.focus()));
    label(facts, name).replaceChildren(close, html("b", { textContent: name }), html("dl", {}, ...terms(pairs)));
    rows[row].scrollIntoView({ block: "nearest" });
  }

  answer(root, {
    ...choice.keys, ...controls.keys, p: () => go(now.peak), Escape: () => choose(-1),
    ArrowUp: () => choose(Math.max(row - 1, 0)), ArrowDown: () => choose(row + 1),
  });

  /** A press goes to its moment, and chooses its row. */
  const pointed = event => {
    const box = image.getBoundingClientRect(), at = (event.clientX - box.left) * image.viewBox.baseVal.width / box.width - now.left;
    const hit = event.target.closest("[data-row]");
    if (cursor && at >= 0 && at < now.apart * now.columns.length) go(Math.floor(at / now.apart));
    if (hit) choose(rows.indexOf(hit));
  };
  stage.addEventListener("pointerdown", pointed);
  stage.addEventListener("pointermove", event => { if (event.buttons === 1) pointed(event); });

  const moved = () => {
    if (model.get("run") !== run) mount(model.get("run"));
    step = Math.min(model.get("step"), last());
    refresh();
  };
  const leave = mounted({ model, el }, root, STYLE, memory, { step: moved, run: moved });
  moved();

  return () => {
    controls.stop();
    leave();
  };
}

export default { render };
