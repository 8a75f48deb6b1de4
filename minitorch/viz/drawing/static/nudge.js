// A graph of single numbers that the reader changes: values, gradients and the finite difference of the chosen leaf follow
// at once. All of it is in the trait `scene`, sent once (viz/drawing/nudge.py writes it); the kernel is not asked.

import { button, followTheme, html, label } from "./theme.js";
import { STYLE } from "./style.js";
import { Pass, filled } from "./pass.js";
import { Stage } from "./stage.js";
import { Knob, choice } from "./knob.js";
import { Walker } from "./walker.js";
import { search } from "./finder.js";
import { Calculation, exact, written } from "./arithmetic.js";
import { crossed } from "./agreement.js";
import { Panel } from "./panel.js";

const MANY = 12; // nodes; where there are more, they can be searched
const STRIDE = 6; // pixels of dragging for one unit
const QUIET = 700; // milliseconds without a change: then it is told
const SMALLEST = 16; // h is 1, 0.1, … down to 1e-16

const NUDGE = STYLE + `
.bar select, .bar input[type=number] { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; height: 28px; box-sizing: border-box; }
.bar select { max-width: 180px; } .bar input[type=number] { flex: 0 1 90px; font-variant-numeric: tabular-nums; }
.box.leaf { cursor: ew-resize; touch-action: none; } .box.leaf.copy { cursor: ew-resize; }
.facts { flex: 0 0 290px; } .facts section { margin-bottom: 10px; } .facts dd { text-align: right; } .facts p { margin: 6px 0 0; }
.facts .verdict { font-weight: 700; padding-left: 8px; border-left: 4px solid var(--leaf); } .facts .verdict.other { border-color: var(--back); border-left-style: double; }
.facts .note { margin: 0 0 10px; padding-left: 8px; border-left: 4px dotted var(--back); } .facts [hidden] { display: none; }
.plot { display: block; width: 100%; max-height: 160px; margin-top: 10px; border: 1px solid var(--line); border-radius: 4px; box-sizing: border-box; background: var(--paper); overflow: hidden; }
.facts path { fill: none; stroke: var(--op); stroke-width: 2; } .facts .tangent { stroke: var(--back); stroke-dasharray: 7 4; } .facts .secant { stroke: var(--leaf); stroke-width: 4; stroke-dasharray: 1.5 5; stroke-linecap: round; }
.end { fill: var(--leaf); } .here { fill: var(--back); stroke: var(--paper); } .facts .axis { text-anchor: start; font-size: 12px; } .facts .legend { display: flex; flex-wrap: wrap; gap: 0 14px; font-size: 12px; color: var(--soft); }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.root { position: relative; }
@media (max-width: 600px) { .stage { flex-direction: column; } .facts { flex: 0 1 auto; max-height: 42%; border-left: 0; border-top: 1px solid var(--line); } }
`;

let views = 0; // markers are found by id, and each view on a page needs its own

const signed = value => (value >= 0 ? `+${written(value)}` : written(value));

function render({ model, el }) {
  const scene = model.get("scene"), pass = new Pass({ ...scene, nodes: scene.nodes.map(each => ({ ...each })) }), { nodes, controls, nudge: facts } = pass, said = facts.words;
  const calculation = new Calculation(facts), start = calculation.forward(facts.start.map(Number));
  const rootName = nodes[facts.root].title;
  let numbers = start, slopes = calculation.backward(start), before = start; // before: when the change began
  let leaf = facts.leaves[0], base = null, drag = null, quiet = null, painting = 0;

  const stage = new Stage(pass, `${pass.name}-n${++views}`, choose), walker = new Walker(stage);
  const knob = new Knob(new Map(facts.leaves.map(each => [each, nodes[each].title])), start, said, { set, choose: turnTo });
  const sizes = Array.from({ length: SMALLEST + 1 }, (_, at) => Number(`1e-${at}`));
  const size = choice(said.h, [...new Set([...sizes, facts.h])].sort((a, b) => b - a).map(each => [each, `h = ${exact(each)}`]));
  size.value = facts.h;
  const back = button(said.back, said.back_key, reset);
  const finder = nodes.length > MANY ? search(pass, pass.words, reach) : [];
  const bar = html("div", { className: "bar" }, knob.which, knob.number, knob.slider, back, size, ...finder,
    button("−", controls.smaller, () => stage.zoom(1 / 1.25)), button("+", controls.larger, () => stage.zoom(1.25)),
    button(controls.fit, controls.fitKey, () => stage.fit()));
  const status = html("p", { className: "status", attributes: { "aria-hidden": true } });
  const told = html("p", { className: "quiet", attributes: { role: "status", "aria-live": "polite" } });
  const panel = new Panel(facts, nodes, calculation, start);
  const canvas = html("div", { className: "canvas" }, stage.svg, stage.overview.canvas);
  const frame = html("div", { className: "stage" }, canvas, panel.element);
  frame.style.height = `${Math.min(Math.max(pass.flat.bottom + 8, 350), 560)}px`;
  const root = html("div", { className: "root" }, bar, status, told, frame, html("p", { className: "keys", textContent: pass.keys }));
  const shadow = el.shadowRoot || el.attachShadow({ mode: "open" });
  shadow.replaceChildren(html("style", { textContent: NUDGE }), root);
  el.setAttribute("data-lm-suppress-shortcuts", "true"); // else JupyterLab takes the arrow keys for its cells

  // -- numbers ---------------------------------------------------------------------------------------------------------

  /** The chosen leaf gets a number. What changes until all is quiet is one change, told once. */
  function set(value) {
    if (Number.isNaN(value) || value === numbers[leaf]) return;
    if (base?.leaf !== leaf) tell();
    base ??= { leaf, numbers, gradient: calculation.backward(numbers).gradients[leaf] };
    take(calculation.moved(numbers, leaf, value));
    clearTimeout(quiet);
    if (!drag) quiet = setTimeout(tell, QUIET);
  }

  function take(all) {
    before = base?.numbers ?? all;
    numbers = all;
    painting ||= requestAnimationFrame(paint);
  }

  function sentence() {
    if (!base) return filled(said.before, { name: nodes[leaf].title, root: rootName });
    const step = numbers[leaf] - base.numbers[leaf];
    const told = filled(said.changed, {
      name: nodes[leaf].title, step: signed(step), root: rootName,
      change: signed(numbers[facts.root] - base.numbers[facts.root]), said: signed(base.gradient * step),
    });
    return [told, crossed(calculation, base.numbers, numbers, nodes, said)].filter(Boolean).join(" ");
  }

  /** The change has ended: those who listen hear of it, once. */
  function tell() {
    clearTimeout(quiet);
    if (!base) return;
    paint();
    told.textContent = [sentence(), panel.warning].filter(Boolean).join(" ");
    base = null;
  }

  function reset() {
    tell();
    take(start);
    told.textContent = status.textContent = said.reset;
  }

  // -- what is seen ----------------------------------------------------------------------------------------------------

  function paint() {
    cancelAnimationFrame(painting);
    painting = 0;
    slopes = calculation.backward(numbers);
    const { boxes, edges } = stage.flat, changed = new Set(boxes.map(box => box.node).filter(renewed));
    boxes.forEach((box, at) => changed.has(box.node) && stage.boxes.get(at)?.update());
    edges.forEach((edge, at) => {
      const now = edge.forward && edge.carried.length === 1 ? written(slopes.local[edge.carried[0]]) : edge.forward;
      if (now === edge.forward) return;
      edge.forward = now;
      stage.edges.get(at)?.update();
    });
    knob.show(numbers[leaf]);
    back.disabled = numbers.every((each, at) => Object.is(each, start[at]));
    if (base) status.textContent = sentence();
    describe();
  }

  /** Writes down what a box says of its node, or of those that it shows; whether that is something else than before. */
  function renewed(index) {
    const node = nodes[index], places = node.shows || [index], [place] = places;
    if (node.kind === "constant") return false;
    const gradient = Math.hypot(...places.map(each => slopes.gradients[each])), one = places.length === 1;
    const now = {
      nothing: `grad ${one ? written(slopes.gradients[place]) : `norm ${written(gradient)}`}`,
      look: !isFinite(gradient) ? "odd" : gradient ? "some" : "zero",
    };
    if (one) {
      const value = numbers[place], change = value - before[place], shown = `= ${written(value)}${change > 0 ? " ↑" : change < 0 ? " ↓" : ""}`;
      const moved = change > 0 ? said.rose : change < 0 ? said.fell : "";
      now.value = [written(value), filled(moved, { change: written(Math.abs(change)) })].filter(Boolean).join(", ");
      if (node.shows) now.line = `${shown} · ${scene.nodes[index].line}`;
      else now.rest = shown;
    }
    if (Object.keys(now).every(each => now[each] === node[each])) return false;
    return Object.assign(node, now);
  }

  function describe() {
    panel.show({ numbers, slopes, leaf, h: Number(size.value), picked: stage.picked, range: knob.range });
  }

  // -- which one -------------------------------------------------------------------------------------------------------

  function chosen(node) {
    if (leaf !== node) tell();
    leaf = node;
    knob.choose(node);
    if (!base) status.textContent = sentence();
    stage.pick(pass.seen(node));
    paint();
  }

  function turnTo(node) {
    chosen(node);
    stage.reveal([stage.flat.boxes[pass.where.get(pass.seen(node))]]);
  }

  const isLeaf = node => facts.leaves.includes(node);

  /** A group is opened, an open one closed; a leaf is chosen, of anything else the details are shown. */
  function choose(node, copy) {
    if (node === null) return;
    if (isLeaf(node)) return chosen(node);
    if (!pass.opens(node)) {
      stage.pick(node);
      return describe();
    }
    if (copy) return stage.focus(node);
    stage.toggle(node);
    paint();
  }

  function reach(node) {
    stage.uncover(node);
    paint();
    stage.centre(stage.flat.boxes[pass.where.get(pass.seen(node))]);
    choose(pass.seen(node), true);
  }

  // -- dragging --------------------------------------------------------------------------------------------------------

  stage.svg.addEventListener("pointerdown", event => {
    const box = event.target.closest(".box"), node = Number(box?.dataset.node);
    if (!box || event.button || !isLeaf(node)) return;
    event.stopPropagation(); // else the whole picture is dragged
    chosen(node);
    tell();
    drag = { id: event.pointerId, at: event.clientX, from: numbers[leaf] };
    stage.focusBox(Number(box.dataset.box));
  }, true);
  stage.svg.addEventListener("pointermove", event => {
    if (event.pointerId !== drag?.id) return;
    const units = Math.round((event.clientX - drag.at) / STRIDE) * (event.shiftKey ? 10 : 1);
    if (units) stage.svg.setPointerCapture(event.pointerId);
    set(knob.stepped(drag.from, units));
  });
  const drop = event => {
    if (event.pointerId !== drag?.id) return;
    drag = null;
    tell();
  };
  stage.svg.addEventListener("pointerup", drop);
  stage.svg.addEventListener("pointercancel", drop);

  // -- controls and keys -----------------------------------------------------------------------------------------------

  size.addEventListener("change", () => {
    describe();
    told.textContent = panel.answer.textContent;
  });

  function leave() {
    if (!drag) return stage.svg.focus();
    const { from } = drag;
    drag = null;
    set(from);
    tell();
  }

  /** A leaf's number grows, in its box or in its field; elsewhere the keyboard goes up the graph. */
  function up(by, { target, shiftKey }) {
    if (target !== knob.number && !isLeaf(Number(walker.focused()?.dataset.node))) return walker.walk(by > 0);
    set(knob.stepped(numbers[leaf], shiftKey ? 10 * by : by));
  }

  const beside = by => walker.focused() && walker.aside(by);
  const pressed = {
    ArrowUp: event => up(1, event), ArrowDown: event => up(-1, event), ArrowLeft: () => beside(-1), ArrowRight: () => beside(1),
    Escape: leave, "+": () => stage.zoom(1.25), "-": () => stage.zoom(1 / 1.25), 0: () => stage.fit(),
    Enter: event => choose(Number(event.target.closest(".box")?.dataset.node ?? NaN), event.target.matches(".copy")),
  };
  root.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    const own = event.target === knob.number ? ["ArrowUp", "ArrowDown", "Escape"] : ["Escape"];
    if ((event.target.matches("input, select, button") && !own.includes(event.key)) || !pressed[event.key]) return;
    event.preventDefault();
    pressed[event.key](event);
  });
  root.addEventListener("focusin", event => {
    const node = Number(event.target.dataset?.node ?? NaN);
    if (isLeaf(node) && node !== leaf) chosen(node);
  });

  root.lang = pass.lang;
  const forgetTheme = followTheme(root, pass.palette), leavePlace = stage.placedIn(canvas);
  chosen(leaf);
  return () => {
    tell();
    cancelAnimationFrame(painting);
    forgetTheme();
    leavePlace();
  };
}

export default { render };
