// How a lecture looks: on the wall, on paper, in the notes.

// A picture's own player on the wall: no letter of it is small, and its keys leave their room to the picture.
export const IN_PLAYER = ".keys { display: none; } svg .k { font-size: 12px !important; }";

export const STYLE = `
:host { display: block; height: 100%; } :host(:not([data-fills])) { height: auto; aspect-ratio: 16/9; } :host(:fullscreen) { height: 100%; }
.root { position: relative; height: 100%; box-sizing: border-box; overflow: hidden; display: grid; grid-template: minmax(0, 1fr) auto / minmax(0, 1fr); outline: none;
  background: var(--paper); color: var(--ink); font: calc(max(var(--least), 34px * var(--unit)))/1.35 system-ui, sans-serif; }
[hidden] { display: none !important; }
.slide { display: grid; grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); gap: .5em 1.5em; padding: .7em .4em 0; }
.beside .slide { grid-template: minmax(0, 1fr) / var(--rail) minmax(0, 1fr); } header { align-self: start; overflow-wrap: break-word; }
h2 { font-size: 1.35em; line-height: 1.2; margin: 0; } p { margin: .3em 0 0; white-space: pre-line; } h2, header p { width: fit-content; }
.stage { position: relative; min-height: 0; }
.stage > svg { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.slide { position: relative; } .map { position: absolute; right: .6em; top: .6em; height: 15%; max-width: 24%; border: 2px solid var(--line); background: var(--paper); }
.beside .map { inset: auto auto 0 .6em; height: 30%; }
.map text { display: none; } .map .seen { fill: none; stroke: var(--back); stroke-width: 10; }
.words .slide { padding: 0 1.5em; grid-template: auto auto / minmax(0, 1fr); align-content: center; } .words header { font-size: var(--words); } .words h2 { margin-bottom: .4em; }
pre { font: 1em/1.4 ui-monospace, monospace; margin: .2em 0; white-space: pre-wrap; } ol { list-style: upper-alpha; margin: .5em 0; padding-left: 1.6em; } li { margin: .25em 0; }
.right { font-weight: 700; text-decoration: underline 4px var(--back); text-underline-offset: .25em; } .right::after { content: "  ✓"; } .reply { border-left: 6px solid var(--back); padding-left: .5em; }
footer { display: flex; gap: .4em; align-items: center; padding: 4px 12px; font-size: 24px; color: var(--soft); }
footer span { flex: 1; } footer .typed { flex: none; color: var(--ink); }
button { font: inherit; color: inherit; background: none; border: 0; min-width: 1.4em; cursor: pointer; } :focus-visible { outline: 3px solid var(--back); }
.notes { grid-area: 2 / 1; display: grid; grid-template-columns: 2fr 1fr; gap: 1em; max-height: 38vh; overflow: auto; padding: .5em 1em; font-size: 24px; border-top: 3px solid var(--line); white-space: pre-wrap; }
.notes + footer { grid-area: 3 / 1; } .notes svg { width: 100%; max-height: 22vh; display: block; } .clock { font-variant-numeric: tabular-nums; font-weight: 700; }
.cover { position: absolute; inset: 0; z-index: 2; overflow: auto; } .black { background: #000; }
.help { background: var(--paper); padding: 1em 2em; } dl { display: grid; grid-template-columns: auto 1fr; gap: .2em 1.2em; } dt { font-weight: 700; } dd { margin: 0; }
.live { background: var(--paper); display: grid; } .live > div { zoom: calc(2.24 * max(1, var(--unit))); height: auto; min-height: 0; }
.pages { display: none; }
@media print { :focus-visible { outline: none; } :host { height: auto !important; } .root { display: block; height: auto; overflow: visible; font-size: 11pt; } .slide, footer, .notes, .cover { display: none !important; }
  .pages { display: grid; grid-template-columns: 1fr 1fr; gap: 6mm; } figure { margin: 0; break-inside: avoid; border: 1px solid var(--line); padding: 3mm; } figure.wide { grid-column: 1 / -1; } figure svg { display: block; margin: 2mm auto 0; } figure h2 { font-size: 12pt; } small { float: right; color: var(--soft); } }
`;
