// The choice of one drawing out of several, by buttons of which one is on.

import { html } from "./theme.js";

export const CHOICE = `
.choice { display: flex; gap: 4px; align-items: center; padding: 6px 8px; border-bottom: 1px solid var(--line); flex-wrap: wrap; }
[role=radio][aria-checked=true] { border-color: var(--op); border-width: 2px; font-weight: 700; text-decoration: underline; }
`;

export class Choice {
  /** drawings: each with a name, and a title where it has another. name: of the row. take: what shows a drawing. */
  constructor(drawings, name, take) {
    this.take = take;
    this.buttons = drawings.map((each, index) => html("button", {
      type: "button", textContent: each.name, title: `${each.title ?? each.name} (${index + 1})`, onclick: () => take(index), attributes: { role: "radio" },
    }));
    this.element = html("div", { className: "choice", hidden: !drawings[1], attributes: { role: "radiogroup", "aria-label": name } }, ...this.buttons);
    this.element.addEventListener("keydown", event => {
      const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.turn(by);
    });
    this.keys = Object.fromEntries(this.buttons.slice(0, 9).map((button, index) => [index + 1, () => button.click()]));
  }

  turn(by) {
    const { buttons } = this, inside = this.element.matches(":focus-within");
    this.take((this.on + by + buttons.length) % buttons.length);
    if (inside) buttons[this.on].focus();
  }

  show(on) {
    this.on = on;
    this.buttons.forEach((each, index) => {
      each.setAttribute("aria-checked", index === on);
      each.tabIndex = index === on ? 0 : -1;
    });
  }
}
