// The camera of a lecture: how large a picture is shown, and what of it is seen at each stop.

const LEAST = 24.05, MOST = 44; // pixels of the smallest letters
const SPARE = 30; // around what happens, in a drawing's own pixels
const BOX = { w: 130, h: 70 }; // of a node: of two neighbouring parts of a drawing one has the whole of it

const PAPER = { usual: 2.3, least: 2, column: 80, width: 172, height: 215 }; // millimetres: of letters, and what pictures have room in

const fits = (room, stills) => Math.min(...stills.flatMap(each => [room.w / each.w, room.h / each.h]));

/** All of the drawings if their letters can then be read; near: by who sits before the screen. */
export const scaleIn = (room, stills, least, near) =>
  Math.max(Math.min(fits(room, stills), MOST / least), near ? 0 : LEAST / least);

/** How many millimetres a pixel is on a hand-out, and whether both columns are needed for that. */
export function onPaper({ w, h }, least) {
  const wide = w * PAPER.least / least > PAPER.column;
  return { scale: Math.min(PAPER.usual / least, (wide ? PAPER.width : PAPER.column) / w, PAPER.height / h), wide };
}

/** How large the drawings are in a room; where they cannot be read so, how little of them is cut off when they can. */
export function worth(room, stills, least) {
  const scale = fits(room, stills), needed = LEAST / least;
  if (scale >= needed) return Math.min(scale, MOST / least);
  const seen = (has, all, less) => (has < all * needed ? has / all / needed / less : 1);
  return needed * Math.min(...stills.map(({ w, h }) => seen(room.w, w, 4) * seen(room.h, h, 2))); // lines are read across
}

/** For each stop what is seen: it follows what happens, from its end to its beginning, as a gradient goes; where nothing does, or all of something else is shown, part by part. */
export function views(stops, stills, { w, h }) {
  const follows = stops.find(each => each.focus)?.focus;
  const { w: usual, h: tall } = stills[stops.find(each => each.focus)?.still] || {};
  let x = 0, y = 0, begins = follows;
  return stops.map(({ still, focus }) => {
    if (still === undefined) return [null];
    const all = stills[still], [left, top, wide, high] = focus || begins || [];
    begins = null;
    if (!follows || (!focus && (all.w !== usual || all.h !== tall))) return along(all.h, h, BOX.h).flatMap(y => along(all.w, w, BOX.w).map(x => ({ x, y, w, h })));
    return towards(y, h, all.h, top, high).flatMap(down => {
      y = down;
      return towards(x, w, all.w, left, wide).map(across => ({ x: x = across, y, w, h }));
    });
  });
}

/** Where the parts of a drawing begin, in one direction. */
function along(all, seen, box) {
  if (all <= seen + 1) return [(all - seen) / 2];
  const count = Math.ceil((all - box) / Math.max(seen - box, 1));
  return Array.from({ length: count }, (_, number) => (all - seen) * number / (count - 1));
}

/** Where what is seen begins: no further away than it must; twice where it happens in more than can be seen. */
function towards(from, seen, all, start, long) {
  if (all <= seen + 1) return [(all - seen) / 2];
  const last = all - seen, kept = at => Math.min(Math.max(at, 0), last);
  if (start === undefined) return [kept(from)];
  if (long > seen) return [kept(start + long + SPARE - seen), kept(start - SPARE)];
  const spare = Math.min(SPARE, (seen - long) / 2), at = kept(Math.min(Math.max(from, start + long + spare - seen), start - spare));
  if (at < BOX.h && start + long <= seen) return [0]; // better than half of a box at the edge
  return [last - at < BOX.h && start >= last ? last : at];
}
