// The player of a program's memory. `memory` holds a drawing for each run and the numbers behind it; `run` and `step`
// are where it stands, a step being a column.

import { FRAME, button, followTheme, html, icon, svg } from "./theme.js";

const STYLE = FRAME + `
.runs { padding: 6px 8px; border-bottom: 1px solid var(--line); }
[hidden] { display: none !important; }
button { padding: 0 8px; margin: 1px; }
[aria-checked=true] { border: 2px solid var(--op); font-weight: 700; text-decoration: underline; }
.stage { overflow: auto; max-height: 660px; }
.stage svg { display: block; margin: 0 auto; max-width: 100%; height: auto; }
:host([data-fills]) .stage svg { width: 900px; }
.hit { pointer-events: all; cursor: pointer; }
.row.chosen .v { stroke: var(--ink); stroke-width: 2.5; } .row.chosen .nm { text-decoration: underline; }
.span { fill: var(--ink); fill-opacity: .1; stroke: var(--ink); stroke-dasharray: 3 2; } .span, [data-cursor] { pointer-events: none; }
.facts { border-top: 1px solid var(--line); padding: 6px 12px; background: var(--card); max-height: 130px; overflow: auto; }
.facts button { float: right; } dl { display: grid; grid-template-columns: auto 1fr; gap: 0 10px; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
`;

/** Bytes in thousands of them, as the drawing writes them. */
function size(bytes) {
  let at = 0;
  while (bytes >= 999.5 && at < 3) (bytes /= 1000, at += 1);
  return `${at && bytes < 100 ? Number(bytes.toPrecision(3)) : Math.round(bytes)} ${["B", "kB", "MB", "GB"][at]}`;
}

const filled = (sentence, fields) => sentence.replace(/\{(\w+)\}/g, (_, name) => fields[name]);

function render({ model, el }) {
  const { controls: said, runs, palette, lang, title, choice, hint, keys } = model.get("memory");
  let run, now, step, row, timer, image, rows, span, cursor;

  const first = button(icon("first"), said.first, () => go(0));
  const previous = button(icon("previous"), said.previous, () => go(step - 1));
  const play = button([], "", toggle, "play");
  const next = button(icon("next"), said.next, () => go(step + 1));
  const final = button(icon("last"), said.last, () => go(last()));
  const scrub = html("input", { type: "range", min: 0, attributes: { "aria-label": said.step } });
  const count = html("span", { className: "count" });
  const bar = html("div", { className: "bar" }, first, previous, play, next, final, scrub, count);
  const tabs = runs.map(({ name }, index) => html("button", { textContent: name, onclick: () => take(index), attributes: { role: "radio" } }));
  const choices = html("div", { className: "runs", hidden: !tabs[1], attributes: { role: "radiogroup", "aria-label": choice } }, ...tabs);
  const status = html("p", { className: "status", attributes: { role: "status", "aria-live": "polite" } });
  const stage = html("div", { className: "stage", tabIndex: 0, attributes: { role: "group", "aria-label": title } });
  const facts = html("div", { className: "facts", tabIndex: 0, attributes: { role: "region", "aria-live": "polite" } });
  const root = html("div", { className: "root" }, choices, bar, status, stage, facts, html("p", { className: "keys", textContent: keys }));
  const shadow = el.shadowRoot || el.attachShadow({ mode: "open" });
  shadow.replaceChildren(html("style", { textContent: STYLE }), root);
  el.setAttribute("data-lm-suppress-shortcuts", "true"); // else JupyterLab takes the arrow keys for its cells

  const last = () => Math.max(now.columns.length - 1, 0);

  function go(wanted) {
    step = Math.min(Math.max(wanted, 0), last());
    model.set("step", step); // other views of this model follow; the kernel is not asked
    refresh();
  }

  function take(wanted) {
    stop();
    mount(wanted);
    model.set("run", run);
    go(now.peak);
  }

  function mount(wanted) {
    run = wanted;
    now = runs[run];
    // Python wrote and escaped it. It is parsed as XML: nothing in it runs.
    image = document.importNode(new DOMParser().parseFromString(now.shell, "image/svg+xml").documentElement, true);
    image.setAttribute("aria-label", now.told);
    stage.replaceChildren(image);
    rows = [...image.querySelectorAll("[data-row]")];
    cursor = image.querySelector("[data-cursor]");
    span = image.insertBefore(svg("rect", { class: "span", y: now.top, height: now.foot - now.top }), cursor);
    tabs.forEach((tab, index) => {
      tab.setAttribute("aria-checked", index === run);
      tab.tabIndex = index === run ? 0 : -1;
    });
    bar.hidden = !cursor; // side by side
    scrub.max = last();
    choose(-1);
  }

  function refresh() {
    status.textContent = hint;
    if (!cursor) return;
    const [moment, what, bytes, ...levels] = now.columns[step];
    let alive = 0;
    rows.forEach((each, index) => {
      const lit = now.rows[index].lives.some(([birth, death]) => birth <= moment && moment < death);
      alive += lit;
      each.classList.toggle("lit", lit);
      each.classList.toggle("off", !lit);
    });
    for (const each of image.querySelectorAll("[data-kind]")) each.textContent = size(levels[each.dataset.kind]);
    cursor.setAttribute("transform", `translate(${now.left + now.apart * (step + 0.5)} 0)`);
    status.textContent = filled(said.moment, { number: moment, last: now.last, what: now.words[what], size: size(bytes), count: alive, total: rows.length });
    scrub.value = step;
    scrub.setAttribute("aria-valuetext", status.textContent);
    count.textContent = `${moment} / ${now.last}`;
    first.disabled = previous.disabled = step === 0;
    next.disabled = final.disabled = step === last();
    if (step === last() || !timer) stop();
  }

  function choose(wanted) {
    row = Math.min(wanted, rows.length - 1);
    rows.forEach((each, index) => each.classList.toggle("chosen", index === row));
    facts.hidden = row < 0;
    span.setAttribute("width", 0);
    if (row < 0) return;
    const { name, lives, facts: pairs } = now.rows[row];
    const at = moment => now.apart * Math.min(moment / now.together, now.columns.length);
    const from = at(Math.min(...lives.map(life => life[0])));
    span.setAttribute("x", now.left + from);
    span.setAttribute("width", at(Math.max(...lives.map(life => life[1]))) - from);
    const close = button("×", said.close, () => (choose(-1), stage.focus()));
    const list = pairs.flatMap(([what, of]) => [html("dt", { textContent: what }), html("dd", { textContent: of })]);
    facts.setAttribute("aria-label", name);
    facts.replaceChildren(close, html("b", { textContent: name }), html("dl", {}, ...list));
    rows[row].scrollIntoView({ block: "nearest" });
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    playing("next", "play");
  }

  function playing(face, word) {
    play.replaceChildren(icon(face), ` ${said[word]}`);
    play.title = said[`${word}Key`];
    play.setAttribute("aria-label", play.title);
  }

  function toggle() {
    if (timer) return stop();
    if (!last()) return;
    timer = setInterval(() => go(step + 1), 350);
    playing("pause", "pause");
    go(step === last() ? 0 : step + 1); // from the start again, else on at once
  }

  const pressed = {
    arrowleft: () => go(step - 1), arrowright: () => go(step + 1), home: () => go(0), end: () => go(last()), " ": toggle,
    arrowup: () => choose(Math.max(row - 1, 0)), arrowdown: () => choose(row + 1), p: () => go(now.peak), escape: () => choose(-1),
  };
  if (tabs[1]) tabs.forEach((_, index) => { pressed[index + 1] = () => take(index); });
  root.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    const { target, key } = event, isArrow = key.startsWith("Arrow"), act = pressed[key.toLowerCase()];
    if (!act || (target.tagName === "BUTTON" && key === " ") || (target === scrub && (isArrow || /Home|End/.test(key)))) return;
    event.preventDefault();
    if (isArrow && tabs.includes(target)) {
      take((run + (/Left|Up/.test(key) ? -1 : 1) + runs.length) % runs.length);
      tabs[run].focus();
    } else act();
  });
  scrub.addEventListener("input", () => go(Number(scrub.value)));

  /** A press goes to its moment, and chooses its row. */
  const pointed = event => {
    const box = image.getBoundingClientRect(), at = (event.clientX - box.left) * image.viewBox.baseVal.width / box.width - now.left;
    const hit = event.target.closest("[data-row]");
    if (cursor && at >= 0 && at < now.apart * now.columns.length) go(Math.floor(at / now.apart));
    if (hit) choose(rows.indexOf(hit));
  };
  stage.addEventListener("pointerdown", pointed);
  stage.addEventListener("pointermove", event => { if (event.buttons === 1) pointed(event); });

  const moved = () => {
    if (model.get("run") !== run) mount(model.get("run"));
    step = Math.min(model.get("step"), last());
    refresh();
  };
  model.on("change:step", moved);
  model.on("change:run", moved);
  root.lang = lang;
  const forgetTheme = followTheme(root, palette);
  moved();

  return () => {
    stop();
    forgetTheme();
    model.off("change:step", moved);
    model.off("change:run", moved);
  };
}

export default { render };
