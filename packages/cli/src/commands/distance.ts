/**
 * `impinge distance`: the distance of two sides, and where it is. If a side is a store with levels and an error is
 * permitted, an interval that contains the distance.
 */
import {
  distance as findDistance,
  type Hit,
  type PartsTarget,
  type PenetrationResult,
  penetration,
  type Vec3,
} from 'impinge';
import { type Asked, openAsked } from '../asked.js';
import { distanceBoxBox, greatestDistanceBoxBox } from '../box.js';
import { parseLength } from '../quantities.js';
import { type AskedPart, type AskOptions, intervalText, posesOf, StatsSum, scaledPoint } from '../sides.js';
import { count, direction, json, milliseconds, pathEnd, point, type Terminal, table } from '../terminal.js';

export interface DistanceOptions extends AskOptions {
  readonly atMost?: string;
}

/** One end of the shortest connection, in metres. */
interface End {
  readonly object: string;
  readonly point: Vec3;
  /** For meshes. Features are numbered as in the library: 0 … 2 corner, 3 … 5 edge, 6 the face. */
  readonly on: { readonly triangle: number; readonly feature: number } | undefined;
}

interface Answer {
  readonly closest: { readonly distance: number; readonly a: End; readonly b: End } | undefined;
  /** How deep the closest objects may overlap, if an error is permitted; in metres. */
  readonly overlap: Pick<PenetrationResult, 'depth' | 'atLeast' | 'direction'> | undefined;
  readonly bounds: Hit['bounds'];
  readonly stats: StatsSum;
}

export async function distance(
  nameA: string,
  nameB: string,
  options: DistanceOptions,
  terminal: Terminal,
): Promise<number> {
  const atMost = options.atMost === undefined ? Infinity : parseLength(options.atMost, '--at-most');
  const asked = await openAsked(nameA, nameB, options);
  try {
    const start = performance.now();
    const answer = await findClosest(asked, atMost);
    const ms = performance.now() - start;
    if (options.json) terminal.out(json(asJson(asked, answer, atMost, ms)));
    else terminal.out(`${asked.table}\n${printed(asked, answer, atMost, ms, terminal)}`);
    return 0;
  } finally {
    await asked.dispose();
  }
}

/** Tries parts from the closest boxes on, each only up to the distance found so far. */
async function findClosest({ a, b, metresPerUnit, error }: Asked, atMost: number): Promise<Answer> {
  // the boxes alone prove that some pair is at most this far apart
  let bound = atMost / metresPerUnit;
  for (const { box } of a) {
    for (const other of b) bound = Math.min(bound, greatestDistanceBoxBox(box, other.box));
  }
  const candidates = a
    .flatMap((partA) => b.map((partB) => ({ partA, partB, least: distanceBoxBox(partA.box, partB.box) })))
    .filter(({ least }) => least <= bound);
  candidates.sort((p, q) => p.least - q.least);
  const stats = new StatsSum();
  let closest: Answer['closest'];
  let measureOverlap = async (): Promise<PenetrationResult | undefined> => undefined;
  let lower = Infinity;
  let upper = Infinity;
  for (const { partA, partB, least } of candidates) {
    const reach = Math.min(atMost / metresPerUnit, upper);
    if (least > reach || upper === 0) break;
    const found = await findDistance(partA.thing, partB.thing, {
      ...posesOf(partA, partB),
      ...(reach === Infinity ? {} : { atMost: reach }),
      ...(error > 0 && { error: error / metresPerUnit }),
    });
    stats.add(found.stats);
    const { pointA, pointB, distance } = found;
    if (!pointA || !pointB) continue;
    lower = Math.min(lower, metresPerUnit * found.bounds[0]);
    upper = Math.min(upper, found.bounds[1]);
    if (closest && metresPerUnit * distance >= closest.distance) continue;
    const end = (part: AskedPart, at: Vec3, side: 'A' | 'B'): End => ({
      object: part.pathOf(found[`object${side}`] ?? 0),
      point: scaledPoint(at, metresPerUnit),
      // for two meshes
      on:
        found.objectA === undefined
          ? { triangle: found[`triangle${side}`], feature: found[`feature${side}`] }
          : undefined,
    });
    closest = {
      distance: metresPerUnit * distance,
      a: end(partA, pointA, 'A'),
      b: end(partB, pointB, 'B'),
    };
    const [objectA, objectB] = [found.objectA ?? 0, found.objectB ?? 0];
    measureOverlap = () =>
      // only stores are asked with an error
      penetration(partA.objectOf(objectA) as PartsTarget, partB.objectOf(objectB), {
        ...posesOf(partA, partB),
        error: error / metresPerUnit,
      });
  }
  const found = error > 0 && lower === 0 ? await measureOverlap() : undefined;
  const overlap = found?.overlapping
    ? {
        depth: metresPerUnit * found.depth,
        atLeast: metresPerUnit * found.atLeast,
        direction: found.direction,
      }
    : undefined;
  if (found) stats.add(found.stats);
  return { closest, overlap, bounds: [lower, metresPerUnit * upper], stats };
}

function asJson(asked: Asked, { closest, overlap, bounds, stats }: Answer, atMost: number, queryMs: number) {
  const end = ({ object, point: at, on }: End) => ({
    object,
    ...(on && { triangle: on.triangle, feature: featureOf(on.feature) }),
    point: [...at],
  });
  return {
    ...asked.json,
    ...(atMost === Infinity ? {} : { atMost }),
    distance: closest?.distance ?? null,
    ...(closest && { bounds: [...bounds], closest: { a: end(closest.a), b: end(closest.b) } }),
    ...(overlap && { overlap: { depth: [overlap.atLeast, overlap.depth], direction: overlap.direction } }),
    stats: { ...stats, readMs: asked.readMs, queryMs },
  };
}

function printed(
  asked: Asked,
  { closest, overlap, bounds }: Answer,
  atMost: number,
  ms: number,
  { colors }: Terminal,
): string {
  const times = colors.dim(`read in ${milliseconds(asked.readMs)}, measured in ${milliseconds(ms)}`);
  if (!closest) return `farther apart than ${asked.lengthText(atMost)}\n\n${times}\n`;
  const [lower, upper] = bounds;
  const meet = upper === 0 ? ', they touch or overlap' : lower === 0 ? ', they may touch or overlap' : '';
  const isNamed = asked.a.length > 1 || asked.b.length > 1 || !closest.a.on;
  const row = (side: string, { object, on, point: at }: End) => [
    side,
    ...(isNamed ? [pathEnd(object, 50)] : []),
    ...(on ? [`triangle ${count(on.triangle)}, ${featureText(on.feature)}`] : []),
    `at ${point(at)}`,
  ];
  const ends = table([row('A', closest.a), row('B', closest.b)]);
  const deep = overlap
    ? `  to separate B: ${intervalText([overlap.atLeast, overlap.depth], asked.lengthText)} ` +
      `along ${direction(overlap.direction)}\n`
    : '';
  return `distance ${colors.bold(intervalText(bounds, asked.lengthText))}${meet}\n${ends}${deep}\n${times}\n`;
}

function featureText(feature: number): string {
  const { kind, corners } = featureOf(feature);
  return kind === 'face' ? kind : `${kind} ${corners.join('–')}`;
}

/** The feature of a triangle that contains a point, and the corners (0 … 2) that span it. */
function featureOf(feature: number): { kind: 'corner' | 'edge' | 'face'; corners: number[] } {
  if (feature < 3) return { kind: 'corner', corners: [feature] };
  if (feature < 6) return { kind: 'edge', corners: [feature - 3, (feature - 2) % 3] };
  return { kind: 'face', corners: [0, 1, 2] };
}
