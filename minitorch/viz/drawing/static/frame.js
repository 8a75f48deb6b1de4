// The frame of a player: its look in the page's colours, its place in the page, its keys, and what is said in it.

import { html, isDark } from "./theme.js";

export const FRAME = `
:host { display: block; }
.root { font: 13px/1.45 var(--jp-ui-font-family, system-ui, sans-serif); color: var(--ink); background: var(--paper);
  border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.bar { display: flex; gap: 4px; align-items: center; padding: 6px 8px; border-bottom: 1px solid var(--line); flex-wrap: wrap; }
.bar input { flex: 1 1 120px; min-width: 80px; accent-color: var(--op); margin: 0 6px; }
button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  min-width: 30px; height: 28px; padding: 0 6px; cursor: pointer; }
button svg { display: inline-block; vertical-align: -2px; fill: currentColor; stroke: currentColor; stroke-width: 1.5; }
button:disabled { color: var(--soft); cursor: default; border-style: dashed; }
button.play { background: var(--op); color: var(--on-op); border-color: var(--op); min-width: 74px; font-weight: 700; }
.count { min-width: 5.5em; text-align: center; font-variant-numeric: tabular-nums; }
.status { margin: 0; padding: 7px 12px; min-height: 1.45em; border-bottom: 1px solid var(--line); }
.keys { margin: 0; padding: 4px 12px 6px; font-size: 12px; color: var(--soft); border-top: 1px solid var(--line); }
:host([data-fills]) { height: 100%; } :host([data-fills]) .root { height: 100%; box-sizing: border-box; display: flex; flex-direction: column; }
:host([data-fills]) .root > * { flex: none; } :host([data-fills]) .root > .stage { flex: 1 1 0; resize: none; max-height: none; min-height: 0; }
:focus-visible { outline: 3px solid var(--back); outline-offset: -2px; }
`;

/** A sentence with what belongs in its places. */
export const filled = (sentence, fields) => sentence.replace(/\{(\w+)\}/g, (_, name) => fields[name]);

/** What is said of something, heard as it changes. */
export const telling = () => html("p", { className: "status", attributes: { role: "status", "aria-live": "polite" } });

/** Terms and what is said of each. */
export const terms = pairs => pairs.flatMap(([term, text]) => [html("dt", { textContent: term }), html("dd", { textContent: text })]);

/** Sets the palette's colours as variables, now and at each change of the theme; gives back what ends that. */
function followTheme(root, palette) {
  const paint = () => {
    const look = isDark() ? "dark" : "light";
    for (const [name, value] of Object.entries(palette[look])) root.style.setProperty(`--${name}`, value);
    root.style.colorScheme = look;
  };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(paint);
  observer.observe(document.body, { attributes: true });
  system.addEventListener("change", paint);
  paint();
  return () => (observer.disconnect(), system.removeEventListener("change", paint));
}

/** Puts a player into its element, in its style, language and colours; heard: by the names of what changes in its model,
    what is done then. Gives back what ends that. */
export function mounted({ model, el }, root, style, { lang, palette }, heard = {}) {
  const shadow = el.shadowRoot || el.attachShadow({ mode: "open" });
  shadow.replaceChildren(html("style", { textContent: style }), root);
  el.setAttribute("data-lm-suppress-shortcuts", "true"); // else JupyterLab takes the arrow keys for its cells
  root.lang = lang;
  const forgetTheme = followTheme(root, palette), all = Object.entries(heard);
  for (const [name, act] of all) model.on(`change:${name}`, act);
  return () => {
    forgetTheme();
    for (const [name, act] of all) model.off(`change:${name}`, act);
  };
}

/** The keys that a control answers itself: while one has the keyboard, they do not reach the player. */
function native({ tagName, type }, key) {
  if (type === "text" || type === "search") return key !== "Escape";
  return { BUTTON: [" ", "Enter"], INPUT: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"] }[tagName]?.includes(key);
}

/** Keys, by name, and what is done; nothing of the page around the player hears of them. */
export const answer = (root, pressed, leaves = native) => root.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.stopPropagation();
  const act = pressed[event.key] || pressed[event.key.toLowerCase()];
  if (!act || leaves(event.target, event.key)) return;
  event.preventDefault();
  act(event);
});
