// Finding one's way in a large graph: a strip that shows all of it and what of it is in view, and a search.

import { html, label } from "./theme.js";
import { filled } from "./frame.js";

const WIDE = 96; // pixels of the strip
const MANY = 12; // nodes; where there are more, they can be searched

/** The strip. `stage` has boxes, a view and `look`; the strip is there only where something is out of view. */
export class Overview {
  constructor(stage, name) {
    this.stage = stage;
    this.canvas = html("canvas", { className: "overview", title: name, hidden: true, attributes: { "aria-hidden": true } });
    const to = event => {
      const { left, top } = this.canvas.getBoundingClientRect(), { scale, x, y } = this.at, { width, height } = stage.size();
      stage.look({ ...stage.view, x: (event.clientX - left - x) / scale - width / stage.view.scale / 2, y: (event.clientY - top - y) / scale - height / stage.view.scale / 2 });
    };
    this.canvas.addEventListener("pointerdown", event => (this.canvas.setPointerCapture(event.pointerId), to(event)));
    this.canvas.addEventListener("pointermove", event => event.buttons && to(event));
  }

  /** Pixels that the strip takes from the right side of the drawing. */
  get room() {
    return this.canvas.hidden ? 0 : WIDE + 8;
  }

  draw() {
    const { flat, view } = this.stage, { width, height } = this.stage.size(), tall = height - 16;
    const seen = { w: width / view.scale, h: height / view.scale };
    const wide = flat.right - flat.left;
    this.canvas.hidden = view.x <= flat.left + 20 && view.x + seen.w >= flat.right - 20 && view.y <= 20 && view.y + seen.h >= flat.bottom - 20;
    if (this.canvas.hidden || tall < 40) return;
    const scale = Math.min(WIDE / wide, tall / flat.bottom), dense = devicePixelRatio || 1;
    this.at = { scale, x: (WIDE - wide * scale) / 2 - flat.left * scale, y: 0 };
    const high = Math.max(24, Math.min(tall, Math.ceil(flat.bottom * scale)));
    Object.assign(this.canvas, { width: WIDE * dense, height: high * dense });
    Object.assign(this.canvas.style, { width: `${WIDE}px`, height: `${high}px` });
    const pen = this.canvas.getContext("2d"), colours = getComputedStyle(this.canvas);
    pen.scale(dense, dense);
    pen.translate(this.at.x, this.at.y);
    const colour = name => colours.getPropertyValue(`--${name}`);
    for (const box of flat.boxes) {
      pen.globalAlpha = box.frame ? 0.2 : 1;
      pen.fillStyle = colour(this.stage.pass.nodes[box.node].kind === "op" ? "op" : "leaf");
      pen.fillRect((box.x - box.w / 2) * scale, box.y * scale, Math.max(box.w * scale, 1), Math.max(box.h * scale, 1));
    }
    pen.globalAlpha = 1;
    pen.lineWidth = 2;
    pen.strokeStyle = colour("back");
    const from = Math.max(view.x * scale, 1 - this.at.x), to = Math.min((view.x + seen.w) * scale, WIDE - 1 - this.at.x);
    pen.strokeRect(from, view.y * scale + 1, to - from, seen.h * scale - 2);
  }
}

/** The search, where there is much to find: what it finds is shown in turn, by Enter; its groups are opened. */
export function search({ nodes, words }, show) {
  if (nodes.length <= MANY) return [];
  const field = label(html("input", { type: "search", className: "search", placeholder: "⌕", title: words.search }), words.search);
  const count = html("span", { className: "hits", attributes: { "aria-live": "polite" } });
  let found = [], place = -1;
  const texts = nodes.map(({ title, made, told, badge }) => [title, made, told, badge].join("\n").toLowerCase());
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    found = wanted ? texts.flatMap((text, node) => (text.includes(wanted) ? [node] : [])) : [];
    found.sort((a, b) => (texts[b].split("\n")[0] === wanted) - (texts[a].split("\n")[0] === wanted));
    place = -1;
    count.textContent = wanted && !found.length ? words.lost : wanted ? String(found.length) : "";
  });
  field.addEventListener("keydown", event => {
    if (event.key !== "Enter" || !found.length) return;
    place = (place + (event.shiftKey ? found.length - 1 : 1)) % found.length;
    count.textContent = filled(words.found, { place: place + 1, count: found.length });
    show(found[place]);
  });
  return [field, count];
}
