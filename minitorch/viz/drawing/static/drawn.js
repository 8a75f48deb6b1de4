// What players of ready drawings share: markup that becomes nodes, and how it stands.

import { SVG } from "./theme.js";

export const DRAWN = `
[hidden] { display: none !important; }
button { padding: 0 8px; }
.stage { overflow: auto; }
.stage svg { display: block; margin: 0 auto; max-width: 100%; height: auto; }
`;

/** Markup that Python wrote and escaped, as nodes. It is parsed as XML: nothing in it runs. */
export function parsed(markup) {
  const tree = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${markup}</svg>`, "image/svg+xml");
  return [...document.importNode(tree.documentElement, true).childNodes];
}
