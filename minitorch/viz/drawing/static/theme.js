// What all players share: colours by theme, the frame, its buttons. viz/drawing/player.py makes one module of both.

export const SVG = "http://www.w3.org/2000/svg";

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

export function html(tag, props = {}, ...children) {
  const { attributes = {}, ...rest } = props;
  const made = Object.assign(document.createElement(tag), rest);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** What a screen reader calls an element. */
export const label = (element, text) => (element.setAttribute("aria-label", text), element);

const ICONS = {
  first: "M2 1v10M10 1L4 6l6 5z", previous: "M9 1L3 6l6 5z", next: "M3 1l6 5-6 5z", last: "M10 1v10M2 1l6 5-6 5z", pause: "M3 1v10M9 1v10",
};
export const icon = name => svg("svg", { viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": true }, svg("path", { d: ICONS[name] }));

/** face: icons or letters; name: for those who do not see it, and for who points at it. */
export const button = (face, name, act, className = "") =>
  html("button", { type: "button", title: name, className, onclick: act, attributes: { "aria-label": name } }, ...[face].flat());

/** JupyterLab, VS Code, or else the reader's system says whether the page is dark. */
export function isDark() {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false";
  if (vscodeThemeKind) return /dark|high-contrast$/.test(vscodeThemeKind);
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Sets the palette's colours as variables, now and at each change of the theme; gives back what ends that. */
export function followTheme(root, palette) {
  const paint = () => {
    const colours = palette[isDark() ? "dark" : "light"];
    for (const [name, value] of Object.entries(colours)) root.style.setProperty(`--${name}`, value);
    root.style.colorScheme = isDark() ? "dark" : "light";
  };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(paint);
  observer.observe(document.body, { attributes: true });
  system.addEventListener("change", paint);
  paint();
  return () => (observer.disconnect(), system.removeEventListener("change", paint));
}
