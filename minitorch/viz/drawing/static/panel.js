// What stands beside the graph: the chosen number, its gradient and its finite difference, whether they agree, and why not.

import { html, label } from "./theme.js";
import { filled } from "./pass.js";
import { exact } from "./arithmetic.js";
import { reason, verdict } from "./agreement.js";
import { Plot } from "./plot.js";

/** Terms and what is said of each; those of which nothing is said are left out. */
const terms = rows => rows.filter(([, said]) => said !== undefined)
  .flatMap(row => [html("dt", { textContent: row[0] }), html("dd", { textContent: row[1] })]);

export class Panel {
  constructor(facts, nodes, calculation, start) {
    Object.assign(this, { facts, nodes, calculation, start, said: facts.words });
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
    const found = verdict(this.calculation, numbers, slopes, leaf, h), names = { root: nodes[root].title, name: nodes[leaf].title };
    this.title.textContent = `${names.name} = ${exact(numbers[leaf])}`;
    this.about.replaceChildren(...terms([
      [filled(said.was, { value: exact(start[leaf]) }), numbers[leaf] === start[leaf] ? undefined : ""],
      [filled(said.gradient, names), exact(found.gradient)],
      [said.your_gradient, facts.own[leaf]],
      [`${names.root}(${names.name} + h)`, exact(found.above[root])],
      [`${names.root}(${names.name} − h)`, exact(found.below[root])],
      [said.difference, exact(found.found)],
    ]));
    this.answer.textContent = reason(found, this.calculation, nodes, said);
    const agree = ["equal", "agree"].includes(found.key);
    this.answer.classList.toggle("other", !agree);
    this.warning = agree ? "" : this.answer.textContent; // what those who listen hear, too
    this.plot.show(numbers, leaf, h, range, found, names);
    this.details.hidden = picked === null || picked === leaf || picked >= facts.rules.length;
    if (this.details.hidden) return;
    const { title, made } = nodes[picked];
    this.otherTitle.textContent = title;
    this.other.replaceChildren(...terms([
      [said.made, facts.rules[picked] ? made : undefined],
      [said.value, exact(numbers[picked])],
      [filled(said.gradient, { ...names, name: title }), exact(slopes.gradients[picked])],
      [said.your_gradient, facts.own[picked]],
    ]));
  }
}
