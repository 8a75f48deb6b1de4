// A graph of single numbers that the reader changes: values, gradients and the finite difference of the chosen leaf follow
// at once. All of it is in the trait `scene`, sent once (viz/drawing/nudge.py writes it); the kernel is not asked.

import { button, html } from "./theme.js";
import { answer, filled, mounted, telling } from "./frame.js";
import { STYLE } from "./style.js";
import { Pass } from "./pass.js";
import { Stage } from "./stage.js";
import { Knob, choice } from "./knob.js";
import { Walker } from "./walker.js";
import { search } from "./finder.js";
import { Calculation, exact, written } from "./arithmetic.js";
import { crossed } from "./agreement.js";
import { Panel } from "./panel.js";

const STRIDE = 6; // pixels of dragging for one unit
const QUIET = 700; // milliseconds without a change: then it is told
const SMALLEST = 16; // h is 1, 0.1, … down to 1e-16

const NUDGE = STYLE + `
.bar select, .bar input[type=number] { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; height: 28px; box-sizing: border-box; }
.bar select { max-width: 180px; } .bar input[type=number] { flex: 0 1 90px; font-variant-numeric: tabular-nums; }
.box.leaf, .box.constant { cursor: ew-resize; touch-action: none; }
.facts { flex: 0 0 290px; } .facts section { margin-bottom: 10px; } .facts dd { text-align: right; } .facts p { margin: 6px 0 0; }
.facts .verdict { font-weight: 700; padding-left: 8px; border-left: 4px solid var(--leaf); } .facts .verdict.other { border-color: var(--back); border-left-style: double; }
.facts .note { margin: 0 0 10px; padding-left: 8px; border-left: 4px dotted var(--back); } .facts [hidden] { display: none; }
.plot { display: block; width: 100%; max-height: 160px; margin-top: 10px; border: 1px solid var(--line); border-radius: 4px; box-sizing: border-box; background: var(--paper); overflow: hidden; }
.facts path { fill: none; stroke: var(--op); stroke-width: 2; } .facts .tangent { stroke: var(--back); stroke-dasharray: 7 4; } .facts .secant { stroke: var(--leaf); stroke-width: 4; stroke-dasharray: 1.5 5; stroke-linecap: round; }
.end { fill: var(--leaf); } .here { fill: var(--back); stroke: var(--paper); } .facts .axis { text-anchor: start; font-size: 12px; } .facts .legend { display: flex; flex-wrap: wrap; gap: 0 14px; font-size: 12px; color: var(--soft); }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.root { position: relative; container-type: inline-size; }
@container (max-width: 600px) { .stage { flex-direction: column; min-height: 650px; } .facts { flex: 0 0 auto; max-height: 60%; box-sizing: border-box; border-left: 0; border-top: 1px solid var(--line); } }
`;

let views = 0; // markers are found by id, and each view on a page needs its own

const minus = text => text.replace("-", "−");

/** A formula in which another number stands in a number's place. */
const replaced = (formula, old, now) => formula.split(/([ (),])/).map(each => (minus(each) === minus(old) ? now : each)).join("");

const signed = value => (value >= 0 ? `+${written(value)}` : written(value));

function render({ model, el }) {
  const scene = model.get("scene"), pass = new Pass({ ...scene, nodes: scene.nodes.map(each => ({ ...each })) }), { nodes, nudge: facts } = pass, said = facts.words;
  const calculation = new Calculation(facts), start = calculation.forward(facts.start.map(Number));
  const rootName = nodes[facts.root].title;
  let numbers = start, slopes = calculation.backward(start), before = start; // before: when the change began
  let leaf = facts.leaves[0], base = null, drag = null, quiet = null, painting = 0;

  const constants = new Map(facts.constants.map(each => [each.place, each]));
  const takers = facts.constants.map(({ taker }) => {
    const { made, badge, told, badgeWidth } = nodes[taker];
    return [taker, badgeWidth, { made, badge, told }];
  });
  const called = place => constants.get(place)?.title ?? nodes[place].title;
  const boxAt = place => constants.get(place)?.at ?? place; // a number without a node stands in that of its operation

  const stage = new Stage(pass, `${pass.name}-n${++views}`, choose), walker = new Walker(stage);
  const names = [...facts.leaves.map(each => [each, called(each)]), ...facts.constants.map(({ place, title }) => [place, filled(said.constant, { name: title })])];
  const knob = new Knob(new Map(names), start, said, { set, choose: turnTo });
  const sizes = Array.from({ length: SMALLEST + 1 }, (_, at) => Number(`1e-${at}`));
  const size = choice(said.h, [...new Set([...sizes, facts.h])].sort((a, b) => b - a).map(each => [each, `h = ${exact(each)}`]));
  size.value = facts.h;
  const back = button(said.back, said.back_key, reset);
  const bar = html("div", { className: "bar" }, knob.which, knob.number, knob.slider, back, size, ...search(pass, reach), ...stage.buttons);
  const status = html("p", { className: "status", attributes: { "aria-hidden": true } });
  const told = Object.assign(telling(), { className: "quiet" });
  const panel = new Panel(facts, nodes, calculation, start, constants);
  const root = html("div", { className: "root" }, bar, status, told, stage.frame(panel.element, 350), html("p", { className: "keys", textContent: pass.keys }));

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
    if (!base) return filled(said.before, { name: called(leaf), root: rootName });
    const step = numbers[leaf] - base.numbers[leaf];
    const told = filled(constants.has(leaf) ? said.changed_constant : said.changed, {
      name: called(leaf), step: signed(step), root: rootName,
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
    rewrite();
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

  /** Operations say which constants they take: "x * 3", in a badge "× 3". */
  function rewrite() {
    for (const [taker, width, texts] of takers) {
      const node = nodes[taker], swapped = facts.constants.filter(each => each.taker === taker && each.written && numbers[each.place] !== start[each.place]);
      for (const [what, text] of Object.entries(texts)) {
        node[what] = swapped.reduce((all, each) => replaced(all, each.written, written(numbers[each.place])), text);
      }
      node.badgeWidth = width + 8 * (node.badge.length - texts.badge.length);
    }
  }

  /** Writes down what a box says of its node, or of those that it shows; whether that is something else than before. */
  function renewed(index) {
    const node = nodes[index], places = node.shows || [index], [place] = places;
    if (node.kind === "constant" && !constants.has(index)) return false;
    const gradient = Math.hypot(...places.map(each => slopes.gradients[each])), one = places.length === 1;
    const now = node.kind === "constant" ? {} : {
      nothing: `grad ${one ? written(slopes.gradients[place]) : filled(said.norm, { size: written(gradient) })}`,
      look: !isFinite(gradient) ? "odd" : gradient ? "some" : "zero",
    };
    if (one) {
      const value = numbers[place], change = value - before[place], shown = `= ${written(value)}${change > 0 ? " ↑" : change < 0 ? " ↓" : ""}`;
      const moved = change > 0 ? said.rose : change < 0 ? said.fell : "";
      now.value = [written(value), filled(moved, { change: written(Math.abs(change)) })].filter(Boolean).join(", ");
      if (node.shows) now.line = `${shown} · ${scene.nodes[index].line}`;
      else if (node.kind !== "constant" || node.bold) now.rest = shown;
      else now.name = shown.slice(2);
    }
    if (Object.keys(now).every(each => now[each] === node[each])) return facts.constants.some(({ taker }) => taker === index);
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
    stage.pick(pass.seen(boxAt(node)));
    paint();
  }

  function turnTo(node) {
    chosen(node);
    stage.reveal([stage.boxOf(boxAt(node))]);
  }

  const canMove = node => facts.leaves.includes(node) || (constants.has(node) && node < facts.rules.length);

  /** A group is opened, an open one closed; a number is chosen, of anything else the details are shown. */
  function choose(node, copy) {
    if (node === null) return;
    if (canMove(node)) return chosen(node);
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
    stage.centre(stage.boxOf(node));
    choose(pass.seen(node), true);
  }

  // -- dragging --------------------------------------------------------------------------------------------------------

  stage.svg.addEventListener("pointerdown", event => {
    const box = event.target.closest(".box"), node = Number(box?.dataset.node);
    if (!box || event.button || !canMove(node)) return;
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

  /** A number grows, in its box or in its field; elsewhere the keyboard goes up the graph. */
  function up(by, { target, shiftKey }) {
    if (target !== knob.number && !canMove(Number(walker.focused()?.dataset.node))) return walker.walk(by > 0);
    set(knob.stepped(numbers[leaf], shiftKey ? 10 * by : by));
  }

  const beside = by => walker.focused() && walker.aside(by);
  const pressed = {
    ArrowUp: event => up(1, event), ArrowDown: event => up(-1, event), ArrowLeft: () => beside(-1), ArrowRight: () => beside(1), Escape: leave, ...stage.keys,
    Enter: event => choose(Number(event.target.closest(".box")?.dataset.node ?? NaN), event.target.matches(".copy")),
  };
  answer(root, pressed, (target, key) => {
    const own = target === knob.number ? ["ArrowUp", "ArrowDown", "Escape"] : ["Escape"];
    return target.matches("input, select, button") && !own.includes(key);
  });
  root.addEventListener("focusin", event => {
    const node = Number(event.target.dataset?.node ?? NaN);
    if (canMove(node) && node !== leaf) chosen(node);
  });

  const leaveModel = mounted({ model, el }, root, NUDGE, pass), leavePlace = stage.follow();
  chosen(leaf);
  return () => {
    tell();
    cancelAnimationFrame(painting);
    leaveModel();
    leavePlace();
  };
}

export default { render };
