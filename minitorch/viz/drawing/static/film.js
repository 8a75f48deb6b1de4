// The player of pictures that were drawn ahead, step by step. The trait `film` holds one or several reels: a drawing
// with places to fill, and for each step what stands in which place. `reel` and `step` are where it stands.

import { html } from "./theme.js";
import { FRAME, answer, mounted, telling } from "./frame.js";
import { CHOICE, Choice } from "./choice.js";
import { DRAWN, parsed } from "./drawn.js";
import { Transport } from "./transport.js";

const PLAY_MS = 1200;
const NEAR = 20; // pixels between what happens and the edge of the stage
const MOST = 0.7; // of the stage, that what stays in sight may cover
const LEAST = 11 / 12; // of its size that a drawing of 12 px letters may shrink to; below it the stage scrolls

const STYLE = FRAME + DRAWN + CHOICE + `
.count { min-width: 6em; }
.status { min-height: 2.9em; }
.status.wrong { box-shadow: inset 5px 0 var(--back); }
.stage { max-height: 640px; }
`;

/** How far to scroll until a stretch lies in a room; if it is too long, where it starts. */
function beyond(from, to, least, most) {
  return from < least ? from - least : Math.max(0, Math.min(to - most, from - least));
}

/** What stands in each place at each step: a step says only what changes. */
function folded(frames) {
  let places = {};
  return frames.map(frame => ({ ...frame, places: (places = { ...places, ...frame.places }) }));
}

function render({ model, el }) {
  const film = model.get("film"), reels = film.reels.map(reel => ({ ...reel, frames: folded(reel.frames) }));
  let reel = null, step = 0, shown = {}, image = null, pinned = null;

  const controls = new Transport(film.controls, PLAY_MS, go), choice = new Choice(reels, film.choice, take);
  const bar = html("div", { className: "bar" }, ...controls.buttons, controls.scrub, controls.count);
  const status = telling();
  const stage = html("div", { className: "stage", tabIndex: 0, attributes: { role: "group", "aria-label": film.title } });
  const keys = html("p", { className: "keys", textContent: film.keys });
  const root = html("div", { className: "root" }, choice.element, bar, status, stage, keys);

  const last = () => reels[reel].frames.length - 1;

  function go(wanted) {
    step = Math.min(Math.max(wanted, 0), last());
    model.set("step", step); // other views of this model follow; the kernel is not asked
    refresh();
  }

  function take(wanted) {
    controls.stop();
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
    pinned = image.querySelector("[data-pinned]");
    pin();
    choice.show(reel);
    bar.hidden = last() === 0;
  }

  function refresh() {
    const frame = reels[reel].frames[step], changed = [];
    for (const [place, markup] of Object.entries(frame.places)) {
      if (shown[place] === markup) continue;
      const there = stage.querySelector(`[data-place="${place}"]`);
      there.replaceChildren(...parsed(markup));
      if (place in shown) changed.push(there);
    }
    shown = frame.places;
    image.setAttribute("aria-label", frame.alternative || frame.sentence);
    controls.show(step, last(), frame.sentence, last(), frame.count || undefined);
    if (status.textContent !== frame.sentence) status.textContent = frame.sentence;
    status.classList.toggle("wrong", frame.wrong);
    follow(changed);
    pin();
  }

  /** Scrolls to what happens: what is marked, then as much of what has changed as there is room for. */
  function follow(changed) {
    if (!step) return stage.scrollTo(0, 0);
    const room = stage.getBoundingClientRect(), edge = pinned ? pinned.firstChild.getBoundingClientRect().left : room.right;
    let seen = null;
    for (const part of [...stage.querySelectorAll("[data-active]"), ...changed]) {
      const { left, top, right, bottom } = part.getBoundingClientRect();
      if (left === right || pinned?.contains(part)) continue;
      const both = seen ? [Math.min(seen[0], left), Math.min(seen[1], top), Math.max(seen[2], right), Math.max(seen[3], bottom)]
        : [left, top, right, bottom];
      if (!seen || (both[2] - both[0] < edge - room.left - 2 * NEAR && both[3] - both[1] < room.height - 2 * NEAR)) seen = both;
    }
    if (!seen) return;
    stage.scrollLeft += beyond(seen[0] - NEAR, seen[2] + NEAR, room.left, edge);
    stage.scrollTop += beyond(seen[1] - NEAR, seen[3] + NEAR, room.top, room.bottom);
  }

  /** What stands on the right of a wide drawing stays in sight while that is scrolled, where it leaves room for it. */
  function pin() {
    if (!pinned) return;
    const { x, width, height } = pinned.firstChild.getBBox(), drawn = image.viewBox.baseVal;
    const zoom = image.getBoundingClientRect().width / drawn.width, wide = stage.clientWidth / zoom, tall = stage.clientHeight / zoom;
    const across = width < MOST * wide ? Math.min(0, stage.scrollLeft / zoom + wide - x - width) : 0;
    const down = height <= tall ? Math.min(stage.scrollTop / zoom, drawn.height - height) : 0;
    pinned.setAttribute("transform", `translate(${across} ${down})`);
  }

  stage.addEventListener("scroll", pin);
  const resized = new ResizeObserver(pin);
  resized.observe(stage);

  answer(root, { ...choice.keys, ...controls.keys, ArrowUp: () => choice.turn(-1), ArrowDown: () => choice.turn(1) });

  const moved = () => {
    if (model.get("reel") !== reel) mount(model.get("reel"));
    else if (model.get("step") === step) return;
    step = Math.min(model.get("step"), last());
    refresh();
  };
  const leave = mounted({ model, el }, root, STYLE, film, { step: moved, reel: moved });
  moved();

  return () => {
    controls.stop();
    resized.disconnect();
    leave();
  };
}

export default { render };
