// A folded graph with some of its groups open: where every box and every arrow goes. Python has laid out each level
// (viz/drawing/levels.py); an open group is a frame around its level, and what stands beside it in its row moves aside.

const ROW_GAP = 60, TOP = 28, HEAD = 34, EDGE = 12; // TOP, ROW_GAP: as in layout.py
const STACK = 8; // how far the boxes behind a group's reach below it
const BADGE = 12, BESIDE = 6; // from a box's upper edge to an arrow's tip; from an arrow to its label

/** A smooth way down through the points of an edge, as svg.path in Python; back: room for a head at its beginning.
    foot: of its box; where the row reaches further down, the edge leaves the row before it goes aside. */
function way(points, lanes, foot, back) {
  let [x0, y0] = points[0];
  let start = foot + (back ? 11 : 2);
  let path = `M${x0} ${start}`;
  if (y0 > start) path += `V${start = y0}`;
  points.slice(1).forEach(([x1, y1], number) => {
    if (x0 === x1) path += `V${y1}`;
    else {
      const turn = Math.min(30, Math.floor((y1 - y0) * 2 / 3)), level = Math.max(start + 3, y0 + 3 + Math.round(lanes[number >> 1] * (turn - 6)));
      path += `C${x0} ${level} ${x1} ${level} ${x1} ${y0 + turn}V${y1}`;
    }
    [x0, y0] = [x1, y1];
  });
  return path;
}

/** How large a level is, and where its rows are, with its open groups in it. */
function measured(scene, number, open) {
  const level = scene.levels[number];
  const inner = level.boxes.map(({ node, copy }) =>
    open.has(node) && !copy ? measured(scene, scene.nodes[node].level, open) : null);
  const sizes = level.boxes.map((box, index) => inner[index]
    ? { w: Math.max(inner[index].width + 2 * EDGE, box.w), h: inner[index].height + HEAD + EDGE } : box);
  const heights = [...level.heights], aside = heights.map(() => []);
  level.boxes.forEach((box, index) => {
    heights[box.row] = Math.max(heights[box.row], sizes[index].h);
    if (inner[index]) aside[box.row].push([box.x, (sizes[index].w - box.w) / 2]);
  });
  const moved = (row, x) => aside[row].reduce((to, [at, room]) => to + Math.sign(x - at) * room, x);
  const rows = [];
  let y = TOP;
  for (const height of heights) {
    rows.push({ top: y, middle: y + (height >> 1), bottom: y + height });
    y += height + ROW_GAP;
  }
  const xs = level.boxes.map(box => moved(box.row, box.x));
  const left = Math.min(level.left, ...xs.map((x, index) => x - sizes[index].w / 2 - 18));
  const right = Math.max(level.right, ...xs.map((x, index) => x + sizes[index].w / 2 + 18));
  return { level, number, inner, sizes, rows, moved, xs, left, width: right - left, height: y - ROW_GAP + 18 };
}

/** All boxes and arrows, frames before what is in them. */
export function placed(scene, open) {
  const boxes = [], edges = [];
  const put = ({ level, number, inner, sizes, rows, moved, xs }, dx, dy) => {
    const first = boxes.length;
    const own = level.boxes.map((box, index) => {
      const { w, h } = sizes[index], { middle } = rows[box.row];
      return { node: box.node, copy: box.copy, frame: Boolean(inner[index]), x: xs[index] + dx, y: middle - (h >> 1) + dy, w, h, row: `${number} ${box.row}` };
    });
    boxes.push(...own);
    level.edges.forEach(edge => {
      const source = own[edge.from], target = own[edge.to], row = level.boxes[edge.from].row, lanes = edge.lanes || [];
      const stack = scene.nodes[source.node].shows && !source.frame ? STACK : 0;
      const foot = source.y + source.h + stack;
      const points = [[source.x + edge.out, rows[row].bottom + dy]];
      (edge.through || []).forEach((x, step) => {
        const at = rows[row + 1 + step], to = moved(row + 1 + step, x) + dx;
        points.push([to, at.top + dy], [to, at.bottom + dy]);
      });
      const end = [target.x + edge.port, target.y - BADGE], toLeft = edge.port < 0;
      const wide = 12 * Math.max(edge.forward?.length || 0, edge.backward?.length || 0); // of its label, at most
      points.push(end);
      const columns = points.map(([x]) => x);
      edges.push({
        ...edge, toLeft, from: first + edge.from, to: first + edge.to, path: way(points, lanes, foot), back: way(points, lanes, foot, true),
        x: end[0] + (toLeft ? -BESIDE : BESIDE), y: end[1] - 8,
        x0: Math.min(...columns) - wide, x1: Math.max(...columns) + wide, y0: points[0][1], y1: end[1],
      });
    });
    inner.forEach((below, index) => {
      const { x, y, w } = own[index] || {};
      if (below) put(below, x - below.width / 2 - below.left, y + HEAD);
    });
  };
  const all = measured(scene, 0, open);
  put(all, 0, 0);
  return { boxes, edges, left: all.left, right: all.left + all.width, bottom: all.height };
}
