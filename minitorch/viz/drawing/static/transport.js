// The controls of what goes step by step, and its playing.

import { button, html, label, svg } from "./theme.js";

const ICONS = {
  first: "M2 1v10M10 1L4 6l6 5z", previous: "M9 1L3 6l6 5z", next: "M3 1l6 5-6 5z", last: "M10 1v10M2 1l6 5-6 5z", pause: "M3 1v10M9 1v10",
};
const icon = name => svg("svg", { viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": true }, svg("path", { d: ICONS[name] }));

export class Transport {
  /** said: the words of the controls. pace: milliseconds from one step to the next while it plays. go: what goes to a
      step; forth, back: to the one after and the one before, where these are not the next numbers. */
  constructor(said, pace, go, forth = () => go(this.step + 1), back = () => go(this.step - 1)) {
    Object.assign(this, { said, pace, go, forth, timer: null, step: 0, last: 0 });
    const end = () => go(this.last), toggle = () => this.toggle();
    this.first = button(icon("first"), said.first, () => go(0));
    this.previous = button(icon("previous"), said.previous, back);
    this.play = button([], "", toggle, "play");
    this.next = button(icon("next"), said.next, forth);
    this.final = button(icon("last"), said.last, end);
    this.scrub = label(html("input", { type: "range", min: 0, oninput: () => go(Number(this.scrub.value)) }), said.step);
    this.count = html("span", { className: "count" });
    this.buttons = [this.first, this.previous, this.play, this.next, this.final];
    this.keys = { ArrowLeft: back, ArrowRight: forth, Home: () => go(0), End: end, " ": toggle };
  }

  /** Where it is, of how many steps, and what is said there. furthest: the last step that may be gone to now. */
  show(step, last, sentence, furthest = last, count = `${step} / ${last}`) {
    Object.assign(this, { step, last });
    Object.assign(this.scrub, { max: last, value: step });
    this.scrub.setAttribute("aria-valuetext", sentence);
    this.count.textContent = count;
    this.first.disabled = this.previous.disabled = step === 0;
    this.next.disabled = step === last;
    this.final.disabled = step === furthest;
    if (this.final.disabled || !this.timer) this.stop();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.offers("next", "play");
  }

  /** What the button in the middle does. */
  offers(face, word) {
    this.play.replaceChildren(icon(face), ` ${this.said[word]}`);
    this.play.title = this.said[`${word}Key`];
    label(this.play, this.play.title);
  }

  toggle() {
    if (this.timer) return this.stop();
    if (!this.last) return;
    this.run();
    this.offers("pause", "pause");
    if (this.step === this.last) this.go(0); // from the start again, else on at once
    else this.forth();
  }

  run() {
    clearInterval(this.timer);
    this.timer = setInterval(this.forth, this.pace);
  }

  /** Another pace, from now on. */
  paced(pace) {
    this.pace = pace;
    if (this.timer) this.run();
  }
}
