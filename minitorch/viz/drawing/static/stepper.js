// The backward stepper: its controls, its keys and its details around the stage. Everything it shows is in the trait
// `scene`, sent once (viz/drawing/step.py writes it); stepping, selecting and zooming happen here and never ask the
// kernel. The trait `step` is where it stands.

import { button, html, label } from "./theme.js";
import { answer, filled, mounted, telling, terms } from "./frame.js";
import { STYLE } from "./style.js";
import { Pass } from "./pass.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";
import { Walker } from "./walker.js";
import { search } from "./finder.js";

// From one step to the next while it plays, in milliseconds; and how much of that light is on its way.
const SPEEDS = { slow: 2000, normal: 1000, fast: 500 }, ON_ITS_WAY = 0.8;

let views = 0; // markers are found by id, and each view on a page needs its own

/** Shows the scene of a model in an element; gives back what ends that. asking: makes what asks before a step is shown,
    with a `form` and a `toggle` for the page, a `limit` to go to, and `show`, `focus` and `turn` (predict.js). */
export function stepper({ model, el }, asking = null) {
  const pass = new Pass(model.get("scene")), said = pass.controls;
  let step = 0, speed = "normal";

  const stage = new Stage(pass, `${pass.name}-${++views}`, choose, describe), walker = new Walker(stage);
  const controls = new Transport(said, SPEEDS[speed], go, onward, () => go(pass.earlier(step)));
  const pace = button([], "", faster, "pace");
  const asks = asking?.({ pass, stage, go, at: () => step }, model.get("step"));
  const steps = [...controls.buttons, pace, ...(asks ? [asks.toggle] : []), controls.scrub, controls.count];
  const bar = html("div", { className: "bar" }, ...(pass.last ? steps : []), ...search(pass, reach), ...stage.buttons);
  const status = telling();
  const facts = label(html("section", { className: "facts", hidden: true }), said.details);
  const keys = html("p", { className: "keys", textContent: pass.keys });
  const root = html("div", { className: "root" }, bar, ...(pass.last ? [status] : []), ...(asks ? [asks.form] : []), stage.frame(facts, 160), keys);

  /** moving: light carries what arrives. */
  function go(wanted, moving = false) {
    step = Math.min(Math.max(wanted, 0), furthest());
    model.set("step", step); // other views of this model follow; the kernel is not asked
    refresh(true, moving ? SPEEDS[speed] * ON_ITS_WAY : 0);
  }

  /** The last step that may be shown now. */
  const furthest = () => asks?.limit() ?? pass.last;

  function onward() {
    if (step === furthest()) asks?.focus();
    go(pass.later(step), true);
  }

  function refresh(follow = true, time = 0) {
    stage.show(step, follow, time);
    const sentence = pass.status(step);
    controls.show(step, pass.last, sentence, furthest());
    if (status.textContent !== sentence) status.textContent = sentence;
    asks?.show(step);
    describe();
  }

  /** The next speed, and the slowest after the fastest. */
  function faster() {
    const names = Object.keys(SPEEDS);
    paced(names[(names.indexOf(speed) + 1) % names.length]);
  }

  function paced(wanted) {
    speed = wanted;
    controls.paced(SPEEDS[speed]);
    pace.textContent = said[speed];
    pace.title = filled(said.speed, { speed: said[speed] });
    label(pace, pace.title);
  }

  /** A group is opened, an open one closed; anything else shows its details. A copy leads to what it is a copy of. */
  function choose(node, copy) {
    if (node === null || !pass.opens(node)) return pick(node);
    if (copy) return stage.focus(node);
    stage.toggle(node);
    refresh(false);
  }

  /** Shows a node wherever it is, in open groups. */
  function reach(node) {
    stage.uncover(node);
    refresh(false);
    stage.centre(stage.boxOf(node));
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
    const came = shows ? [] : pass.changes[node].filter(at => at <= stage.landed).map(at => [filled(said.stepNumber, { step: at }), pass.events[at - 1].arrives]);
    const latest = shows ? null : pass.latest(node, stage.landed);
    const rows = [...lines, [said.gradient, latest ? latest.entries : pass.gradient(node, stage.landed)], ...came, ...pass.members(node, stage.landed)];
    facts.replaceChildren(html("h4", { textContent: title }), button("×", said.close, () => pick(null)), html("dl", {}, ...terms(rows)));
  }

  /** An arrow to the side steps, unless a box has the keyboard. */
  const beside = by => (walker.focused() ? walker.aside(by) : by > 0 ? onward() : go(pass.earlier(step)));

  /** Closes the details; then, one by one, the groups that the reader is in. */
  function leave({ target }) {
    if (target.type === "text") return stage.svg.focus();
    const box = walker.focused();
    if (stage.picked !== null || !box) return pick(null);
    const node = Number(box.dataset.node), group = pass.open.has(node) ? node : pass.nodes[node].up;
    if (group === undefined) return stage.svg.focus();
    choose(group, false);
  }

  answer(root, {
    ...controls.keys, ...stage.keys, ",": controls.keys.ArrowLeft, ".": onward, s: faster, p: () => asks?.turn(), Escape: leave,
    ArrowLeft: () => beside(-1), ArrowRight: () => beside(1), ArrowUp: () => walker.walk(true), ArrowDown: () => walker.walk(false),
    Enter: event => {
      const box = event.target.closest(".box");
      choose(box ? Number(box.dataset.node) : null, box?.classList.contains("copy"));
    },
  });

  const moved = () => {
    if (model.get("step") === step) return;
    step = Math.min(model.get("step"), furthest());
    refresh();
  };
  const leaveModel = mounted({ model, el }, root, STYLE + (asks?.style ?? ""), pass, { step: moved }), leavePlace = stage.follow();
  step = model.get("step");
  paced(speed);
  refresh();

  return () => {
    controls.stop();
    leaveModel();
    leavePlace();
  };
}
