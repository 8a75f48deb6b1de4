// One number out of several, which is chosen, typed, slid and stepped.

import { html, label } from "./theme.js";
import { filled } from "./frame.js";
import { written } from "./arithmetic.js";

const SPAN = 40; // units to either side on the slider

/** A choice of things. pairs: [value, text]. */
export function choice(name, pairs) {
  const made = label(html("select", { title: name }), name);
  made.append(...pairs.map(([value, textContent]) => html("option", { value, textContent })));
  return made;
}

/** Without the dust of binary arithmetic: 0.3, not 0.30000000000000004. */
const clean = value => Number(value.toPrecision(12));

export class Knob {
  /** names: of the places that can be chosen; start: all numbers. set(value), choose(place): what is done with either. */
  constructor(names, start, said, { set, choose }) {
    this.start = start;
    this.said = said;
    this.names = names;
    this.which = choice(said.leaf, [...names]);
    this.number = html("input", { type: "number", step: "any" });
    this.slider = html("input", { type: "range" });
    this.which.addEventListener("change", () => choose(Number(this.which.value)));
    this.number.addEventListener("input", () => this.number.value && set(Number(this.number.value)));
    this.slider.addEventListener("input", () => set(clean(Number(this.slider.value))));
  }

  /** How far one press of a key goes. */
  get unit() {
    const value = this.start[this.place];
    return 10 ** (value && isFinite(value) ? Math.floor(Math.log10(Math.abs(value))) - 1 : -1);
  }

  stepped(value, units) {
    return clean(value + units * this.unit);
  }

  choose(place) {
    this.place = place;
    this.which.value = place;
    const name = this.names.get(place);
    label(this.number, filled(this.said.number, { name }));
    label(this.slider, filled(this.said.slider, { name }));
  }

  show(value) {
    const start = this.start[this.place], { unit } = this, span = SPAN * Math.max(unit, 0.1);
    this.range = { low: Math.min(start - span, value), high: Math.max(start + span, value) };
    Object.assign(this.slider, { min: this.range.low, max: this.range.high, step: unit, value });
    this.slider.setAttribute("aria-valuetext", written(value));
    if (!this.number.matches(":focus") || Number(this.number.value) !== value) this.number.value = value;
  }
}
