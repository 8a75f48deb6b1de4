// Light that carries numbers along edges, from an operation to its operands. Nothing but transforms and opacity changes
// on the way, so that nothing is laid out; where the reader wants no motion there is none.

import { svg } from "./theme.js";

const POINTS = 32; // of a way
const LANDS = 0.72; // of the time: then the number has arrived, and says whether it sets or adds

/** Whether something may move now. */
export const moves = () => !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Lights {
  constructor() {
    this.layer = svg("g", { "aria-hidden": true });
    this.landing = null;
  }

  /** Sends a light along each way, from its end to its beginning and on to `to`; `landed` is called when all are there.
      ways: {path, said, to}; said begins with = or +=, where a number comes. */
  send(ways, time, landed) {
    this.finish();
    const running = ways.map(way => this.light(way, time));
    this.landing = () => {
      this.landing = null;
      for (const each of running) each.cancel();
      this.layer.replaceChildren();
      landed();
    };
    running[0].onfinish = () => this.finish();
  }

  /** All are there, now. */
  finish() {
    this.landing?.();
  }

  light({ path, said, to }, time) {
    const length = path.getTotalLength(), number = said.replace(/^\+?= ?/, "");
    const points = Array.from({ length: POINTS + 1 }, (_, at) => path.getPointAtLength(length * (1 - at / POINTS)));
    const way = points.map(({ x, y }, at) => ({ transform: `translate(${x}px, ${y}px)`, offset: (LANDS - 0.08) * at / POINTS }));
    const there = `translate(${to.x}px, ${to.y}px)`, half = Math.max(said.length * 3.4 - 6, 1);
    const pill = `M${-half} 0h${2 * half}`, plain = svg("text", { y: 4 }, number), whole = svg("text", { y: 4 }, said);
    this.layer.append(svg("g", { class: "light" }, svg("path", { d: pill }), svg("path", { d: pill }), plain, whole));
    const fade = (text, frames) => text.animate(frames, { duration: time, fill: "both" });
    fade(plain, [{ opacity: 1, offset: 0 }, { opacity: 1, offset: LANDS - 0.08 }, { opacity: 0, offset: LANDS }, { opacity: 0, offset: 1 }]);
    fade(whole, [{ opacity: 0, offset: 0 }, { opacity: 0, offset: LANDS - 0.08 }, { opacity: 1, offset: LANDS }, { opacity: 1, offset: 1 }]);
    return this.layer.lastChild.animate([...way, { transform: there, offset: LANDS }, { transform: there, offset: 1 }], { duration: time, fill: "both" });
  }
}
