// Arithmetic of scalar graphs in float64: results, slopes, the gradient of every node, as facts/calculating.py has them in
// Python; the finite difference of a leaf; numbers as they are written. Nothing of the page.

const { LN2, LN10, abs, cos, cosh, log, sin, sinh, sqrt } = Math;

const one = () => 1;
const power = (a, n) => (a === 1 || (a === -1 && abs(n) === Infinity) ? 1 : a ** n); // as C and IEEE 754 have it
const lost = (a, b) => (a > b ? 0 : 0.5) + (a >= b ? 0 : 0.5); // of the smaller: half where they are equal

function sigmoid(a) {
  const tail = Math.exp(-abs(a)); // of -|a|, so that it never overflows
  return a >= 0 ? 1 / (1 + tail) : tail / (1 + tail);
}

/** name → the result of a, or of a and b; then the slope towards each, of the result and these. */
export const OPERATIONS = {
  add: [(a, b) => a + b, one, one],
  sub: [(a, b) => a - b, one, () => -1],
  mul: [(a, b) => a * b, (out, a, b) => b, (out, a) => a],
  div: [(a, b) => a / b, (out, a, b) => 1 / b, (out, a, b) => -out / b],
  pow: [power, (out, a, n) => (n === 0 ? 0 : n * power(a, n - 1)), (out, a, n) => (a === 0 && n >= 0 ? 0 : out * log(a))],
  maximum: [Math.max, (out, a, b) => lost(b, a), (out, a, b) => lost(a, b)],
  minimum: [Math.min, (out, a, b) => lost(a, b), (out, a, b) => lost(b, a)],
  leaky_relu: [(a, slope) => (a > 0 ? a : a * slope), (out, a, slope) => (a > 0 ? 1 : slope), (out, a) => (a > 0 ? 0 : a)],
  positive: [a => a, one],
  neg: [a => -a, () => -1],
  square: [a => a * a, (out, a) => 2 * a],
  reciprocal: [a => 1 / a, out => -(out * out)],
  sqrt: [sqrt, out => 1 / (2 * out)],
  rsqrt: [a => 1 / sqrt(a), out => -0.5 * out * out * out],
  abs: [abs, (out, a) => (a > 0) - (a < 0)],
  relu: [a => (a <= 0 ? 0 : a), (out, a) => (a <= 0 ? 0 : 1)],
  exp: [Math.exp, out => out],
  exp2: [a => 2 ** a, out => out * LN2],
  expm1: [Math.expm1, out => out + 1],
  log: [log, (out, a) => 1 / a],
  log2: [Math.log2, (out, a) => 1 / (a * LN2)],
  log10: [Math.log10, (out, a) => 1 / (a * LN10)],
  log1p: [Math.log1p, (out, a) => 1 / (a + 1)],
  sigmoid: [sigmoid, out => out * (1 - out)],
  tanh: [Math.tanh, out => 1 - out * out],
  sinh: [sinh, (out, a) => cosh(a)],
  cosh: [cosh, (out, a) => sinh(a)],
  asinh: [Math.asinh, (out, a) => 1 / sqrt(a * a + 1)],
  acosh: [Math.acosh, (out, a) => 1 / sqrt(a * a - 1)],
  atanh: [Math.atanh, (out, a) => 1 / (1 - a * a)],
  sin: [sin, (out, a) => cos(a)],
  cos: [cos, (out, a) => -sin(a)],
  tan: [Math.tan, out => 1 + out * out],
  asin: [Math.asin, (out, a) => 1 / sqrt(1 - a * a)],
  acos: [Math.acos, (out, a) => -1 / sqrt(1 - a * a)],
  atan: [Math.atan, (out, a) => 1 / (a * a + 1)],
};

/** start + Σ a · b of the numbers start, a, b, a, b, … */
function dot(numbers) {
  let total = numbers[0];
  for (let at = 1; at < numbers.length; at += 2) total += numbers[at] * numbers[at + 1];
  return total;
}

const result = (op, given) => (op === "dot" ? dot(given) : OPERATIONS[op][0](...given));

function slopes(op, given, out) {
  if (op === "dot") return given.map((_, at) => (at ? given[at % 2 ? at + 1 : at - 1] : 1));
  return given.map((_, at) => OPERATIONS[op][at + 1](out, ...given));
}

/** rules: for each node null, or [operation, places of its operands]; places beyond the nodes are numbers without one. */
export class Calculation {
  constructor({ rules, root }) {
    this.rules = rules;
    this.root = root;
  }

  given(node, numbers) {
    return this.rules[node][1].map(place => numbers[place]);
  }

  /** All numbers, made of those that no rule makes. */
  forward(start) {
    const numbers = [...start];
    this.rules.forEach((rule, node) => {
      if (rule) numbers[node] = result(rule[0], this.given(node, numbers));
    });
    return numbers;
  }

  /** The same with another number at one place. */
  moved(numbers, place, value) {
    return this.forward(numbers.map((each, at) => (at === place ? value : each)));
  }

  /** gradients: d(root)/d(number) of each; local: the slope along each edge, node by node, operand by operand. */
  backward(numbers) {
    const { rules, root } = this, gradients = numbers.map(() => 0), reached = numbers.map(() => false), local = [];
    const found = rules.map((rule, node) => (rule ? slopes(rule[0], this.given(node, numbers), numbers[node]) : []));
    found.forEach((each, node) => each.forEach((slope, at) => rules[node][1][at] < rules.length && local.push(slope)));
    gradients[root] = 1;
    reached[root] = true;
    for (let node = rules.length - 1; node >= 0; node -= 1) {
      if (!reached[node]) continue;
      found[node].forEach((slope, at) => {
        const place = rules[node][1][at], comes = slope * gradients[node];
        gradients[place] = reached[place] ? gradients[place] + comes : comes; // the first one sets: -0 stays -0
        reached[place] = true;
      });
    }
    return { gradients, local, slopes: found };
  }

  /** (f(x + h) − f(x − h)) / 2h of the leaf x, and all numbers at both places. */
  difference(numbers, leaf, h) {
    const x = numbers[leaf], above = this.moved(numbers, leaf, x + h), below = this.moved(numbers, leaf, x - h);
    return { above, below, found: (above[this.root] - below[this.root]) / (2 * h) };
  }

  /** The first node that is no finite number although all that it gets are; null where there is none. */
  broken(numbers) {
    const at = this.rules.findIndex((rule, node) => rule && !isFinite(numbers[node]) && this.given(node, numbers).every(isFinite));
    return at < 0 ? null : at;
  }
}

/** A number with so many digits, as Python rounds it: of two that are as near the one whose last digit is even. */
function rounded(value, most) {
  let [digits, ten] = value.toExponential(most - 1).split("e");
  const more = value.toExponential(most), end = more.indexOf("e"); // one digit more: a 5, where it may be half way
  if (more[end - 1] === "5" && digits.at(-1) % 2 && /^0*e/.test(value.toExponential(25).slice(end))) digits = more.slice(0, end - 1);
  return ten < -4 || ten >= most ? `${Number(digits)}e${Number(ten)}` : String(Number(`${digits}e${ten}`));
}

function typeset(value, most) {
  if (isNaN(value)) return "nan";
  if (!isFinite(value)) return value > 0 ? "inf" : "−inf";
  return rounded(value || 0, most).replaceAll("-", "−");
}

/** A number as words.number has it: three digits, whole ones below 100,000 as they are. */
export const written = value => typeset(value, Number.isInteger(value) && abs(value) < 100000 ? 5 : 3);

/** The same with up to ten digits. */
export const exact = value => typeset(value, 10);
