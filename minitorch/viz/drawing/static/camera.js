// The camera of a lecture: how large a picture is shown, and what of it is seen at each stop.

const LEAST = 24.05, MOST = 44; // pixels of the smallest letters
const SPARE = 30; // around what happens, in a drawing's own pixels

const fits = (room, stills) => Math.min(...stills.flatMap(each => [room.w / each.w, room.h / each.h]));

/** All of the drawings if their letters can then be read; near: by who sits before the screen. */
export const scaleIn = (room, stills, least, near) =>
  Math.max(Math.min(fits(room, stills), MOST / least), near ? 0 : LEAST / least);

/** How large the drawings are in a room; where they cannot be read so, how much of them is seen when they can. */
export function worth(room, stills, least) {
  const scale = fits(room, stills), needed = LEAST / least;
  if (scale >= needed) return scale;
  return needed * Math.min(...stills.map(each => Math.min(1, room.w / each.w / needed) * Math.min(1, room.h / each.h / needed)));
}

/** For each stop what is seen: one view that follows what happens, or the parts of a drawing in which nothing does. */
export function views(stops, stills, { w, h }) {
  const follows = stops.some(each => each.focus);
  let x = null, y = null;
  return stops.map(({ still, focus }) => {
    if (still === undefined) return [null];
    const all = stills[still], across = along(all.w, w), down = along(all.h, h);
    if (!follows) return down.flatMap(top => across.map(left => ({ x: left, y: top, w, h })));
    x = moved(x ?? across[0], w, all.w, focus?.[0], focus?.[2]);
    y = moved(y ?? down.at(-1), h, all.h, focus?.[1], focus?.[3]);
    return [{ x, y, w, h }];
  });
}

/** Where the parts of a drawing begin, in one direction. */
function along(all, seen) {
  if (all <= seen + 1) return [(all - seen) / 2];
  const count = Math.ceil((all - SPARE) / (seen - SPARE));
  return Array.from({ length: count }, (_, number) => (all - seen) * number / (count - 1));
}

/** The view goes no further than it must. */
function moved(from, seen, all, start, long) {
  if (all <= seen + 1) return (all - seen) / 2;
  const low = start + long + SPARE - seen, high = start - SPARE;
  const to = low > high ? start + long / 2 - seen / 2 : start === undefined ? from : Math.min(Math.max(from, low), high);
  return Math.min(Math.max(to, 0), all - seen);
}
