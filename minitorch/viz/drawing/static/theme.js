// What all scripts share: elements, buttons, whether the page is dark. viz/drawing/player.py makes one module of both.

export const SVG = "http://www.w3.org/2000/svg";

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
