// A result against one number: the curve, the gradient as its tangent, and the line whose slope is the finite difference.

import { html, svg } from "./theme.js";
import { filled } from "./frame.js";
import { written } from "./arithmetic.js";

const ACROSS = 264, DOWN = 130, RIM = 6, SAMPLES = 80; // pixels, and stretches of the curve

export class Plot {
  constructor(calculation, said) {
    this.calculation = calculation;
    this.said = said;
    this.parts = ["curve", "secant", "tangent"].map(each => svg("path", { class: each }));
    this.ends = [0, 0].map(() => svg("rect", { width: 6, height: 6, class: "end" }));
    this.here = svg("circle", { r: 5, class: "here" });
    this.name = svg("text", { x: 4, y: 14, class: "axis" });
    this.picture = svg("svg", { viewBox: `0 0 ${ACROSS} ${DOWN}`, role: "img", class: "plot" }, ...this.parts, ...this.ends, this.here, this.name);
    const sample = (kind, text) => html("span", {}, svg("svg", { viewBox: "0 0 24 8", width: 24, height: 8, "aria-hidden": true }, svg("path", { class: kind, d: "M0 4h24" })), ` ${text}`);
    this.legend = html("p", { className: "legend" }, sample("tangent", said.tangent), sample("secant", said.difference));
  }

  /** The curve is computed anew only where another number than the leaf's, or the stretch, has changed. */
  curve(numbers, leaf, { low, high }) {
    const { rules, root } = this.calculation;
    const key = [leaf, low, high, ...numbers.filter((_, place) => place !== leaf && !rules[place])].join();
    if (key === this.key) return;
    this.key = key;
    const xs = Array.from({ length: SAMPLES + 1 }, (_, at) => low + (high - low) * at / SAMPLES);
    this.points = xs.map(x => [x, this.calculation.moved(numbers, leaf, x)[root]]);
    const ys = this.points.map(each => each[1]).filter(isFinite).sort((a, b) => a - b);
    const [bottom, top] = [0.04, 0.96].map(part => ys[Math.round(part * (ys.length - 1))] ?? 0); // a pole is cut
    const spare = (top - bottom) * 0.15 || Math.abs(top) || 1;
    this.scale = { low, high, bottom: bottom - spare, top: top + spare };
  }

  at(x, y) {
    const { low, high, bottom, top } = this.scale, far = 4 * DOWN;
    const down = RIM + (DOWN - 2 * RIM) * (top - y) / (top - bottom);
    return [RIM + (ACROSS - 2 * RIM) * (x - low) / (high - low), Math.max(-far, Math.min(far, down))].map(each => Number(each.toFixed(1)));
  }

  /** A line through a point, from edge to edge. */
  line(x, y, slope) {
    const { low, high } = this.scale;
    return isFinite(y) && isFinite(slope) ? `M${this.at(low, y + slope * (low - x))}L${this.at(high, y + slope * (high - x))}` : "";
  }

  /** range: the low and the high end. gradient: undefined for a constant, which has none. */
  show(numbers, leaf, h, range, { gradient, found, above, below }, names) {
    this.curve(numbers, leaf, range);
    const { root } = this.calculation, x = numbers[leaf], y = numbers[root];
    let pen = "M";
    const drawn = this.points.map(([at, value]) => {
      const text = isFinite(value) ? pen + this.at(at, value) : "";
      pen = text ? "L" : "M";
      return text;
    });
    const middle = (above[root] + below[root]) / 2;
    [drawn.join(""), this.line(x, middle, found), this.line(x, y, gradient)].forEach((d, place) => this.parts[place].setAttribute("d", d));
    [[x - h, below[root]], [x + h, above[root]]].forEach(([at, value], place) => this.put(this.ends[place], "x", at, value, 3));
    this.put(this.here, "cx", x, y, 0);
    this.name.textContent = `${names.root}(${names.name})`;
    this.legend.firstChild.hidden = gradient === undefined;
    const told = { root: names.root, name: names.title, low: written(range.low), high: written(range.high), gradient: gradient === undefined ? "" : written(gradient), found: written(found) };
    this.picture.setAttribute("aria-label", filled(gradient === undefined ? this.said.plot_constant : this.said.plot, told));
  }

  put(mark, name, x, y, half) {
    mark.style.display = isFinite(y) ? "" : "none";
    if (!isFinite(y)) return;
    const [across, down] = this.at(x, y);
    mark.setAttribute(name, across - half);
    mark.setAttribute(name.replace("x", "y"), down - half);
  }
}
