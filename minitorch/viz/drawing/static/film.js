// The player of pictures that were drawn ahead, step by step. The trait `film` holds one or several reels: a drawing
// with places to fill, and for each step what stands in which place. `reel` and `step` are where it stands.

import { FRAME, SVG, button, followTheme, html, icon } from "./theme.js";

const PLAY_MS = 1200;
const LEAST = 11 / 12; // of its size that a drawing of 12 px letters may shrink to; below it the stage scrolls

const STYLE = FRAME + `
.reels { display: flex; gap: 4px; align-items: center; padding: 6px 8px; border-bottom: 1px solid var(--line); flex-wrap: wrap; }
[hidden] { display: none !important; }
button { padding: 0 8px; }
[role=radio][aria-checked=true] { border-color: var(--op); border-width: 2px; font-weight: 700; text-decoration: underline; }
.count { min-width: 6em; }
.status { min-height: 2.9em; }
.status.wrong { box-shadow: inset 5px 0 var(--back); }
.stage { overflow: auto; max-height: 640px; }
.stage svg { display: block; margin: 0 auto; height: auto; }
`;

/** Markup that Python wrote and escaped, as nodes. It is parsed as XML: nothing in it runs. */
function parsed(markup) {
  const tree = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${markup}</svg>`, "image/svg+xml");
  return [...document.importNode(tree.documentElement, true).childNodes];
}

/** What stands in each place at each step: a step says only what changes. */
function folded(frames) {
  let places = {};
  return frames.map(frame => ({ ...frame, places: (places = { ...places, ...frame.places }) }));
}

function render({ model, el }) {
  const film = model.get("film"), said = film.controls;
  const reels = film.reels.map(reel => ({ ...reel, frames: folded(reel.frames) }));
  let reel = null, step = 0, timer = null, shown = {}, image = null;

  const first = button([icon("first")], said.first, () => go(0));
  const previous = button([icon("previous")], said.previous, () => go(step - 1));
  const play = button([], said.playKey, toggle, "play");
  const next = button([icon("next")], said.next, () => go(step + 1));
  const final = button([icon("last")], said.last, () => go(last()));
  const scrub = html("input", { type: "range", min: 0, step: 1, attributes: { "aria-label": said.step } });
  const count = html("span", { className: "count" });
  const bar = html("div", { className: "bar" }, first, previous, play, next, final, scrub, count);
  const tabs = reels.map((each, index) => html("button", {
    type: "button", textContent: each.name, title: `${each.title} (${index + 1})`, onclick: () => take(index), attributes: { role: "radio" },
  }));
  const choice = html("div", { className: "reels", hidden: reels.length < 2, attributes: { role: "radiogroup", "aria-label": film.choice } }, ...tabs);
  const status = html("p", { className: "status", attributes: { role: "status", "aria-live": "polite" } });
  const stage = html("div", { className: "stage", tabIndex: 0, attributes: { role: "group", "aria-label": film.title } });
  const keys = html("p", { className: "keys", textContent: film.keys });
  const root = html("div", { className: "root" }, choice, bar, status, stage, keys);
  const shadow = el.shadowRoot || el.attachShadow({ mode: "open" });
  shadow.replaceChildren(html("style", { textContent: STYLE }), root);
  el.setAttribute("data-lm-suppress-shortcuts", "true"); // else JupyterLab takes the arrow keys for its cells

  const last = () => reels[reel].frames.length - 1;

  function go(wanted) {
    step = Math.min(Math.max(wanted, 0), last());
    model.set("step", step); // other views of this model follow; the kernel is not asked
    refresh();
  }

  function take(wanted) {
    if (!reels[wanted]) return;
    stop();
    mount(wanted);
    model.set("reel", wanted);
    go(0);
  }

  function mount(wanted) {
    reel = wanted;
    shown = {};
    stage.replaceChildren(...parsed(reels[reel].shell));
    image = stage.querySelector("svg");
    image.style.maxWidth = `max(100%, ${Math.round(image.getAttribute("width") * LEAST)}px)`;
    tabs.forEach((tab, index) => {
      tab.setAttribute("aria-checked", index === reel);
      tab.tabIndex = index === reel ? 0 : -1;
    });
    bar.hidden = last() === 0;
    scrub.max = last();
  }

  function refresh() {
    const frame = reels[reel].frames[step];
    for (const [place, markup] of Object.entries(frame.places)) {
      if (shown[place] !== markup) stage.querySelector(`[data-place="${place}"]`).replaceChildren(...parsed(markup));
    }
    shown = frame.places;
    image.setAttribute("aria-label", frame.alternative || frame.sentence);
    scrub.value = step;
    scrub.setAttribute("aria-valuetext", frame.sentence);
    count.textContent = frame.count || `${step} / ${last()}`;
    if (status.textContent !== frame.sentence) status.textContent = frame.sentence;
    status.classList.toggle("wrong", frame.wrong);
    first.disabled = previous.disabled = step === 0;
    next.disabled = final.disabled = step === last();
    if (step === last() || !timer) stop();
    const box = stage.querySelector("[data-active]")?.getBoundingClientRect(), room = stage.getBoundingClientRect();
    if (box && box.top < room.top) stage.scrollTop += box.top - room.top - 30;
    else if (box && box.bottom > room.bottom) stage.scrollTop += box.bottom - room.bottom + 30;
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    playing("next", "play");
  }

  function playing(face, word) {
    play.replaceChildren(icon(face), ` ${said[word]}`);
    play.title = said[`${word}Key`];
    play.setAttribute("aria-label", play.title);
  }

  function toggle() {
    if (timer) return stop();
    if (!last()) return;
    timer = setInterval(() => go(step + 1), PLAY_MS);
    playing("pause", "pause");
    go(step === last() ? 0 : step + 1); // from the start again, else on at once
  }

  function turn(by) {
    take((reel + by + reels.length) % reels.length);
    if (shadow.activeElement?.getAttribute("role") === "radio") tabs[reel].focus();
  }

  const pressed = {
    ArrowLeft: () => go(step - 1), ArrowRight: () => go(step + 1), Home: () => go(0), End: () => go(last()), " ": toggle,
    ArrowUp: () => turn(-1), ArrowDown: () => turn(1),
  };
  reels.forEach((_, index) => { if (index < 9) pressed[index + 1] = () => take(index); });
  root.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    const native = { BUTTON: [" ", "Enter"], INPUT: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"] };
    const inReels = event.target.getAttribute("role") === "radio";
    if (native[event.target.tagName]?.includes(event.key) || !pressed[event.key]) return;
    event.preventDefault();
    if (inReels && event.key.startsWith("Arrow")) turn(["ArrowLeft", "ArrowUp"].includes(event.key) ? -1 : 1);
    else pressed[event.key](event);
  });
  scrub.addEventListener("input", () => go(Number(scrub.value)));

  const moved = () => {
    if (model.get("reel") !== reel) mount(model.get("reel"));
    else if (model.get("step") === step) return;
    step = Math.min(model.get("step"), last());
    refresh();
  };
  model.on("change:step", moved);
  model.on("change:reel", moved);
  root.lang = film.lang;
  const forgetTheme = followTheme(root, film.palette);
  mount(model.get("reel"));
  step = Math.min(model.get("step"), last());
  refresh();

  return () => {
    stop();
    forgetTheme();
    model.off("change:step", moved);
    model.off("change:reel", moved);
  };
}

export default { render };
