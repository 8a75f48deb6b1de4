// What a gradient and a finite difference have to do with each other: whether they agree, and if not, why. In words.

import { filled } from "./frame.js";
import { written } from "./arithmetic.js";

const KINKS = { relu: a => a, leaky_relu: (a, slope) => (slope === 1 ? 1 : a), abs: a => a, maximum: (a, b) => a - b, minimum: (a, b) => a - b }; // where this is 0
const DIVISORS = { div: (a, b) => b, reciprocal: a => a, rsqrt: a => a, pow: (a, n) => (n < 0 ? a : 1) };

/** Why an operation is no finite number: the key of a sentence. */
function why(op, [a, b], out) {
  if (/^log/.test(op) && op !== "log1p") return "log";
  if (/sqrt/.test(op) && a < 0) return "sqrt";
  if (op === "pow" && a === 0 && b < 0) return "zero";
  if (DIVISORS[op]?.(a, b) === 0) return "div";
  if (op === "pow" && a < 0 && !Number.isInteger(b)) return "pow";
  return isNaN(out) ? "undefined" : "large";
}

/** The first node that has gone through one of its critical places from some numbers to others; -1 where none has. */
const crossing = (calculation, from, to, table) => calculation.rules.findIndex((rule, node) => {
  if (!rule || !table[rule[0]]) return false;
  const [before, after] = [from, to].map(all => Math.sign(table[rule[0]](...calculation.given(node, all))));
  return before !== after && before * after <= 0;
});

/** Why the gradient did not say what a change would do: a kink or a pole on the way, in words; "" for neither. */
export function crossed(calculation, from, to, nodes, said) {
  for (const [key, table] of [["crossed_pole", DIVISORS], ["crossed_kink", KINKS]]) {
    const node = crossing(calculation, from, to, table);
    if (node >= 0) return filled(said[key], { name: nodes[node].title, made: nodes[node].made });
  }
  return "";
}

/** What the gradient and the finite difference of a leaf have to do with each other: the key of a sentence, and what is in it. */
export function verdict(calculation, numbers, { gradients, slopes: steep }, leaf, h) {
  const { rules, root } = calculation, x = numbers[leaf];
  const gradient = gradients[leaf];
  const { above, below, found } = calculation.difference(numbers, leaf, h), off = Math.abs(found - gradient);
  const told = (key, node, more) => ({ key, node, found, gradient, above, below, off, ...more });
  for (const [place, all] of Object.entries({ here: numbers, above, below })) {
    const node = calculation.broken(all);
    if (node !== null) return told(why(rules[node][0], calculation.given(node, all), all[node]), node, { place, all });
  }
  const wall = steep.findIndex(each => !each.every(isFinite));
  if (wall >= 0 && !isFinite(gradient)) return told("steep", wall, { place: "here", all: numbers, slope: steep[wall].find(each => !isFinite(each)) });
  if (off === 0) return told("equal");
  const digits = Math.floor(-Math.log10(off / Math.max(Math.abs(found), Math.abs(gradient))));
  if (digits >= 3) return told("agree", undefined, { digits });
  if (x + h === x && x - h === x) return told("still");
  const pole = crossing(calculation, below, above, DIVISORS);
  if (pole >= 0) return told("pole", pole);
  const kink = crossing(calculation, below, above, KINKS);
  if (kink >= 0) {
    const [left, right] = [below, above].map(all => calculation.backward(all).gradients[leaf]);
    const exactly = KINKS[rules[kink][0]](...calculation.given(kink, numbers)) === 0;
    return told("kink", kink, { left, right, rule: exactly && rules[kink][0] });
  }
  const [finer, coarser] = [h / 10, h * 10].map(each => Math.abs(calculation.difference(numbers, leaf, each).found - gradient));
  return told(finer < off / 3 ? "coarse" : coarser < off || finer > off ? "fine" : "differ");
}

/** The same as a sentence. nodes: what is said of each; said: the sentences, by key. */
export function reason({ key, node, place, all, rule, slope, digits, off, left, right }, { rules, root }, nodes, said) {
  const fields = { root: nodes[root].title, digits, off: written(off), left: written(left), right: written(right) };
  if (node !== undefined) {
    const [op, places] = rules[node], { title, made } = nodes[node];
    Object.assign(fields, { name: title, made, op, value: written(slope ?? all?.[node]), operand: written(all?.[places[0]]) });
  }
  const what = filled(said[key], fields);
  if (rule) return `${what} ${said[`rule_${rule}`] || said.rule_tie}`;
  return place ? filled(said[place], { what }) : what;
}
