// What stands beside the graph: the chosen number, its gradient and its finite difference, whether they agree, and why not.

import { html, label } from "./theme.js";
import { filled, terms } from "./frame.js";
import { exact, written } from "./arithmetic.js";
import { reason, verdict } from "./agreement.js";
import { Plot } from "./plot.js";

/** Those of which something is said. */
const known = rows => terms(rows.filter(([, said]) => said !== undefined));

export class Panel {
  /** constants: by their places, what is known of numbers that want no gradient. */
  constructor(facts, nodes, calculation, start, constants) {
    Object.assign(this, { facts, nodes, calculation, start, constants, said: facts.words });
    this.title = html("h4");
    this.about = html("dl");
    this.answer = html("p", { className: "verdict" });
    this.plot = new Plot(calculation, this.said);
    this.otherTitle = html("h4");
    this.other = html("dl");
    this.details = html("section", { hidden: true }, this.otherTitle, this.other);
    const chosen = html("section", {}, this.title, this.about, this.answer, this.plot.picture, this.plot.legend);
    const notes = facts.notes.map(textContent => html("p", { className: "note", textContent }));
    this.element = label(html("section", { className: "facts", tabIndex: 0 }, ...notes, chosen, this.details), this.said.panel);
  }

  /** picked: a node whose details are shown, too, or null; range: the ends of the slider. */
  show({ numbers, slopes, leaf, h, picked, range }) {
    const { facts, nodes, said, start } = this, { root } = facts;
    const found = verdict(this.calculation, numbers, slopes, leaf, h), constant = this.constants.get(leaf);
    const title = constant?.title ?? nodes[leaf].title, names = { root: nodes[root].title, name: constant?.short ?? title };
    this.title.textContent = `${constant ? filled(said.constant, { name: title }) : title} = ${exact(numbers[leaf])}`;
    this.about.replaceChildren(...known([
      [filled(said.was, { value: exact(start[leaf]) }), numbers[leaf] === start[leaf] ? undefined : ""],
      [filled(said.gradient, names), constant ? said.ungraded : exact(found.gradient)],
      [said.your_gradient, facts.own[leaf]],
      [`${names.root}(${names.name} + h)`, exact(found.above[root])],
      [`${names.root}(${names.name} − h)`, exact(found.below[root])],
      [said.difference, exact(found.found)],
    ]));
    const agree = ["equal", "agree"].includes(found.key) || (constant && !found.place);
    const why = { root: names.root, found: written(found.found) };
    this.answer.textContent = constant && agree ? filled(said.ungraded_why, why) : reason(found, this.calculation, nodes, said);
    this.answer.classList.toggle("other", !agree);
    this.warning = agree ? "" : this.answer.textContent; // what those who listen hear, too
    this.plot.show(numbers, leaf, h, range, constant ? { ...found, gradient: undefined } : found, { ...names, title });
    this.details.hidden = picked === null || picked === leaf || picked >= facts.rules.length;
    if (this.details.hidden) return;
    const { title: other, made } = nodes[picked];
    this.otherTitle.textContent = other;
    this.other.replaceChildren(...known([
      [said.made, facts.rules[picked] ? made : undefined],
      [said.value, exact(numbers[picked])],
      [filled(said.gradient, { ...names, name: other }), exact(slopes.gradients[picked])],
      [said.your_gradient, facts.own[picked]],
    ]));
  }
}
