// The pictures of the course know JupyterLab's word for light and dark; the theme's own is told to them in that word.
const tell = () => {
  const chosen = document.body.dataset.theme;
  if (chosen === "light" || chosen === "dark") document.body.dataset.jpThemeLight = String(chosen === "light");
  else delete document.body.dataset.jpThemeLight;
};
tell();
new MutationObserver(tell).observe(document.body, { attributeFilter: ["data-theme"] });

// What is wider than the page can be moved with the keyboard, too.
const reach = () => {
  for (const each of document.querySelectorAll("article pre, .formula, .table-wrapper, .output")) {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
    else each.removeAttribute("tabindex");
  }
};
reach();
addEventListener("resize", reach);

// What the theme calls its buttons in English alone.
const SPANISH = {
  "Toggle site navigation sidebar": "Mostrar u ocultar la navegación",
  "Toggle table of contents sidebar": "Mostrar u ocultar el índice de la página",
  "Toggle Light / Dark / Auto color theme": "Cambiar entre claro, oscuro y automático",
};
if (document.documentElement.lang === "es")
  for (const each of document.querySelectorAll("[aria-label]"))
    each.ariaLabel = SPANISH[each.ariaLabel] ?? each.ariaLabel;
