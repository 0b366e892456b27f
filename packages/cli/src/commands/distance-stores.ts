/** `impinge distance` where a side is a store, or an error is permitted: an interval that holds the distance. */
import { distance as findDistance, type Hit, type Vec3 } from 'impinge';
import {
  type AskedOptions,
  type AskedSides,
  askedJson,
  askedTable,
  intervalText,
  lengthText,
  openSides,
  posesOfParts,
  scaledBounds,
  scaledPoint,
} from '../asked-sides.js';
import { distanceBoxBox } from '../box.js';
import { parseError } from '../quantities.js';
import { StatsSum } from '../sides.js';
import { json, milliseconds, pathEnd, point, type Terminal, table } from '../terminal.js';

/** In metres. */
interface Nearest {
  readonly distance: number;
  readonly a: { readonly object: string; readonly point: Vec3 };
  readonly b: { readonly object: string; readonly point: Vec3 };
}

interface Answer {
  readonly nearest: Nearest | undefined;
  readonly bounds: Hit['bounds'];
  readonly stats: StatsSum;
}

export async function distanceOfStores(
  nameA: string,
  nameB: string,
  atMost: number,
  options: AskedOptions,
  terminal: Terminal,
): Promise<number> {
  const permitted = parseError(options.error, '--error');
  const sides = await openSides(nameA, nameB, permitted, options);
  try {
    const start = performance.now();
    const answer = await ask(sides, atMost);
    const ms = performance.now() - start;
    if (options.json) terminal.out(json(asJson(sides, answer, atMost, ms)));
    else
      terminal.out(
        `${askedTable(sides, permitted, options)}\n${printed(sides, answer, atMost, ms, terminal)}`,
      );
    return 0;
  } finally {
    await sides.dispose();
  }
}

function asJson(sides: AskedSides, { nearest, bounds, stats }: Answer, atMost: number, ms: number) {
  const end = ({ object, point: at }: Nearest['a']) => ({ object, point: [...at] });
  return {
    a: askedJson(sides.a),
    b: askedJson(sides.b),
    error: sides.error,
    ...(atMost === Infinity ? {} : { atMost }),
    distance: nearest?.distance ?? null,
    ...(nearest && { bounds: [...bounds], closest: { a: end(nearest.a), b: end(nearest.b) } }),
    stats: { ...stats, openMs: sides.openMs, queryMs: ms },
  };
}

function printed(
  { openMs }: AskedSides,
  { nearest, bounds }: Answer,
  atMost: number,
  ms: number,
  { colors }: Terminal,
): string {
  const times = colors.dim(`opened in ${milliseconds(openMs)}, measured in ${milliseconds(ms)}`);
  if (!nearest) return `farther apart than ${lengthText(atMost)}\n\n${times}\n`;
  const [lower, upper] = bounds;
  const meet = upper === 0 ? ', they touch or overlap' : lower === 0 ? ', they may touch or overlap' : '';
  const row = (side: string, { object, point: at }: Nearest['a']) => [
    side,
    pathEnd(object, 50),
    `at ${point(at)}`,
  ];
  const ends = table([row('A', nearest.a), row('B', nearest.b)]);
  return `distance ${colors.bold(intervalText(bounds))}${meet}\n${ends}\n${times}\n`;
}

/** Parts are tried from the closest boxes on, each only as far as something was found already. */
async function ask({ a, b, metresPerUnit, error }: AskedSides, atMost: number): Promise<Answer> {
  const stats = new StatsSum();
  const candidates = a.parts.flatMap((partA) =>
    b.parts.map((partB) => ({ partA, partB, least: distanceBoxBox(partA.box, partB.box) })),
  );
  candidates.sort((p, q) => p.least - q.least);
  let nearest: Nearest | undefined;
  let lower = Infinity;
  let upper = Infinity;
  for (const { partA, partB, least } of candidates) {
    const reach = Math.min(atMost / metresPerUnit, upper);
    if (least > reach || upper === 0) break;
    const found = await findDistance(partA.thing, partB.thing, {
      ...posesOfParts(partA, partB),
      ...(reach === Infinity ? {} : { atMost: reach }),
      error: error / metresPerUnit,
    });
    stats.add(found.stats);
    const { pointA, pointB, distance } = found;
    if (!pointA || !pointB) continue;
    // two meshes are measured exactly
    const { bounds, objectA, objectB } =
      'bounds' in found ? found : { ...EXACT, bounds: [distance, distance] };
    lower = Math.min(lower, bounds[0]);
    upper = Math.min(upper, bounds[1]);
    if (nearest && metresPerUnit * distance >= nearest.distance) continue;
    nearest = {
      distance: metresPerUnit * distance,
      a: { object: partA.pathOf(objectA), point: scaledPoint(pointA, metresPerUnit) },
      b: { object: partB.pathOf(objectB), point: scaledPoint(pointB, metresPerUnit) },
    };
  }
  return { nearest, bounds: scaledBounds([lower, upper], metresPerUnit), stats };
}

const EXACT = { objectA: 0, objectB: 0 };
