/**
 * A recorded flight: the way of a body through a stored model, what it hit, and the times of each step. `lab fly
 * --record` writes it, the page of `impinge view` replays it. One JSON document:
 *
 *   { "version": 1, "model": "plant.impinge", "metresPerUnit": 1, "interval": 0.0333,
 *     "body": { "positions": [x, y, z, …], "indices": [i, j, k, …] },
 *     "steps": [{ "pose": [12 numbers], "hits": [{ "object": 7, "point": [x, y, z], "distance": [0, 0.005] }],
 *                 "collideMs": 0.41, "prefetchMs": 0.03 }, …] }
 *
 * Coordinates and lengths are in the unit of the model.
 */
import type { Vec3 } from 'impinge';

export interface FlightRecord {
  readonly version: 1;
  /** The file name of the store. */
  readonly model: string;
  readonly metresPerUnit: number;
  /** Seconds between steps. */
  readonly interval: number;
  /** For drawing, in the body's own frame: three numbers per vertex, three vertices per triangle. */
  readonly body: { readonly positions: readonly number[]; readonly indices: readonly number[] };
  readonly steps: readonly FlightRecordStep[];
}

export interface FlightRecordStep {
  /** Of the body: rotation (nine numbers, row by row), then translation (three). */
  readonly pose: readonly number[];
  readonly hits: readonly FlightRecordHit[];
  /** The time of the questions, without that of reading. */
  readonly collideMs: number;
  /** The time for choosing pieces to fetch, for starting to read them, and for waiting for those that were missing. */
  readonly prefetchMs: number;
}

export interface FlightRecordHit {
  /** The number of an object of the model. */
  readonly object: number;
  /** On the object, where it is nearest. */
  readonly point: Vec3;
  /** The object is at least as far from the body as the first number, and at most as far as the second. */
  readonly distance: readonly [number, number];
}

/** Throws an `Error` with a one-line message for anything that is not a recording. */
export function readFlightRecord(text: string): FlightRecord {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Error('not a recording of a flight: it is not JSON');
  }
  const { version, model, metresPerUnit, interval, body, steps } = fieldsOf<FlightRecord>(given);
  if (version !== 1) throw new Error('not a recording of a flight, or one of another version');
  const { positions, indices } = fieldsOf<FlightRecord['body']>(body);
  require(typeof model === 'string', 'model');
  require(isPositive(metresPerUnit), 'metresPerUnit');
  require(isPositive(interval), 'interval');
  require(areNumbers(positions) && positions.length % 3 === 0, 'body.positions');
  const isVertex = (i: number) => isWhole(i) && i < positions.length / 3;
  require(areNumbers(indices) && indices.length % 3 === 0 && indices.every(isVertex), 'body.indices');
  require(Array.isArray(steps), 'steps');
  for (const [i, step] of steps.entries()) {
    const { pose, hits, collideMs, prefetchMs } = fieldsOf<FlightRecordStep>(step);
    require(areNumbers(pose, 12), `steps[${i}].pose`);
    require(areNumbers([collideMs, prefetchMs]), `steps[${i}]`);
    require(Array.isArray(hits) && hits.every(isHit), `steps[${i}].hits`);
  }
  return given as FlightRecord;
}

function isHit(given: unknown): boolean {
  const { object, point, distance } = fieldsOf<FlightRecordHit>(given);
  return isWhole(object) && areNumbers(point, 3) && areNumbers(distance, 2);
}

/** Of anything else, none. */
function fieldsOf<T>(given: unknown): { readonly [Name in keyof T]?: unknown } {
  return given instanceof Object ? given : {};
}

function areNumbers(given: unknown, count?: number): given is number[] {
  if (!Array.isArray(given) || given.length !== (count ?? given.length)) return false;
  return given.every((x) => Number.isFinite(x));
}

function isWhole(given: unknown): given is number {
  return Number.isInteger(given) && (given as number) >= 0;
}

function isPositive(given: unknown): boolean {
  return Number.isFinite(given) && (given as number) > 0;
}

function require(isRight: boolean, field: string): asserts isRight {
  if (!isRight) throw new Error(`not a recording of a flight: "${field}" is wrong`);
}
