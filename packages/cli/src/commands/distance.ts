/** `impinge distance`: how far two files are apart, and where. */
import { distance as distanceMeshes, type Vec3 } from 'impinge';
import { distanceBoxBox, greatestDistanceBoxBox } from '../box.js';
import type { PlacedObject } from '../placed-model.js';
import { parseLength } from '../quantities.js';
import {
  type PairOptions,
  posesOf,
  readSides,
  type Sides,
  StatsSum,
  sideJson,
  sidesTable,
} from '../sides.js';
import { isStore } from '../store-extension.js';
import { count, json, milliseconds, pathEnd, point, type Terminal, table } from '../terminal.js';

export interface DistanceOptions extends PairOptions {
  readonly error?: string;
  readonly memory: string;
  readonly atMost?: string;
}

/** One end of the shortest connection. */
interface End {
  readonly object: PlacedObject;
  readonly triangle: number;
  readonly point: Vec3;
  /** As the library numbers them: 0 … 2 corner, 3 … 5 edge, 6 the face. */
  readonly feature: number;
}

interface Closest {
  readonly distance: number;
  readonly a: End;
  readonly b: End;
}

export async function distance(
  fileA: string,
  fileB: string,
  options: DistanceOptions,
  terminal: Terminal,
): Promise<number> {
  const atMost = options.atMost === undefined ? Infinity : parseLength(options.atMost, '--at-most');
  if (options.error !== undefined || isStore(fileA) || isStore(fileB)) {
    const { distanceOfStores } = await import('./distance-stores.js');
    return distanceOfStores(fileA, fileB, atMost, options, terminal);
  }
  const sides = await readSides(fileA, fileB, options);
  const start = performance.now();
  const stats = new StatsSum();
  const found = findClosest(sides, atMost / sides.metresPerUnit, stats);
  const closest = found && inMetres(found, sides.metresPerUnit);
  const queryMs = performance.now() - start;
  if (options.json) {
    terminal.out(json(asJson(sides, closest, atMost, stats, queryMs)));
    return 0;
  }
  const { colors } = terminal;
  const times = `read in ${milliseconds(sides.readMs)}, hierarchies built and measured in ${milliseconds(queryMs)}`;
  const meet = closest?.distance === 0 ? ', they touch or overlap' : '';
  const verdict = closest
    ? `distance ${colors.bold(sides.lengthText(closest.distance))}${meet}\n${endsTable(sides, closest)}`
    : `farther apart than ${sides.lengthText(atMost)}\n`;
  terminal.out(`${sidesTable(sides, options)}\n${verdict}\n${colors.dim(times)}\n`);
  return 0;
}

/**
 * The closest pair of objects, or undefined when every pair is farther apart than `atMost`, all in the objects' unit.
 * Pairs are tried from the closest boxes on, each only as far as the best answer so far.
 */
function findClosest({ a, b }: Sides, atMost: number, stats: StatsSum): Closest | undefined {
  // boxes alone already say that some pair is at most this far apart
  let bound = atMost;
  for (const { box } of a.objects) {
    for (const other of b.objects) bound = Math.min(bound, greatestDistanceBoxBox(box, other.box));
  }
  const candidates: { a: PlacedObject; b: PlacedObject; least: number }[] = [];
  for (const objectA of a.objects) {
    for (const objectB of b.objects) {
      const least = distanceBoxBox(objectA.box, objectB.box);
      if (least <= bound) candidates.push({ a: objectA, b: objectB, least });
    }
  }
  candidates.sort((p, q) => p.least - q.least);
  let best: Closest | undefined;
  for (const { a: objectA, b: objectB, least } of candidates) {
    const reach = best?.distance ?? atMost;
    if (least > reach || best?.distance === 0) break;
    const {
      distance,
      stats: used,
      ...at
    } = distanceMeshes(objectA.mesh, objectB.mesh, {
      ...posesOf(objectA, objectB),
      ...(reach === Infinity ? {} : { atMost: reach }),
    });
    stats.add(used);
    if (at.pointA === undefined || at.pointB === undefined || (best && distance >= best.distance)) continue;
    best = {
      distance,
      a: { object: objectA, triangle: at.triangleA, point: at.pointA, feature: at.featureA },
      b: { object: objectB, triangle: at.triangleB, point: at.pointB, feature: at.featureB },
    };
  }
  return best;
}

function inMetres({ distance, a, b }: Closest, metresPerUnit: number): Closest {
  const end = ({ point: [x, y, z], ...rest }: End): End => ({
    ...rest,
    point: [metresPerUnit * x, metresPerUnit * y, metresPerUnit * z],
  });
  return { distance: metresPerUnit * distance, a: end(a), b: end(b) };
}

function endsTable(sides: Sides, closest: Closest): string {
  const severalA = sides.a.objects.length > 1;
  const severalB = sides.b.objects.length > 1;
  const row = (side: string, { object, triangle, point: at, feature }: End, several: boolean) => [
    side,
    ...(severalA || severalB ? [several ? pathEnd(object.path, 50) : ''] : []),
    `triangle ${count(triangle)}, ${featureText(feature)}`,
    `at ${point(at)}`,
  ];
  return table([row('A', closest.a, severalA), row('B', closest.b, severalB)]);
}

function featureText(feature: number): string {
  const { kind, corners } = featureOf(feature);
  return kind === 'face' ? kind : `${kind} ${corners.join('–')}`;
}

/** What of a triangle a point lies on, and the corners (0 … 2) that span it. */
function featureOf(feature: number): { kind: 'corner' | 'edge' | 'face'; corners: number[] } {
  if (feature < 3) return { kind: 'corner', corners: [feature] };
  if (feature < 6) return { kind: 'edge', corners: [feature - 3, (feature - 2) % 3] };
  return { kind: 'face', corners: [0, 1, 2] };
}

function asJson(
  sides: Sides,
  closest: Closest | undefined,
  atMost: number,
  stats: StatsSum,
  queryMs: number,
) {
  const end = ({ object, triangle, point: at, feature }: End) => ({
    object: object.path,
    triangle,
    feature: featureOf(feature),
    point: [...at],
  });
  return {
    a: sideJson(sides.a),
    b: sideJson(sides.b),
    ...(atMost === Infinity ? {} : { atMost }),
    distance: closest?.distance ?? null,
    ...(closest ? { closest: { a: end(closest.a), b: end(closest.b) } } : {}),
    stats: { ...stats, readMs: sides.readMs, queryMs },
  };
}
