// The backward stepper. Everything it shows is in the trait `scene`, sent once (viz/drawing/step.py writes it);
// stepping, selecting and zooming happen here and never ask the kernel. The trait `step` is where it stands.

import { FRAME, button, followTheme, html, icon, svg } from "./theme.js";
import { Pass, filled } from "./pass.js";
import { Overview, search } from "./finder.js";

const PLAY_MS = 1000;
const SCALES = { least: 0.05, readable: 0.92, most: 4 }; // readable: letters of 12 px are 11 px at least
const FAR = 0.3; // below this scale boxes are drawn without their text
const MANY = 12; // nodes; where there are more, they can be searched

const STYLE = FRAME + `
.stage { display: flex; overflow: hidden; resize: vertical; min-height: 120px; }
.canvas { position: relative; flex: 1 1 60%; min-width: 0; }
.overview { position: absolute; top: 8px; right: 8px; cursor: pointer; background: var(--paper); opacity: .92; border: 1px solid var(--line); border-radius: 4px; }
.bar .search { flex: 0 1 110px; min-width: 60px; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; height: 28px; box-sizing: border-box; padding: 0 6px; margin: 0; }
.canvas > svg { display: block; width: 100%; height: 100%; cursor: grab; touch-action: none; }
.canvas > svg.drag { cursor: grabbing; }
text { fill: var(--ink); font-size: 13px; text-anchor: middle; user-select: none; }
.bold, .badge, .came text { font-weight: 700; }
.box { cursor: pointer; outline: none; }
.box rect { fill: var(--card); stroke: var(--op); stroke-width: 1.5; }
.box.leaf rect { fill: var(--leaf-card); stroke: var(--leaf); stroke-width: 2; }
.box.constant rect { stroke: var(--soft); stroke-dasharray: 2 3; }
.box.copy rect { stroke-dasharray: 7 4; } .box.top rect { stroke-width: 3.5; } .box.active rect { stroke: var(--back); stroke-width: 3.5; }
.box .ring { display: none; }
.box.picked .ring, .box:focus-visible .ring { display: inline; fill: none; stroke: var(--ink); stroke-width: 2; stroke-dasharray: none; }
.pill { stroke: var(--op); stroke-width: 20; stroke-linecap: round; }
.badge { fill: var(--on-op); } .chip { stroke: none; stroke-width: 17; stroke-linecap: round; }
.state { font-size: 12px; font-style: italic; fill: var(--soft); }
.some .chip { stroke: var(--some); } .some .state { fill: var(--on-some); font-style: normal; }
.zero .chip { stroke: var(--zero); } .zero .state { fill: var(--on-zero); font-style: normal; }
.odd .chip { stroke: var(--on-back); } .odd .state { fill: var(--paper); font-style: normal; }
.born { display: none; } .isborn .born { display: inline; } .born rect { fill: none; stroke: var(--back); stroke-width: 4; stroke-dasharray: none; }
.born rect + rect { fill: var(--paper); stroke-width: 1.5; } .born text { font-size: 12px; font-weight: 700; fill: var(--on-back); }
.edge path { fill: none; stroke: var(--line); stroke-width: 1.5; }
.edge.wide path { stroke: var(--wide); stroke-width: 3; stroke-dasharray: 9 3; }
.edge.came path { stroke: var(--back); stroke-width: 2.5; stroke-dasharray: none; }
.edge.now path { stroke-width: 5; } .edge text { font-size: 12px; fill: var(--soft); stroke: var(--paper); stroke-width: 5; paint-order: stroke; text-anchor: start; }
.edge.left text { text-anchor: end; } .edge.wide text { fill: var(--on-wide); } .edge.came text { fill: var(--on-back); }
.box.frame > rect { fill: var(--paper); fill-opacity: .6; } .box rect.behind { stroke-width: 1.2; } .box.frame .chip { display: none; } .box .sign { fill: var(--soft); font-size: 15px; } .box.frame .rest { text-anchor: start; }
.freed .chip { stroke: var(--freed); } .freed .state { fill: var(--ink); font-style: normal; }
.far text { display: none; }
.facts { position: relative; flex: 0 1 270px; overflow: auto; background: var(--card); border-left: 1px solid var(--line); padding: 8px 12px; }
.facts[hidden] { display: none; } .facts h4 { margin: 0 30px 4px 0; font-size: 14px; } .facts dl { display: grid; grid-template-columns: auto 1fr; gap: 1px 10px; margin: 0; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.facts button { position: absolute; top: 4px; right: 4px; border: 0; background: none; }
`;

const label = (element, text) => (element.setAttribute("aria-label", text), element);

/** The drawing: boxes and edges that are in view, and nothing else, are in the page. */
class Stage {
  constructor(pass, name, onPick) {
    this.pass = pass;
    this.name = name;
    this.onPick = onPick;
    this.boxes = new Map();
    this.edges = new Map();
    this.step = 0;
    this.picked = null;
    this.edgeLayer = svg("g");
    this.boxLayer = svg("g");
    this.svg = label(svg("svg", { tabindex: 0, role: "group" }, this.markers(), this.edgeLayer, this.boxLayer), pass.title);
    this.frameLayer = svg("g");
    this.svg.insertBefore(this.frameLayer, this.edgeLayer);
    this.overview = new Overview(this, pass.words.overview);
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

  size() {
    const { clientWidth, clientHeight } = this.svg;
    return { width: clientWidth || 600, height: clientHeight || 400 };
  }

  /** All of it if it stays readable; else the result, where the pass begins, and no row of it cut at the top. */
  home() {
    const { width, height } = this.size();
    const { left, right, bottom, boxes } = this.flat;
    const whole = Math.min(width / (right - left), height / bottom, 1);
    const scale = Math.max(whole, SCALES.readable);
    const box = boxes[this.pass.where.get(this.pass.seen(this.pass.root))];
    const low = Math.max(left, Math.min(right - width / scale, box.x - width / scale / 2));
    const x = (right - left) * scale > width ? low : (left + right - width / scale) / 2;
    const from = box.y + box.h + 20 - height / scale;
    const tops = boxes.map(each => each.y - 16).filter(top => top >= from);
    const y = bottom * scale > height ? Math.min(...tops) : (bottom - height / scale) / 2;
    this.look({ x, y, scale });
  }

  /** The scale at which all of it is seen. */
  least() {
    const { width, height } = this.size(), { left, right, bottom } = this.flat;
    return Math.min(width / (right - left), height / bottom);
  }

  fit() {
    const { width, height } = this.size();
    const { left, right, bottom } = this.flat;
    const scale = Math.min(this.least(), 1.5);
    this.look({ x: (left + right - width / scale) / 2, y: (bottom - height / scale) / 2, scale });
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
    for (const drawn of [this.edges, this.boxes]) {
      for (const { element } of drawn.values()) element.remove();
      drawn.clear();
    }
    const box = this.flat.boxes[this.pass.where.get(this.pass.seen(node))];
    this.look({ ...this.view, x: this.view.x + box.x - at.x, y: this.view.y + box.y - at.y });
    this.reveal([{ ...box, h: Math.min(box.h, this.size().height / this.view.scale - 80) }]);
  }

  /** What was in the middle stays there. */
  resized() {
    const { x, y, scale, width } = this.view;
    this.look({ x: x + (width - this.size().width) / scale / 2, y, scale });
  }

  /** Moves the view, if it must, so that boxes and the way between them are seen. */
  reveal(boxes) {
    const { width, height } = this.size();
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
    const state = svg("text", { y: box.h - 8, class: "state" }), line = svg("text", { y: node.badge ? 44 : 38 });
    const rect = (off, look) => svg("rect", { x: off - half, y: off, width: box.w, height: box.h, rx: 8, ...look });
    const element = svg("g", { transform: `translate(${box.x} ${box.y})`, tabindex: -1, role: "button", "data-node": box.node, "data-box": index },
      svg("title", {}, node.told), ...(node.shows && !frame ? [rect(8, { class: "behind" }), rect(4, { class: "behind" })] : []), rect(0),
      svg("rect", { x: -half - 5, y: -5, width: box.w + 10, height: box.h + 10, rx: 12, class: "ring" }),
      svg("path", { d: `M${-chip} ${box.h - 12}h${2 * chip}`, class: "chip" }));
    const y = node.badge ? 26 : 20;
    if (node.name || node.rest) {
      const name = svg("tspan", node.bold ? { class: "bold" } : {}, node.name);
      element.append(svg("text", frame ? { y: 24, x: 12 - half, class: "rest" } : { y }, name, node.rest && ` ${node.rest}`));
    } else line.setAttribute("y", y);
    if (!frame) element.append(line, state);
    if (this.pass.opens(box.node) && !box.copy) element.append(svg("text", { x: half - 13, y: 19, class: "sign", "aria-hidden": true }, frame ? "−" : "+"));
    if (node.badge) {
      const inset = node.badgeWidth / 2 - 10;
      element.append(svg("path", { d: `M${-inset} 0h${2 * inset}`, class: "pill" }), svg("text", { y: 5, class: "badge" }, node.badge));
    }
    if (node.born && !frame) {
      element.append(svg("g", { class: "born" }, svg("rect", { x: -half - 6, y: -6, width: box.w + 12, height: box.h + 12, rx: 13 }),
        svg("rect", { x: -node.born.width / 2, y: box.h - 1, width: node.born.width, height: 18, rx: 9 }), svg("text", { y: box.h + 12 }, node.born.said)));
    }
    if (this.pass.opens(box.node) && !box.copy) element.setAttribute("aria-expanded", frame);
    const update = () => {
      const event = this.step && this.pass.events[this.step - 1];
      const active = event && !frame && this.pass.seen(event.node) === box.node ? "active" : "";
      const top = this.pass.seen(this.pass.root) === box.node && !box.copy && "top";
      const marks = [box.copy && "copy", !box.copy && this.pass.born(box.node, this.step) && "isborn", top, this.picked === box.node && "picked", active, frame && "frame"];
      element.setAttribute("class", ["box", node.kind, this.pass.look(box.node, this.step), ...marks].filter(Boolean).join(" "));
      state.textContent = this.pass.gradient(box.node, this.step);
      line.textContent = group ? this.pass.line(box.node, this.step) : node.line;
      label(element, this.pass.spoken(box.node, this.step));
    };
    return { element, update };
  }

  drawEdge(edge, index) {
    const path = svg("path");
    const text = svg("text", { x: edge.x, y: edge.y });
    const element = svg("g", { "data-edge": index }, path, text);
    const several = edge.carried.length > 1;
    const update = () => {
      const steps = edge.carried.map(each => this.pass.arrival[each]);
      const done = steps.filter(each => each <= this.step).length, came = done > 0, now = steps.includes(this.step);
      const kinds = ["edge", edge.toLeft && "left", came ? "came" : edge.wide && "wide", now && "now"];
      element.setAttribute("class", kinds.filter(Boolean).join(" "));
      const tip = came ? "back" : edge.wide ? "wide" : "line";
      path.setAttribute("d", came ? edge.back : edge.path);
      path.removeAttribute(came ? "marker-end" : "marker-start");
      path.setAttribute(came ? "marker-start" : "marker-end", `url(#${this.name}-${tip})`);
      const arrows = several && edge.backward ? filled(this.pass.words.arrows, { count: done }) : edge.backward || "";
      text.textContent = came ? arrows : edge.forward || "";
    };
    return { element, update };
  }

  show(step, follow = true) {
    this.step = step;
    for (const drawn of [this.edges, this.boxes]) for (const each of drawn.values()) each.update();
    const event = follow && step && this.pass.events[step - 1];
    if (!event) return;
    const box = node => this.flat.boxes[this.pass.where.get(this.pass.seen(node))];
    const [from, to] = event.edge === null ? [event.node, event.node] : this.pass.ends[event.edge];
    this.reveal([box(from), box(to)]);
    this.reveal([box(from)]); // where both do not fit, the one whose gradient changes
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

let views = 0; // markers are found by id, and each view on a page needs its own

function render({ model, el }) {
  const pass = new Pass(model.get("scene")), said = pass.controls;
  let step = 0, timer = null;

  const stage = new Stage(pass, `${pass.name}-${++views}`, choose);
  const first = button(icon("first"), said.first, () => go(0));
  const previous = button(icon("previous"), said.previous, () => go(pass.earlier(step)));
  const play = button([], said.playKey, toggle, "play");
  const next = button(icon("next"), said.next, () => go(pass.later(step)));
  const final = button(icon("last"), said.last, () => go(pass.last));
  const scrub = label(html("input", { type: "range", min: 0, max: pass.last, step: 1 }), said.step);
  const count = html("span", { className: "count" });
  const finder = pass.nodes.length > MANY ? search(pass, pass.words, reach) : [];
  const bar = html("div", { className: "bar" }, ...(pass.last ? [first, previous, play, next, final, scrub, count] : []), ...finder,
    button("−", said.smaller, () => stage.zoom(1 / 1.25)), button("+", said.larger, () => stage.zoom(1.25)),
    button(said.fit, said.fitKey, () => stage.fit()));
  const status = html("p", { className: "status" });
  status.setAttribute("role", "status");
  status.setAttribute("aria-live", "polite");
  const facts = label(html("section", { className: "facts", hidden: true }), said.details);
  const canvas = html("div", { className: "canvas" }, stage.svg, stage.overview.canvas);
  const frame = html("div", { className: "stage" }, canvas, facts);
  frame.style.height = `${Math.min(Math.max(pass.flat.bottom + 8, 160), 560)}px`;
  const keys = html("p", { className: "keys", textContent: pass.keys });
  const root = html("div", { className: "root" }, bar, ...(pass.last ? [status] : []), frame, keys);
  const shadow = el.shadowRoot || el.attachShadow({ mode: "open" });
  shadow.replaceChildren(html("style", { textContent: STYLE }), root);
  el.setAttribute("data-lm-suppress-shortcuts", "true"); // else JupyterLab takes the arrow keys for its cells

  function go(wanted) {
    step = Math.min(Math.max(wanted, 0), pass.last);
    model.set("step", step); // other views of this model follow; the kernel is not asked
    refresh();
  }

  function refresh(follow = true) {
    stage.show(step, follow);
    scrub.value = step;
    scrub.setAttribute("aria-valuetext", pass.status(step));
    count.textContent = `${step} / ${pass.last}`;
    if (status.textContent !== pass.status(step)) status.textContent = pass.status(step);
    first.disabled = previous.disabled = step === 0;
    next.disabled = final.disabled = step === pass.last;
    if (step === pass.last || !timer) stop();
    describe();
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    playing("next", "play");
  }

  function playing(face, word) {
    play.replaceChildren(icon(face), ` ${said[word]}`);
    play.title = said[`${word}Key`];
    label(play, play.title);
  }

  function toggle() {
    if (timer) return stop();
    timer = setInterval(() => go(pass.later(step)), PLAY_MS);
    playing("pause", "pause");
    go(step === pass.last ? 0 : pass.later(step)); // from the start again, else on at once
  }

  /** A group is opened, an open one closed; anything else shows its details. A copy leads to what it is a copy of. */
  function choose(node, copy) {
    if (node === null || !pass.opens(node)) return pick(node);
    if (copy) return stage.focus(node);
    const box = { ...stage.flat.boxes[pass.where.get(node)] };
    pass.toggle(node);
    stage.rearranged(node, box);
    stage.focus(node);
    refresh(false);
  }

  /** Shows a node wherever it is, in open groups. */
  function reach(node) {
    const at = stage.flat.boxes[pass.where.get(pass.seen(node))];
    pass.uncover(node);
    stage.rearranged(node, at);
    refresh(false);
    stage.reveal([stage.flat.boxes[pass.where.get(pass.seen(node))]]);
    stage.pick(pass.seen(node));
    describe();
  }

  function pick(node) {
    stage.pick(node);
    if (node !== null) stage.focus(node);
    describe();
  }

  function describe() {
    const node = stage.picked;
    facts.hidden = node === null;
    if (facts.hidden) return;
    const { title, facts: lines, shows } = pass.nodes[node];
    const came = shows ? [] : pass.changes[node].filter(at => at <= step).map(at => [said.stepNumber.replace("{step}", at), pass.events[at - 1].arrives]);
    const latest = shows ? null : pass.latest(node, step);
    const rows = [...lines, [said.gradient, latest ? latest.entries : pass.gradient(node, step)], ...came];
    const list = html("dl", {}, ...rows.flatMap(([term, text]) => [html("dt", { textContent: term }), html("dd", { textContent: text })]));
    facts.replaceChildren(html("h4", { textContent: title }), button("×", said.close, () => pick(null)), list);
  }

  const focused = () => stage.svg.getRootNode().activeElement?.closest?.(".box");
  let siblings = []; // the operands of the box that the reader came up from, or else all boxes as they are read

  /** Up to an operand, down to a consumer; from nowhere to the result. */
  function walk(upwards) {
    const box = focused();
    if (!box) return stage.focus(pass.root);
    const here = Number(box.dataset.box), { edges } = pass.flat;
    const ways = edges.filter(each => (upwards ? each.to : each.from) === here).sort((a, b) => a.port - b.port);
    if (!ways.length) return;
    siblings = ways.map(each => (upwards ? each.from : each.to));
    stage.focusBox(siblings[0]);
  }

  /** To the next operand beside this one, or to the next box. */
  function aside(by) {
    const here = Number(focused().dataset.box), { boxes } = pass.flat;
    const read = () => boxes.map((_, index) => index).sort((a, b) => boxes[a].y + boxes[a].h / 2 - boxes[b].y - boxes[b].h / 2 || boxes[a].x - boxes[b].x);
    const row = siblings.length > 1 && siblings.includes(here) ? siblings : read();
    stage.focusBox(row[(row.indexOf(here) + by + row.length) % row.length]);
  }

  /** An arrow to the side steps, unless a box has the keyboard. */
  const beside = by => (focused() ? aside(by) : go(by > 0 ? pass.later(step) : pass.earlier(step)));

  /** Closes the details; then, one by one, the groups that the reader is in. */
  function leave() {
    const box = focused();
    if (stage.picked !== null || !box) return pick(null);
    const node = Number(box.dataset.node), group = pass.open.has(node) ? node : pass.nodes[node].up;
    if (group === undefined) return stage.svg.focus();
    choose(group, false);
  }

  const pressed = {
    ArrowLeft: () => beside(-1), ArrowRight: () => beside(1), ",": () => go(pass.earlier(step)), ".": () => go(pass.later(step)), Home: () => go(0), End: () => go(pass.last),
    ArrowUp: () => walk(true), ArrowDown: () => walk(false), " ": toggle, Escape: leave,
    "+": () => stage.zoom(1.25), "-": () => stage.zoom(1 / 1.25), 0: () => stage.fit(),
    Enter: event => {
      const box = event.target.closest(".box");
      choose(box ? Number(box.dataset.node) : null, box?.classList.contains("copy"));
    },
  };
  root.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.type === "search" && event.key !== "Escape") return event.stopPropagation();
    const native = { BUTTON: [" ", "Enter"], INPUT: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"] };
    event.stopPropagation();
    if (native[event.target.tagName]?.includes(event.key) || !pressed[event.key]) return;
    event.preventDefault();
    pressed[event.key](event);
  });
  scrub.addEventListener("input", () => go(Number(scrub.value)));

  const moved = () => {
    if (model.get("step") === step) return;
    step = model.get("step");
    refresh();
  };
  model.on("change:step", moved);
  const forgetTheme = followTheme(root, pass.palette);
  let placed = false;
  const resized = new ResizeObserver(() => {
    if (!stage.svg.clientWidth) return;
    if (placed) stage.resized();
    else stage.home();
    if (stage.picked !== null) stage.reveal([pass.flat.boxes[pass.where.get(pass.seen(stage.picked))]]);
    placed = true;
  });
  resized.observe(canvas);
  step = model.get("step");
  refresh();

  return () => {
    stop();
    forgetTheme();
    resized.disconnect();
    model.off("change:step", moved);
  };
}

export default { render };
