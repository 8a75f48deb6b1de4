// The stepper of a pass that is predicted: each number is asked before it is shown, and a wrong one is answered by the
// mistake that makes it. The trait `scene` has the questions with all their answers (viz/drawing/predicting.py).

import { button, html } from "./theme.js";
import { filled } from "./frame.js";
import { stepper } from "./stepper.js";

const TRIES = 2; // wrong ones, until the answer may be had

/** The number that is typed: 0.5, 0,5, −2, 1/3, 2*3, 1e-3; NaN for anything else. */
function numberOf(typed) {
  const parts = typed.replace(/^\s*\+?=/, "").replace(/[−–]/g, "-").replace(/,/g, ".").split(/([*×·/÷:])/).map(each => each.trim());
  const values = parts.filter((_, at) => at % 2 === 0).map(each => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(each) ? Number(each) : NaN));
  return values.slice(1).reduce((product, each, at) => ("*×·".includes(parts[2 * at + 1]) ? product * each : product / each), values[0]);
}

/** The shape that is typed, as Python writes it; "" for what is none. */
function shapeOf(typed) {
  const inside = typed.trim().replace(/^[([]|[)\]]$/g, "").trim().replace(/,$/, "");
  if (!inside) return /^[([] *[)\]]$/.test(typed.trim()) ? "()" : "";
  const sizes = inside.split(/ *[,x×] *| +/);
  if (!sizes.every(each => /^\d+$/.test(each))) return "";
  return sizes.length === 1 ? `(${Number(sizes[0])},)` : `(${sizes.map(Number).join(", ")})`;
}

const LOOK = `
.predict { padding: 8px 12px 6px; border-bottom: 1px solid var(--line); background: var(--card); }
.predict[hidden], .predict [hidden] { display: none; }
.predict p { margin: 0; } .question { font-weight: 700; } .reply { min-height: 1.45em; }
.predict .row { display: flex; gap: 6px; margin: 6px 0; min-height: 28px; flex-wrap: wrap; }
.predict input { font: inherit; font-size: 15px; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; height: 28px; box-sizing: border-box; padding: 0 8px; width: 9em; }
.toggle[aria-pressed=true] { border: 2px solid var(--ink); font-weight: 700; }
.edge.asked path { stroke: var(--back); stroke-width: 4; stroke-dasharray: 2 5; stroke-linecap: round; } .edge.asked text { fill: var(--on-back); font-weight: 700; font-size: 14px; }
`;

/** The panel below the bar, and how far the reader may go. around: pass and stage of a stepper, go, and at, its step. */
class Predictions {
  constructor(around, start) {
    Object.assign(this, around.pass.scene.predict, around);
    this.style = LOOK;
    this.start = start;
    this.on = true;
    const { words } = this;
    this.line = html("p", { className: "question", id: "question", attributes: { "aria-live": "polite" } });
    this.field = html("input", { type: "text", autocomplete: "off", spellcheck: false, attributes: { "aria-label": words.answer, "aria-describedby": "question" } });
    this.check = button(words.check, words.checkKey, () => this.answer());
    this.help = button(words.show, words.show, () => this.give());
    this.onward = button(words.go, words.go, () => (this.go(this.limit()), this.focus()));
    this.anew = button(words.again, words.again, () => this.again());
    this.said = html("p", { className: "reply", attributes: { "aria-live": "polite" } });
    const row = html("div", { className: "row" }, this.field, this.check, this.help, this.onward, this.anew);
    this.form = html("div", { className: "predict" }, this.line, row, this.said); // in a notebook's frame no form can be sent
    this.field.addEventListener("keydown", event => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault(); // else it would press the button that the keyboard goes to
      this.answer();
    });
    this.field.addEventListener("input", () => (this.began ??= Date.now()));
    this.toggle = button(words.toggle, words.toggleKey, () => this.turn(), "toggle");
    this.reset();
  }

  reset() {
    this.known = this.start; // the last step that has been seen
    this.step = null; // the one that is asked about
    this.first = this.given = this.done = 0;
    this.took = null; // seconds, once nothing is asked any more
    this.began = undefined;
    this.came = new Map(); // heading → how many wrong answers were of that kind
  }

  /** The questions of the next step that something is seen of; none where it is inside a closed group. */
  after(from) {
    const step = this.pass.later(from);
    return this.pass.within[step - 1] === null ? this.questions.filter(each => each.step === step) : [];
  }

  /** The last step that can be gone to: the one before the next question. */
  limit() {
    if (!this.on) return this.pass.last;
    let step = this.known;
    while (step < this.pass.last && !this.after(step).length) step = this.pass.later(step);
    return step;
  }

  get question() {
    const limit = this.limit(), those = limit < this.pass.last ? this.after(limit) : [];
    if (those[0]?.step !== this.step) {
      this.step = those[0]?.step;
      this.part = this.wrong = 0; // of its questions, the one that is next; how many answers to it were wrong
    }
    return those[this.part];
  }

  /** What is asked at a step, or else what came of it all. */
  show(step) {
    if (this.on) this.known = Math.max(this.known, step);
    const limit = this.limit(), pending = this.on ? this.question : null, asked = step === limit ? pending : null;
    this.form.hidden = !this.on;
    this.toggle.setAttribute("aria-pressed", this.on);
    this.field.hidden = this.check.hidden = !asked;
    this.help.hidden = !asked || this.wrong < TRIES;
    this.onward.hidden = !pending || Boolean(asked);
    this.anew.hidden = Boolean(pending) || limit < this.pass.last;
    const line = asked ? asked.ask : pending ? filled(this.words.before, { step: pending.step }) : this.score();
    if (this.line.textContent !== line) this.line.textContent = line;
    this.stage.ask(asked && this.marked(asked));
  }

  /** Where the drawing asks, and what it says there so far. */
  marked({ step, kind, fields }) {
    const { edge, node } = this.pass.events[step - 1], sets = this.pass.changes[node][0] === step, sum = kind === "sum";
    return { edge, node, label: `${sets ? "=" : "+="} ${sum ? fields.part : "?"}`, state: sets || sum ? "grad ?" : "" };
  }

  answer() {
    const asked = this.question, isShape = asked.kind === "shape", { words } = this;
    let typed = this.field.value.trim();
    if (!typed) return;
    const read = isShape ? shapeOf(typed) : numberOf(typed), is = what => (isShape ? what === read : Array.isArray(what) ? what[0] <= read && read <= what[1] : Math.abs(read - what) <= 1e-7 * Math.abs(what));
    typed = isShape ? read || typed : typed.replace(/-/g, "−");
    if (read === "" || Number.isNaN(read)) return this.reply(filled(isShape ? words.unreadShape : words.unread, { typed }));
    if (is(asked.right)) return this.past(true, filled(words.right, { typed }));
    const those = asked.wrong.filter(([made]) => is(made)).slice(0, 2).map(([, name]) => this.why[name]);
    if (!those.length && asked.near && is(asked.near)) return this.reply(filled(words.near, { typed }));
    this.wrong += 1;
    this.help.hidden = this.wrong < TRIES;
    this.field.select();
    if (!those.length) return this.reply(filled(words.not, { typed, hint: asked.hint }));
    const [one, other] = those.map(([why]) => filled(why, asked.fields)), heading = those[0][1];
    this.came.set(heading, 1 + (this.came.get(heading) || 0));
    this.reply(filled(words.why, { typed, why: other ? filled(words.or, { one, other }) : one }));
  }

  reply(said) {
    this.said.textContent = said;
  }

  /** Shows the answer to the question. */
  give() {
    this.given += 1;
    const asked = this.question;
    this.past(false, filled(this.words.given, { answer: asked.fields.right }));
  }

  /** On from a question that is done with: to the next one about this step, or to the step itself. */
  past(found, said) {
    this.reply(said);
    this.first += found && !this.wrong;
    this.done += 1;
    this.wrong = 0;
    this.part += 1;
    this.field.value = "";
    if (this.question) this.go(this.known);
    else {
      const answered = this.step;
      this.known = answered;
      if (this.limit() === this.pass.last) this.ended(said);
      this.go(answered, true);
    }
    this.focus();
  }

  /** Gives the keyboard to what goes on from here. */
  focus() {
    [this.field, this.onward, this.anew].find(each => !each.hidden)?.focus();
  }

  /** From now on nothing is asked; or, from where the reader is, again. */
  turn() {
    this.on = !this.on;
    if (this.on) this.known = this.at();
    this.reply("");
    this.go(this.at());
  }

  again() {
    this.reset();
    this.reply("");
    this.go(this.start);
    this.focus();
  }

  /** Nothing is asked any more. */
  ended(said) {
    this.took = Math.round((Date.now() - (this.began ?? Date.now())) / 1000);
    const came = [...this.came].sort((a, b) => b[1] - a[1]).map(([what, count]) => filled(this.words.count, { what, count }));
    this.reply([said, came.length && filled(this.words.came, { those: came.join("; ") })].filter(Boolean).join(" "));
  }

  score() {
    const { words, first, done, given, took } = this;
    if (took === null) return "";
    const time = filled(took < 60 ? words.seconds : words.minutes, { minutes: Math.floor(took / 60), seconds: took % 60 });
    const parts = [filled(words.score, { first, count: done, time }), given && filled(words.shown, { count: given })];
    return parts.filter(Boolean).join(" ");
  }
}

const render = ({ model, el }) => stepper({ model, el }, (around, start) => new Predictions(around, start));

export default { render };
