/**
 * Stretches between numbered ends, linked to curves: each is in one curve, once. First those that begin where something
 * is loose, then the closed ones. Of several ways on, the one that runs the same way comes first, then the one with the
 * lowest triangle.
 */
export interface SectionCurve {
  /** Three numbers each; the first is not repeated at the end of a closed curve. */
  readonly points: Float64Array;
  readonly closed: boolean;
  /** The triangle that each stretch, from one point to the next, is on. */
  readonly triangles: Uint32Array;
}

/** `stretches`: from, to, triangle; `points`: three numbers for each end. `turned`: curves run the other way. */
export function linkStretches(
  stretches: readonly number[],
  points: Float64Array,
  turned: boolean,
): SectionCurve[] {
  const count = stretches.length / 3;
  const ends = points.length / 3;
  const starting: number[][] = Array.from({ length: ends }, () => []);
  const ending: number[][] = Array.from({ length: ends }, () => []);
  for (let s = 0; s < count; s++) {
    starting[stretches[3 * s]].push(s);
    ending[stretches[3 * s + 1]].push(s);
  }
  const used = new Uint8Array(count);
  /** The next unused stretch at an end; −1 − s where it is to be run backwards. */
  const next = (end: number): number | undefined => {
    const on = starting[end].find((s) => !used[s]);
    if (on !== undefined) return on;
    const back = ending[end].find((s) => !used[s]);
    return back === undefined ? undefined : -1 - back;
  };
  const curves: SectionCurve[] = [];
  const follow = (from: number): void => {
    const chain = [from];
    const triangles: number[] = [];
    for (let step = next(from); step !== undefined; step = next(chain[chain.length - 1])) {
      const s = step < 0 ? -1 - step : step;
      used[s] = 1;
      chain.push(stretches[3 * s + (step < 0 ? 0 : 1)]);
      triangles.push(stretches[3 * s + 2]);
      if (chain[chain.length - 1] === from) break;
    }
    const curve = curveOf(chain, triangles, points, turned);
    if (curve) curves.push(curve);
  };
  // loose ends first: more stretches begin there than end, then any with an odd number of them
  for (let end = 0; end < ends; end++) {
    for (let i = starting[end].length - ending[end].length; i > 0; i--)
      if (starting[end].some((s) => !used[s])) follow(end);
  }
  for (let end = 0; end < ends; end++) {
    const left = [...starting[end], ...ending[end]].filter((s) => !used[s]).length;
    if (left % 2 === 1) follow(end);
  }
  for (let s = 0; s < count; s++) if (!used[s]) follow(stretches[3 * s]);
  return curves;
}

/** Leaves out stretches without length, and what is then no more than a point, or a way there and back. */
function curveOf(
  chain: readonly number[],
  triangles: readonly number[],
  points: Float64Array,
  turned: boolean,
): SectionCurve | undefined {
  const closed = chain[0] === chain[chain.length - 1];
  const kept: number[] = [chain[0]];
  const on: number[] = [];
  const isSame = (i: number, j: number) => [0, 1, 2].every((k) => points[3 * i + k] === points[3 * j + k]);
  for (let i = 1; i < chain.length; i++) {
    if (isSame(chain[i], kept[kept.length - 1])) continue;
    kept.push(chain[i]);
    on.push(triangles[i - 1]);
  }
  if (closed && kept.length > 1) {
    // the last is where the first is, or was left out for that
    if (isSame(kept[kept.length - 1], kept[0])) kept.pop();
  }
  if (kept.length < (closed ? 3 : 2)) return undefined;
  if (turned) {
    kept.reverse();
    on.reverse();
    // a closed curve begins with the stretch that ended it
    if (closed) on.push(on.shift()!);
  }
  return {
    points: Float64Array.from(kept.flatMap((i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]])),
    closed,
    triangles: Uint32Array.from(on),
  };
}
