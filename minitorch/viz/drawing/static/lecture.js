// A lecture: slides whose pictures were drawn ahead, moment by moment (viz/drawing/deck.py writes them in the trait
// `deck`). `slide` and `stop` say where it stands. What is too large to be read from the last row is shown in parts, or
// followed to where something happens.

import { SVG, button, html, isDark } from "./theme.js";
import { onPaper, scaleIn, views, worth } from "./camera.js";
import { IN_PLAYER, STYLE } from "./lecture_style.js";

const LOOKS = ["", "light", "dark", "strong", "black"]; // "": as the system is
const WORDS = [1.35, 1.15, 1]; // how large words are where nothing else stands, the first that fits
const RAILS = ["", "34%", "25%"]; // how wide words are beside a picture, the wider where both are as good; "": above it

function parsed(markup) {
  return document.importNode(new DOMParser().parseFromString(markup, "image/svg+xml").documentElement, true);
}

function render({ model, el }) {
  let deck, at = { slide: 0, stop: 0, part: 0 }, plan = [], look = "", rail = "", typed = "", begun = 0, partner = null, unmount = null;
  const part = (tag, className, ...more) => html(tag, { className }, ...more);
  const heading = html("h2"), says = html("p", { attributes: { role: "status", "aria-live": "polite" } }), body = part("div", "stage");
  const slide = part("section", "slide", part("header", "", heading, says), body);
  const count = html("span"), jump = part("span", "typed"), clock = part("p", "clock"), note = html("div"), coming = html("div");
  const notes = html("aside", { className: "notes", hidden: true, tabIndex: 0 }, note, html("div", {}, clock, coming));
  const black = html("div", { className: "cover black", hidden: true }), help = html("div", { className: "cover help", hidden: true }), live = html("div", { className: "cover live", hidden: true });
  const pages = part("div", "pages"), foot = html("footer");
  const root = html("div", { className: "root", tabIndex: 0, attributes: { role: "application" } }, slide, notes, foot, black, help, live, pages);
  const shadow = el.shadowRoot || el.attachShadow({ mode: "open" });
  shadow.replaceChildren(html("style", { textContent: STYLE }), root);
  el.setAttribute("data-lm-suppress-shortcuts", "true"); // else JupyterLab takes the keys for its cells
  const presents = location.hash === "#presenter" && window.opener;

  const shown = () => deck.slides[at.slide], stops = () => shown().stops, now = () => stops()[at.stop];

  /** Words above the picture or beside it, whichever leaves it larger; room for the longest of them. stays: as it is. */
  function arrange(stays) {
    const { width, height } = root.getBoundingClientRect(), { stills } = shown(), header = slide.firstChild;
    if (!width) return;
    const unit = Math.min(width / 1920, height / 1080), far = Math.min(1, Math.max(0.6, 1.5 * unit)), least = shown().least / far; // a small window is no wall
    root.style.setProperty("--unit", unit);
    root.style.setProperty("--least", `${24 * far}px`);
    root.classList.add("words");
    header.style.minHeight = "";
    WORDS.some(size => {
      root.style.setProperty("--words", `${size}em`);
      return stops().every(stop => stop.still !== undefined || (write(stop), fits(header)));
    });
    root.classList.toggle("words", !stills.length); // else there would be no room to measure
    const room = () => ({ w: body.clientWidth || 960, h: body.clientHeight || 540 });
    const laid = wide => {
      root.classList.toggle("beside", wide);
      root.style.setProperty("--rail", wide);
      header.style.minHeight = "";
      const most = Math.max(...stops().map(stop => (!stills.length || stop.still !== undefined ? (write(stop), header.offsetHeight) : 0)));
      if (!wide) header.style.minHeight = `${most}px`;
      return most > slide.clientHeight ? 0 : worth(room(), stills, least);
    };
    if (!stays) rail = RAILS.map(wide => [laid(wide), wide]).reduce((best, each) => (each[0] > best[0] ? each : best))[1];
    laid(rail);
    const scale = scaleIn(room(), stills, least, presents), { w, h } = room();
    plan = views(stops(), stills, { w: w / scale, h: h / scale });
    draw();
  }

  /** Whether the words have room, and no line of code is broken. */
  function fits(header) {
    const code = says.querySelector("pre"), lines = code && 1.5 * parseFloat(getComputedStyle(code).fontSize) * code.textContent.split("\n").length;
    return header.offsetHeight + 24 <= slide.clientHeight && !(code?.offsetHeight > lines);
  }

  /** The words of a stop. */
  function write({ kind, says: said }) {
    const { heading: head, question, code, choices, answer } = shown(), asks = kind === "question" || kind === "answer";
    heading.textContent = asks ? question : head;
    says.replaceChildren(asks ? "" : said);
    says.hidden = !asks && !said;
    if (!asks) return;
    if (code) says.append(html("pre", { textContent: code }));
    if (choices.length) says.append(html("ol", {}, ...choices.map(([text, right]) => html("li", { textContent: text, className: kind === "answer" && right ? "right" : "" }))));
    if (kind === "answer") says.append(html("div", { className: "reply", textContent: answer }));
  }

  function draw() {
    const { stills } = shown(), stop = now(), view = plan[at.stop]?.[at.part] || null;
    write(stop);
    root.classList.toggle("words", !view);
    body.replaceChildren();
    slide.querySelector(".map")?.remove();
    if (view) {
      const image = parsed(stills[stop.still].drawn);
      image.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
      image.setAttribute("aria-label", stop.told);
      body.append(image);
      const { w, h } = stills[stop.still], pinned = image.querySelector("[data-pinned]");
      pinned?.setAttribute("transform", `translate(0 ${Math.max(0, Math.min(view.y, h - pinned.firstChild.getBBox().height))})`);
      if (view.w < w - 1 || view.h < h - 1) {
        const map = parsed(stills[stop.still].drawn), frame = document.createElementNS(SVG, "rect");
        map.setAttribute("class", "map");
        frame.setAttribute("class", "seen");
        map.setAttribute("aria-hidden", true);
        for (const [name, number] of Object.entries({ x: view.x, y: view.y, width: view.w, height: view.h })) frame.setAttribute(name, number);
        map.append(frame);
        slide.append(map);
        const { left, right, top, bottom } = map.getBoundingClientRect(), there = [heading, says, ...image.querySelectorAll("rect:not(.p), text")];
        if (there.map(each => each.getBoundingClientRect()).some(each => each.bottom + 8 > top && each.top < bottom && each.right > left && each.left < right)) map.remove(); // what it shows needs the room
      }
    }
    const pictures = plan[at.stop].length > 1 ? ` · ${at.part + 1}/${plan[at.stop].length}` : "";
    count.textContent = `${at.slide + 1} / ${deck.slides.length}${stops().length > 1 ? ` · ${at.stop + 1}/${stops().length}` : ""}${pictures}`;
    open.hidden = !shown().player || !model.players;
    if (notes.hidden) return;
    const next = deck.slides[at.slide + 1];
    note.textContent = shown().notes || deck.words.nothing;
    coming.replaceChildren(next ? `${deck.words.coming} ${next.heading || next.question}` : deck.words.end, ...(next?.stills.length ? [parsed(next.stills[0].drawn)] : []));
  }

  function tick() {
    const spent = begun ? Math.floor((Date.now() - begun) / 1000) : 0;
    clock.textContent = `${new Date().toTimeString().slice(0, 5)} · ${Math.floor(spent / 60)}:${String(spent % 60).padStart(2, "0")}`;
  }

  function go(wanted, tell = true) {
    const other = wanted.slide !== at.slide;
    at = { part: 0, ...wanted };
    begun ||= Date.now();
    model.set("slide", at.slide);
    model.set("stop", at.stop);
    shut();
    black.hidden = help.hidden = true;
    if (tell) say(at);
    if (other) return arrange();
    draw();
  }

  const say = minitorch => partner?.postMessage({ minitorch }, "*");

  function forth() {
    if (presents) say("forth");
    else if (at.part + 1 < plan[at.stop].length) go({ ...at, part: at.part + 1 });
    else if (at.stop + 1 < stops().length) go({ slide: at.slide, stop: at.stop + 1 });
    else if (at.slide + 1 < deck.slides.length) go({ slide: at.slide + 1, stop: 0 });
  }

  function back() {
    if (presents) say("back");
    else if (at.part) go({ ...at, part: at.part - 1 });
    else if (at.stop) go({ slide: at.slide, stop: at.stop - 1, part: plan[at.stop - 1].length - 1 });
    else if (at.slide) go({ slide: at.slide - 1, stop: deck.slides[at.slide - 1].stops.length - 1 });
  }

  const to = number => go({ slide: Math.min(Math.max(number, 0), deck.slides.length - 1), stop: 0 });

  function paint(wanted = look) {
    const colours = deck.looks[wanted || (isDark() ? "dark" : "light")];
    for (const [name, value] of Object.entries(colours)) root.style.setProperty(`--${name}`, value);
  }

  function restyle() {
    look = LOOKS[(LOOKS.indexOf(look) + 1) % LOOKS.length];
    paint();
  }

  /** The picture's own player, in the page: its keys are its own, but those of a clicker go on with the lecture. */
  function touch() {
    const { player } = shown(), play = model.players?.[player?.script];
    if (!play) return;
    const place = html("div"), state = { ...player.state, ...now().at };
    live.replaceChildren(place);
    live.hidden = false;
    place.dataset.fills = "";
    unmount = play({ model: { get: name => state[name], set: (name, value) => { state[name] = value; }, on() {}, off() {} }, el: place });
    place.shadowRoot.append(html("style", { textContent: IN_PLAYER }));
    place.shadowRoot.querySelector("[tabindex='0']").focus();
  }

  function shut() {
    unmount?.();
    unmount = null;
    live.hidden = true;
    live.replaceChildren();
    if (shadow.activeElement === null && root.isConnected) root.focus({ preventScroll: true });
  }

  const fill = () => (document.fullscreenElement ? document.exitFullscreen() : el.requestFullscreen?.().catch(() => {}));
  const turn = panel => { panel.hidden = !panel.hidden; };
  function prompt() {
    turn(notes);
    tick();
    arrange();
  }

  function second() {
    partner = window.open(`${location.href.split("#")[0]}#presenter`, "minitorch", "popup,width=1100,height=720");
    if (!partner) prompt();
  }

  const pressed = {
    ArrowRight: forth, PageDown: forth, " ": forth, ArrowLeft: back, PageUp: back, Backspace: back, ArrowDown: () => to(at.slide + 1), ArrowUp: () => to(at.slide - 1),
    Home: () => to(0), End: () => to(deck.slides.length - 1), f: fill, b: () => turn(black), ".": () => turn(black), n: prompt, p: second, s: restyle, o: touch, "?": () => turn(help), h: () => turn(help),
    Escape: () => { shut(); black.hidden = help.hidden = true; typed = ""; },
    Enter: () => { if (typed) to(Number(typed) - 1); else forth(); typed = ""; },
  };
  const open = button("▶", "", touch), buttons = [button("‹", "", back), button("›", "", forth), open, button("?", "", pressed["?"]), button("f", "", fill)];
  foot.append(count, jump, ...buttons);

  root.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const own = ["Escape", "PageDown", "PageUp"].includes(event.key);
    if (!live.hidden && !own) return;
    const inside = event.composedPath()[0];
    if (inside.tagName === "BUTTON" && [" ", "Enter"].includes(event.key)) return;
    const digit = /^\d$/.test(event.key), act = event.shiftKey && event.key === " " ? back : pressed[event.key] || pressed[event.key.toLowerCase()];
    if (!digit && !act) return;
    event.preventDefault();
    event.stopPropagation();
    if (digit) typed += event.key;
    else act();
    if (!digit && event.key !== "Enter") typed = "";
    jump.textContent = typed && `→ ${typed}`;
  }, true);
  slide.addEventListener("click", forth);
  black.addEventListener("click", () => turn(black));

  const print = () => {
    paint(look && look !== "dark" ? look : "light");
    pages.replaceChildren(...deck.slides.flatMap(({ stops, stills, least }, number) => stops.flatMap((stop, step) => {
      if (stop.kind === "asks" || stops[step + 1]?.kind === "answer") return []; // it stands above what comes next
      at = { ...at, slide: number };
      write(stop);
      const before = stops[step - 1], asked = before?.kind === "asks" ? html("p", { textContent: before.says }) : "";
      const figure = html("figure", {}, html("small", { textContent: `${number + 1}.${step + 1}` }), heading.cloneNode(true), asked, says.hidden ? "" : says.cloneNode(true));
      if (stop.still === undefined) return [figure];
      const still = stills[stop.still], { scale, wide } = onPaper(still, least), image = parsed(still.drawn);
      image.style.width = `${still.w * scale}mm`;
      figure.classList.toggle("wide", wide);
      figure.append(image);
      return [figure];
    })));
  };
  const printed = () => {
    pages.replaceChildren();
    at = { part: 0, slide: model.get("slide"), stop: model.get("stop") };
    paint();
    arrange();
  };
  const heard = event => {
    const said = event.data?.minitorch;
    if (!said || event.source !== partner) return;
    if (said === "hello") say(at);
    else if (said === "forth") forth();
    else if (said === "back") back();
    else go({ slide: said.slide, stop: said.stop }, false);
  };

  function load(stays) {
    deck = model.get("deck");
    root.lang = deck.lang;
    at = { slide: Math.min(model.get("slide"), deck.slides.length - 1), part: 0 };
    at.stop = Math.min(model.get("stop"), stops().length - 1);
    root.setAttribute("aria-label", deck.title);
    [deck.words.back, deck.words.forth, deck.words.live, deck.words.help, deck.words.full].forEach((name, number) => {
      buttons[number].title = name;
      buttons[number].setAttribute("aria-label", name);
    });
    notes.setAttribute("aria-label", deck.words.notes);
    help.replaceChildren(html("h2", { textContent: deck.words.keys }), html("dl", {}, ...deck.keys.flatMap(([key, what]) => [html("dt", { textContent: key }), html("dd", { textContent: what })])));
    look ||= deck.look;
    paint();
    arrange(stays);
  }

  const again = () => load(true);
  const scheme = matchMedia("(prefers-color-scheme: dark)"), repaint = () => paint();
  const sized = new ResizeObserver(() => arrange()), timer = setInterval(() => notes.hidden || tick(), 1000);
  const listened = [[scheme, "change", repaint], [window, "message", heard], [window, "beforeprint", print], [window, "afterprint", printed]];
  for (const [who, what, act] of listened) who.addEventListener(what, act);
  const follow = () => {
    const wanted = { slide: model.get("slide"), stop: model.get("stop") };
    if (model.get("deck") !== deck) return; // which has it, and is told next
    if (wanted.slide !== at.slide || wanted.stop !== at.stop) go(wanted);
  };
  model.on("change:deck", again);
  model.on("change:slide", follow);
  model.on("change:stop", follow);
  if (presents) {
    partner = window.opener;
    notes.hidden = false;
    tick();
    say("hello");
  }
  load();
  sized.observe(root);
  if (el.dataset.fills !== undefined) {
    if (window === window.top) root.focus({ preventScroll: true }); // in a frame, the page around it would jump there
    document.head.append(html("style", { textContent: "@media print { @page { margin: 12mm; } html, body, main { height: auto !important; } body { overflow: visible !important; } }" }));
  }
  return () => {
    shut();
    sized.disconnect();
    clearInterval(timer);
    for (const [who, what, act] of listened) who.removeEventListener(what, act);
    model.off("change:deck", again);
    model.off("change:slide", follow);
    model.off("change:stop", follow);
  };
}

export default { render };
