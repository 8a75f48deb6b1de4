// The stage of the stepper: the drawing of a graph, how much of it is in view, and what of it a step lights.

import { button, html, label, svg } from "./theme.js";
import { filled } from "./frame.js";
import { Overview } from "./finder.js";
import { Lights, moves } from "./motion.js";

const SCALES = { least: 0.05, readable: 0.92, most: 4 }; // readable: letters of 12 px are 11 px at least
const FAR = 0.3; // below this scale boxes are drawn without their text

/** The drawing: boxes and edges that are in view, and nothing else, are in the page. */
export class Stage {
  /** onPick: a box is clicked; onLand: what a light has carried has arrived. */
  constructor(pass, name, onPick, onLand = () => {}) {
    this.pass = pass;
    this.name = name;
    this.onPick = onPick;
    this.onLand = onLand;
    this.boxes = new Map();
    this.edges = new Map();
    this.step = 0; // where the pass is
    this.landed = 0; // what has arrived; while light is on its way, what had before
    this.picked = null;
    this.asked = null; // the node and the edge that are asked about, and what stands there
    this.edgeLayer = svg("g", { "aria-hidden": true }); // their numbers are in the steps' sentences and in the details
    this.boxLayer = svg("g");
    this.svg = label(svg("svg", { tabindex: 0, role: "group" }, this.markers(), this.edgeLayer, this.boxLayer), pass.title);
    this.frameLayer = svg("g");
    this.svg.insertBefore(this.frameLayer, this.edgeLayer);
    this.lights = new Lights();
    this.svg.append(this.lights.layer);
    this.overview = new Overview(this, pass.words.overview);
    this.canvas = html("div", { className: "canvas" }, this.svg, this.overview.canvas);
    const { smaller, larger, fit, fitKey } = pass.controls, closer = () => this.zoom(1.25), away = () => this.zoom(1 / 1.25), all = () => this.fit();
    this.buttons = [button("−", smaller, away), button("+", larger, closer), button(fit, fitKey, all)];
    this.keys = { "+": closer, "-": away, 0: all };
    this.view = { x: pass.flat.left, y: 0, scale: 1, width: 0 };
    this.listen();
  }

  markers() {
    const colours = { line: "--line", wide: "--wide", back: "--back" };
    return svg("defs", {}, ...Object.entries(colours).map(([id, colour]) => svg("marker", {
      id: `${this.name}-${id}`, viewBox: "0 0 8 8", refX: id === "back" ? 0 : 7, refY: 4, markerWidth: 9, markerHeight: 9,
      markerUnits: "userSpaceOnUse", orient: "auto-start-reverse", style: `fill: var(${colour})`,
    }, svg("path", { d: "M0 0L8 4L0 8z" }))));
  }

  get flat() {
    return this.pass.flat;
  }

  /** The box of a node, or of the closed group that it is in. */
  boxOf(node) {
    return this.flat.boxes[this.pass.where.get(this.pass.seen(node))];
  }

  size() {
    const { clientWidth, clientHeight } = this.svg;
    return { width: clientWidth || 600, height: clientHeight || 400 };
  }

  /** All of it if it stays readable; else the result, where the pass begins, and no row of it cut at the top. */
  home() {
    const { width, height } = this.size(), { left, right, bottom, boxes } = this.flat;
    const scale = Math.max(Math.min(this.least(), 1), SCALES.readable), middle = this.middle(scale);
    const box = this.boxOf(this.pass.root);
    const low = Math.max(left, Math.min(right - width / scale, box.x - width / scale / 2));
    const x = (right - left) * scale > width ? low : middle.x;
    const from = box.y + box.h + 20 - height / scale;
    const tops = boxes.map(each => each.y - 16).filter(top => top >= from);
    const y = bottom * scale > height ? Math.min(...tops) : middle.y;
    this.look({ x, y, scale });
  }

  /** The scale at which all of it is seen. */
  least() {
    const { width, height } = this.size(), { left, right, bottom } = this.flat;
    return Math.min(width / (right - left), height / bottom);
  }

  /** The view whose middle is that of the graph. */
  middle(scale) {
    const { width, height } = this.size(), { left, right, bottom } = this.flat;
    return { x: (left + right - width / scale) / 2, y: (bottom - height / scale) / 2, scale };
  }

  fit() {
    this.look(this.middle(Math.min(this.least(), 1.5)));
  }

  zoom(factor, at) {
    const { width, height } = this.size();
    const { x = width / 2, y = height / 2 } = at || {};
    const scale = Math.min(Math.max(this.view.scale * factor, Math.min(SCALES.least, this.least())), SCALES.most);
    const kept = { x: this.view.x + x / this.view.scale, y: this.view.y + y / this.view.scale };
    this.look({ x: kept.x - x / scale, y: kept.y - y / scale, scale });
  }

  look(view) {
    const { width, height } = this.size();
    this.view = { ...view, width };
    this.svg.setAttribute("viewBox", `${view.x} ${view.y} ${width / view.scale} ${height / view.scale}`);
    this.svg.classList.toggle("far", view.scale < FAR);
    this.fill();
    this.overview.draw();
  }

  /** Groups have been opened or closed: everything is drawn anew, and box number `at` stays where it was seen. */
  rearranged(node, at) {
    this.lights.finish();
    for (const drawn of [this.edges, this.boxes]) {
      for (const { element } of drawn.values()) element.remove();
      drawn.clear();
    }
    const box = this.boxOf(node);
    this.look({ ...this.view, x: this.view.x + box.x - at.x, y: this.view.y + box.y - at.y });
    this.reveal([{ ...box, h: Math.min(box.h, this.size().height / this.view.scale - 80) }]);
  }

  /** Opens a group, or closes an open one. */
  toggle(node) {
    const box = { ...this.boxOf(node) };
    this.pass.toggle(node);
    this.rearranged(node, box);
    this.focus(node);
  }

  /** Opens the groups that a node is in. */
  uncover(node) {
    const at = this.boxOf(node);
    this.pass.uncover(node);
    this.rearranged(node, at);
  }

  /** What was in the middle stays there. */
  resized() {
    const { x, y, scale, width } = this.view;
    this.look({ x: x + (width - this.size().width) / scale / 2, y, scale });
  }

  /** The canvas with something beside it, as high as the graph needs and at least so many pixels. */
  frame(beside, least) {
    const made = html("div", { className: "stage" }, this.canvas, beside);
    made.style.height = `${Math.min(Math.max(this.flat.bottom + 8, least), 560)}px`;
    return made;
  }

  /** Fills its place, now and whenever that changes its size; gives back what ends that. */
  follow() {
    let placed = false;
    const resized = new ResizeObserver(() => {
      if (!this.svg.clientWidth) return;
      if (placed) this.resized();
      else this.home();
      if (this.picked !== null) this.reveal([this.boxOf(this.picked)]);
      placed = true;
    });
    resized.observe(this.canvas);
    return () => resized.disconnect();
  }

  /** Puts a box in the middle of the view, where not all is seen anyway. */
  centre(box) {
    const { width, height } = this.size(), { scale } = this.view;
    if (this.overview.room) this.look({ x: box.x - (width - this.overview.room) / scale / 2, y: box.y + (box.h - height / scale) / 2, scale });
  }

  /** Moves the view, if it must, so that boxes and the way between them are seen, beside the strip and not below it. */
  reveal(boxes) {
    const { height } = this.size(), width = this.size().width - this.overview.room;
    const { scale } = this.view;
    const spare = 30;
    const low = { x: Math.min(...boxes.map(b => b.x - b.w / 2)) - spare, y: Math.min(...boxes.map(b => b.y)) - spare };
    const high = { x: Math.max(...boxes.map(b => b.x + b.w / 2)) + spare, y: Math.max(...boxes.map(b => b.y + b.h)) + spare };
    const moved = (from, room, a, b) => (a < from ? a : b > from + room ? Math.min(b - room, a) : from);
    const x = moved(this.view.x, width / scale, low.x, high.x);
    const y = moved(this.view.y, height / scale, low.y, high.y);
    if (x !== this.view.x || y !== this.view.y) this.look({ x, y, scale });
  }

  /** Puts into the page what is in view and takes out what is not. */
  fill() {
    const { width, height } = this.size();
    const { x, y, scale } = this.view;
    const right = x + width / scale, bottom = y + height / scale;
    const sync = (all, drawn, inView, draw, layerOf) => all.forEach((each, index) => {
      const wanted = inView(each);
      if (wanted && !drawn.has(index)) {
        const made = draw(each, index);
        drawn.set(index, made);
        layerOf(each).append(made.element);
        made.update();
      } else if (!wanted && drawn.has(index) && !drawn.get(index).element.matches(":focus")) {
        drawn.get(index).element.remove();
        drawn.delete(index);
      }
    });
    const boxSeen = b => b.x + b.w / 2 >= x && b.x - b.w / 2 <= right && b.y + b.h >= y && b.y - 12 <= bottom;
    const edgeSeen = e => e.x1 >= x && e.x0 <= right && e.y1 >= y && e.y0 <= bottom;
    sync(this.flat.edges, this.edges, edgeSeen, (e, i) => this.drawEdge(e, i), () => this.edgeLayer);
    sync(this.flat.boxes, this.boxes, boxSeen, (b, i) => this.drawBox(b, i), b => (b.frame ? this.frameLayer : this.boxLayer));
  }

  drawBox(box, index) {
    const node = this.pass.nodes[box.node], { frame } = box, group = node.shows && node.kind === "op";
    const half = box.w / 2, chip = half - 16;
    const told = svg("title"), state = svg("text", { y: box.h - 8, class: "state" }), name = svg("tspan", node.bold ? { class: "bold" } : {}), line = svg("text", { y: node.badge ? 44 : 38 });
    const rect = (off, look) => svg("rect", { x: off - half, y: off, width: box.w, height: box.h, rx: 8, ...look });
    const element = svg("g", { transform: `translate(${box.x} ${box.y})`, tabindex: -1, role: "button", "data-node": box.node, "data-box": index },
      told, ...(node.shows && !frame ? [rect(8, { class: "behind" }), rect(4, { class: "behind" })] : []), rect(0),
      svg("rect", { x: -half - 5, y: -5, width: box.w + 10, height: box.h + 10, rx: 12, class: "ring" }),
      svg("path", { d: `M${-chip} ${box.h - 12}h${2 * chip}`, class: "chip" }));
    const y = node.badge ? 26 : 20;
    const rest = svg("tspan"), badge = svg("text", { y: 5, class: "badge" }), pill = svg("path", { class: "pill" });
    if (node.name || node.rest) {
      element.append(svg("text", frame ? { y: 24, x: 12 - half, class: "rest" } : { y }, name, rest));
    } else line.setAttribute("y", y);
    if (!frame) element.append(line, state);
    if (this.pass.opens(box.node) && !box.copy) element.append(svg("text", { x: half - 13, y: 19, class: "sign", "aria-hidden": true }, frame ? "−" : "+"));
    if (node.badge) element.append(pill, badge);
    if (node.born && !frame) {
      element.prepend(svg("g", { class: "born" }, svg("rect", { x: -half - 6, y: -6, width: box.w + 12, height: box.h + 12, rx: 13 })));
      element.append(svg("g", { class: "born said" },
        svg("rect", { x: -node.born.width / 2, y: box.h - 1, width: node.born.width, height: 18, rx: 9 }), svg("text", { y: box.h + 12 }, node.born.said)));
    }
    if (this.pass.opens(box.node) && !box.copy) element.setAttribute("aria-expanded", frame);
    const update = () => {
      const asked = this.asking, event = asked || (this.step && this.pass.events[this.step - 1]);
      const active = event && !frame && this.pass.seen(event.node) === box.node ? "active" : "";
      const { results = [this.pass.root] } = this.pass, top = !box.copy && results.some(each => this.pass.seen(each) === box.node) && "top";
      const marks = [box.copy && "copy", !box.copy && this.pass.born(box.node, this.landed) && "isborn", top, this.picked === box.node && "picked", active, frame && "frame"];
      element.setAttribute("class", ["box", node.kind, this.pass.look(box.node, this.landed), ...marks].filter(Boolean).join(" "));
      const inset = Math.min(node.badgeWidth, box.w - 8) / 2 - 10; // a box that stands for what is outside is narrower
      pill.setAttribute("d", `M${-inset} 0h${2 * inset}`);
      badge.textContent = node.badge;
      name.textContent = node.name;
      told.textContent = node.told;
      rest.textContent = node.rest && ` ${node.rest}`;
      state.textContent = (active && asked?.state) || this.pass.gradient(box.node, this.landed);
      line.textContent = group ? this.pass.line(box.node, this.landed) : node.line;
      label(element, this.pass.spoken(box.node, this.landed));
    };
    return { element, update };
  }

  drawEdge(edge, index) {
    const path = svg("path");
    const text = svg("text", { x: edge.x, y: edge.y });
    const element = svg("g", { "data-edge": index }, path, text);
    const update = () => {
      const steps = edge.carried.map(each => this.pass.arrival[each]);
      const came = steps.some(each => each <= this.step), now = steps.includes(this.step);
      const asked = this.asking && edge.carried.includes(this.asking.edge);
      const kinds = ["edge", edge.toLeft && "left", came ? "came" : edge.wide && "wide", now && !this.asking && "now", asked && "asked"];
      element.setAttribute("class", kinds.filter(Boolean).join(" "));
      const tip = came ? "back" : edge.wide ? "wide" : "line";
      path.setAttribute("d", came ? edge.back : edge.path);
      path.removeAttribute(came ? "marker-end" : "marker-start");
      path.setAttribute(came ? "marker-start" : "marker-end", `url(#${this.name}-${tip})`);
      text.textContent = asked ? this.asking.label : came ? this.arrived(edge, this.landed) : edge.forward || "";
    };
    return { element, update };
  }

  /** What stands beside an edge, of what has come along it until a step. */
  arrived(edge, step) {
    const done = edge.carried.filter(each => this.pass.arrival[each] <= step).length;
    if (!done || !edge.backward) return "";
    return edge.carried.length > 1 ? filled(this.pass.words.arrows, { count: done }) : edge.backward;
  }

  /** Where the pass is. time: milliseconds for light to get there from the step before; 0 for no light. */
  show(step, follow = true, time = 0) {
    this.lights.finish();
    const before = this.step;
    this.step = step;
    this.landed = time && moves() ? before : step;
    this.update();
    if (follow && step) this.followed(this.pass.events[step - 1]);
    if (this.landed === step) return;
    const ways = this.svg.matches(".far") ? [] : this.ways(before, step);
    if (ways.length) this.lights.send(ways, time, () => this.land());
    else this.land();
  }

  /** Marks what is asked about. */
  ask(asked) {
    this.asked = asked;
    this.settle();
  }

  /** What is asked about, once all that came before has arrived. */
  get asking() {
    return this.landed === this.step ? this.asked : null;
  }

  settle() {
    this.update();
    if (this.asking) this.followed(this.asking);
  }

  update() {
    for (const drawn of [this.edges, this.boxes]) for (const each of drawn.values()) each.update();
  }

  land() {
    this.landed = this.step;
    this.settle();
    this.onLand();
  }

  /** The edges in view along which something comes between two steps, and where it lands: on the chip of a box. */
  ways(from, to) {
    return [...this.edges].flatMap(([index, { element }]) => {
      const edge = this.flat.edges[index], box = this.flat.boxes[edge.from];
      const comes = edge.carried.some(each => this.pass.arrival[each] > from && this.pass.arrival[each] <= to);
      if (!comes || box.frame) return [];
      return [{ path: element.querySelector("path"), said: this.arrived(edge, to), to: { x: box.x, y: box.y + box.h - 12 } }];
    });
  }

  /** Moves the view to where an event happens. */
  followed(event) {
    const [from, to] = event.edge === null ? [event.node, event.node] : this.pass.ends[event.edge];
    this.reveal([this.boxOf(from), this.boxOf(to)]);
    this.reveal([this.boxOf(from)]); // where both do not fit, the one whose gradient changes
  }

  pick(node) {
    this.picked = node;
    for (const each of this.boxes.values()) each.update();
  }

  /** Gives a node the keyboard, drawing it first if it was out of view. */
  focus(node) {
    this.focusBox(this.pass.where.get(this.pass.seen(node)));
  }

  focusBox(index) {
    this.reveal([this.flat.boxes[index]]);
    this.boxes.get(index)?.element.focus({ preventScroll: true });
  }

  listen() {
    const pointers = new Map();
    let from = null, moved = false;
    this.svg.addEventListener("pointerdown", event => {
      pointers.set(event.pointerId, event);
      from = { x: event.clientX, y: event.clientY, view: this.view };
      moved = false;
    });
    this.svg.addEventListener("pointermove", event => {
      if (!from || !pointers.has(event.pointerId)) return;
      const dx = event.clientX - from.x, dy = event.clientY - from.y;
      if (!moved && Math.hypot(dx, dy) < 4) return;
      if (!moved) this.svg.setPointerCapture(event.pointerId);
      moved = true;
      this.svg.classList.add("drag");
      const { x, y, scale } = from.view;
      this.look({ x: x - dx / scale, y: y - dy / scale, scale });
    });
    const end = event => {
      pointers.delete(event.pointerId);
      this.svg.classList.remove("drag");
      from = null;
    };
    this.svg.addEventListener("pointerup", end);
    this.svg.addEventListener("pointercancel", end);
    this.svg.addEventListener("click", event => {
      const box = event.target.closest(".box");
      if (!moved) this.onPick(box ? Number(box.dataset.node) : null, box?.classList.contains("copy"));
    });
    // A wheel over the picture scrolls the page, unless the reader is at work in the picture or holds Ctrl.
    this.svg.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey && !this.svg.matches(":focus-within")) return;
      event.preventDefault();
      const { left, top } = this.svg.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 400), { x: event.clientX - left, y: event.clientY - top });
    }, { passive: false });
  }
}
