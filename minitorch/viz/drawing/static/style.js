// How the stepper looks; theme.js sets the colours.

import { FRAME } from "./frame.js";

export const STYLE = FRAME + `
.stage { display: flex; overflow: hidden; resize: vertical; min-height: 120px; }
.canvas { position: relative; flex: 1 1 60%; min-width: 0; }
.overview { position: absolute; top: 8px; right: 8px; cursor: pointer; background: var(--paper); opacity: .92; border: 1px solid var(--line); border-radius: 4px; }
.bar .search { flex: 0 1 110px; min-width: 60px; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; height: 28px; box-sizing: border-box; padding: 0 6px; margin: 0; }
.canvas > svg { display: block; width: 100%; height: 100%; cursor: grab; touch-action: none; }
.canvas > svg.drag { cursor: grabbing; }
text { fill: var(--ink); font-size: 13px; text-anchor: middle; user-select: none; }
.bold, .badge, .came text { font-weight: 700; }
.box { cursor: pointer; outline: none; }
.box > rect { fill: var(--card); stroke: var(--op); stroke-width: 1.5; }
.box.leaf > rect { fill: var(--leaf-card); stroke: var(--leaf); stroke-width: 2; }
.box.constant > rect { stroke: var(--soft); stroke-dasharray: 2 3; }
.box.copy > rect { stroke-dasharray: 7 4; } .box.top > rect { stroke-width: 3.5; } .box.active > rect { stroke: var(--back); stroke-width: 3.5; }
.box .ring { display: none; }
.box.picked .ring, .box:focus-visible .ring { display: inline; fill: none; stroke: var(--ink); stroke-width: 2; stroke-dasharray: none; }
.pill { stroke: var(--op); stroke-width: 20; stroke-linecap: round; }
.badge { fill: var(--on-op); } .chip { stroke: none; stroke-width: 17; stroke-linecap: round; }
.state { font-size: 12px; font-style: italic; fill: var(--soft); }
.some .chip { stroke: var(--some); } .some .state { fill: var(--on-some); font-style: normal; }
.zero .chip { stroke: var(--zero); } .zero .state { fill: var(--on-zero); font-style: normal; }
.odd .chip { stroke: var(--on-back); } .odd .state { fill: var(--paper); font-style: normal; }
.born { display: none; } .isborn .born { display: inline; } .born rect { fill: none; stroke: var(--back); stroke-width: 4; stroke-dasharray: none; }
.born.said rect { fill: var(--paper); stroke-width: 1.5; } .born text { font-size: 12px; font-weight: 700; fill: var(--on-back); }
.edge path { fill: none; stroke: var(--line); stroke-width: 1.5; }
.edge.wide path { stroke: var(--wide); stroke-width: 3; stroke-dasharray: 9 3; }
.edge.came path { stroke: var(--back); stroke-width: 2.5; stroke-dasharray: none; }
.edge.now path { stroke-width: 5; } .edge text { font-size: 12px; fill: var(--soft); stroke: var(--paper); stroke-width: 5; paint-order: stroke; text-anchor: start; }
.edge.left text { text-anchor: end; } .edge.wide text { fill: var(--on-wide); } .edge.came text { fill: var(--on-back); }
.box.frame > rect { fill: var(--paper); fill-opacity: .6; } .box rect.behind { stroke-width: 1.2; } .box.frame .chip { display: none; } .box .sign { fill: var(--soft); font-size: 15px; } .box.frame .rest { text-anchor: start; }
.freed .chip { stroke: var(--freed); } .freed .state { fill: var(--ink); font-style: normal; }
.far text { display: none; }
.light path { stroke: var(--back); stroke-width: 23; stroke-linecap: round; } .light path + path { stroke: var(--some); stroke-width: 19; } .light text { font-size: 12px; font-weight: 700; fill: var(--on-some); }
.bar .pace { min-width: 58px; }
.facts { position: relative; flex: 0 1 270px; overflow: auto; background: var(--card); border-left: 1px solid var(--line); padding: 8px 12px; }
.facts[hidden] { display: none; } .facts h4 { margin: 0 30px 4px 0; font-size: 14px; } .facts dl { display: grid; grid-template-columns: auto 1fr; gap: 1px 10px; margin: 0; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.facts button { position: absolute; top: 4px; right: 4px; border: 0; background: none; }
`;
