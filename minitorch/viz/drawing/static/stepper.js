// The backward stepper: its controls, its keys and its details around the stage. Everything it shows is in the trait
// `scene`, sent once (viz/drawing/step.py writes it); stepping, selecting and zooming happen here and never ask the
// kernel. The trait `step` is where it stands.

import { button, followTheme, html, icon, label } from "./theme.js";
import { STYLE } from "./style.js";
import { Pass } from "./pass.js";
import { Stage } from "./stage.js";
import { Walker } from "./walker.js";
import { search } from "./finder.js";

// From one step to the next while it plays, in milliseconds; and how much of that light is on its way.
const SPEEDS = { slow: 2000, normal: 1000, fast: 500 }, ON_ITS_WAY = 0.8;
const MANY = 12; // nodes; where there are more, they can be searched

let views = 0; // markers are found by id, and each view on a page needs its own

/** Shows the scene of a model in an element; gives back what ends that. asking: makes what asks before a step is shown,
    with a `form` and a `toggle` for the page, a `limit` to go to, and `show`, `focus` and `turn` (predict.js). */
export function stepper({ model, el }, asking = null) {
  const pass = new Pass(model.get("scene")), said = pass.controls;
  let step = 0, timer = null, speed = "normal";

  const stage = new Stage(pass, `${pass.name}-${++views}`, choose, describe), walker = new Walker(stage);
  const first = button(icon("first"), said.first, () => go(0));
  const previous = button(icon("previous"), said.previous, () => go(pass.earlier(step)));
  const play = button([], said.playKey, toggle, "play");
  const next = button(icon("next"), said.next, onward);
  const final = button(icon("last"), said.last, () => go(pass.last));
  const scrub = label(html("input", { type: "range", min: 0, max: pass.last, step: 1 }), said.step);
  const count = html("span", { className: "count" });
  const pace = button([], "", faster, "pace");
  const asks = asking?.({ pass, stage, go, at: () => step }, model.get("step"));
  const finder = pass.nodes.length > MANY ? search(pass, pass.words, reach) : [];
  const bar = html("div", { className: "bar" }, ...(pass.last ? [first, previous, play, next, final, pace, ...(asks ? [asks.toggle] : []), scrub, count] : []), ...finder,
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
  const root = html("div", { className: "root" }, bar, ...(pass.last ? [status] : []), ...(asks ? [asks.form] : []), frame, keys);
  const shadow = el.shadowRoot || el.attachShadow({ mode: "open" });
  shadow.replaceChildren(html("style", { textContent: STYLE + (asks?.style ?? "") }), root);
  el.setAttribute("data-lm-suppress-shortcuts", "true"); // else JupyterLab takes the arrow keys for its cells

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
    scrub.value = step;
    scrub.setAttribute("aria-valuetext", pass.status(step));
    count.textContent = `${step} / ${pass.last}`;
    if (status.textContent !== pass.status(step)) status.textContent = pass.status(step);
    first.disabled = previous.disabled = step === 0;
    next.disabled = step === pass.last;
    final.disabled = step === furthest();
    if (final.disabled || !timer) stop();
    asks?.show(step);
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
    timer = setInterval(onward, SPEEDS[speed]);
    playing("pause", "pause");
    if (step === pass.last) go(0); // from the start again, else on at once
    else onward();
  }

  /** The next speed, and the slowest after the fastest. */
  function faster() {
    const names = Object.keys(SPEEDS);
    paced(names[(names.indexOf(speed) + 1) % names.length]);
    if (!timer) return;
    clearInterval(timer);
    timer = setInterval(onward, SPEEDS[speed]);
  }

  function paced(wanted) {
    speed = wanted;
    pace.textContent = said[speed];
    pace.title = said.speed.replace("{speed}", said[speed]);
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
    const came = shows ? [] : pass.changes[node].filter(at => at <= stage.landed).map(at => [said.stepNumber.replace("{step}", at), pass.events[at - 1].arrives]);
    const latest = shows ? null : pass.latest(node, stage.landed);
    const rows = [...lines, [said.gradient, latest ? latest.entries : pass.gradient(node, stage.landed)], ...came, ...pass.members(node, stage.landed)];
    const list = html("dl", {}, ...rows.flatMap(([term, text]) => [html("dt", { textContent: term }), html("dd", { textContent: text })]));
    facts.replaceChildren(html("h4", { textContent: title }), button("×", said.close, () => pick(null)), list);
  }

  /** An arrow to the side steps, unless a box has the keyboard. */
  const beside = by => (walker.focused() ? walker.aside(by) : by > 0 ? onward() : go(pass.earlier(step)));

  /** Closes the details; then, one by one, the groups that the reader is in. */
  function leave() {
    const box = walker.focused();
    if (stage.picked !== null || !box) return pick(null);
    const node = Number(box.dataset.node), group = pass.open.has(node) ? node : pass.nodes[node].up;
    if (group === undefined) return stage.svg.focus();
    choose(group, false);
  }

  const pressed = {
    ArrowLeft: () => beside(-1), ArrowRight: () => beside(1), ",": () => go(pass.earlier(step)), ".": onward, s: faster, p: () => asks?.turn(), Home: () => go(0), End: () => go(pass.last),
    ArrowUp: () => walker.walk(true), ArrowDown: () => walker.walk(false), " ": toggle, Escape: leave,
    "+": () => stage.zoom(1.25), "-": () => stage.zoom(1 / 1.25), 0: () => stage.fit(),
    Enter: event => {
      const box = event.target.closest(".box");
      choose(box ? Number(box.dataset.node) : null, box?.classList.contains("copy"));
    },
  };
  root.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.type === "text") {
      event.stopPropagation();
      return event.key === "Escape" && stage.svg.focus();
    }
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
    step = Math.min(model.get("step"), furthest());
    refresh();
  };
  model.on("change:step", moved);
  root.lang = pass.lang;
  const forgetTheme = followTheme(root, pass.palette);
  const leavePlace = stage.placedIn(canvas);
  step = model.get("step");
  paced(speed);
  refresh();

  return () => {
    stop();
    forgetTheme();
    leavePlace();
    model.off("change:step", moved);
  };
}
