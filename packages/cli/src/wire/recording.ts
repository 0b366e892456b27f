/**
 * A recording: bodies that moved, frame by frame. `Recording` of @impinge/dynamics writes it for a simulation, `lab fly
 * --record` for a flight through a stored model, `impinge path` for the way of a body, and the page of `impinge view`
 * replays it.
 *
 * It is a GLB that any glTF viewer plays, in metres with Y up. What an animation has no place for is in the document's
 * `extras.impinge`: `version`; `times`, an accessor with the seconds of all frames; `asleep`, lists of a node, its
 * first frame asleep and the frame after the last; `contacts`, how many points there are in each frame, in `counts`,
 * and an accessor of all of them, `points`; `flight`, hits and times of every frame; and `path`, what was proved.
 */
import type { Vec3 } from 'impinge';
import { areNumbers, check, fieldsOf, GlbDocument, isWhole, listOf } from './glb-document.js';
import { type RecordedBody, readBodies } from './recorded-bodies.js';

export interface RecordedRun {
  /** Of all frames, in seconds. */
  readonly times: Float32Array;
  readonly bodies: readonly RecordedBody[];
  /** Places of contacts in every frame; undefined: not recorded. */
  readonly contacts: readonly Float32Array[] | undefined;
  readonly flight: RecordedFlight | undefined;
  readonly path: RecordedPath | undefined;
}

/** The way of a body, the only one, that was proved. */
export interface RecordedPath {
  /** It keeps at least this distance from everything at every time, in metres. */
  readonly clearance: number;
  /** The object of the model that it is, if it is one: its number, and its name. */
  readonly object?: number;
  readonly name?: string;
}

/** Of a flight through a stored model, in the unit and with the axes of that. */
export interface RecordedFlight {
  /** The file name of the store. */
  readonly model: string;
  readonly metresPerUnit: number;
  /** One in each frame. */
  readonly steps: readonly FlightRecordStep[];
}

export interface FlightRecordStep {
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

const FLOAT = 5126;

/** Throws an `Error` with a one-line message for anything that is not a recording. */
export function readRecording(bytes: Uint8Array): RecordedRun {
  const glb = new GlbDocument(bytes);
  const notes = fieldsOf(fieldsOf(glb.json['extras'])['impinge']);
  const { version, asleep, contacts, flight, path } = notes;
  check(version === 1, version === undefined ? 'it has no frames of ours' : 'it is of another version');
  const times = glb.numbers(notes['times'], 'SCALAR', FLOAT);
  const isRising = times.every((time, i) => Number.isFinite(time) && (i === 0 || time > times[i - 1]));
  check(times.length > 0 && isRising, '"times" is wrong');
  return {
    times,
    bodies: readBodies(glb, times, asleep),
    contacts: contacts === undefined ? undefined : readContacts(glb, times.length, fieldsOf(contacts)),
    flight: flight === undefined ? undefined : readFlight(flight, times.length),
    path: path === undefined ? undefined : readPath(path),
  };
}

function readContacts(
  glb: GlbDocument,
  frames: number,
  contacts: ReturnType<typeof fieldsOf>,
): Float32Array[] {
  const { counts, points } = contacts;
  check(areNumbers(counts, frames) && counts.every(isWhole), '"contacts" is wrong');
  const all = points === undefined ? new Float32Array(0) : glb.numbers(points, 'VEC3', FLOAT);
  let at = 0;
  const each = counts.map((count) => all.subarray(at, (at += 3 * count)));
  check(at === all.length, '"contacts" is wrong');
  return each;
}

function readFlight(given: unknown, frames: number): RecordedFlight {
  const { model, metresPerUnit, steps } = fieldsOf(given);
  check(typeof model === 'string', '"flight.model" is wrong');
  check(Number.isFinite(metresPerUnit) && (metresPerUnit as number) > 0, '"flight.metresPerUnit" is wrong');
  check(listOf(steps).length === frames, '"flight.steps" is wrong');
  for (const [i, step] of listOf(steps).entries()) {
    const { hits, collideMs, prefetchMs } = fieldsOf(step);
    check(areNumbers([collideMs, prefetchMs], 2), `"flight.steps[${i}]" is wrong`);
    check(Array.isArray(hits) && hits.every(isHit), `"flight.steps[${i}].hits" is wrong`);
  }
  return given as RecordedFlight;
}

function readPath(given: unknown): RecordedPath {
  const { clearance, object, name } = fieldsOf(given);
  const isOfObject = isWhole(object) && typeof name === 'string';
  check(areNumbers([clearance], 1) && (object === undefined || isOfObject), '"path" is wrong');
  return given as RecordedPath;
}

function isHit(given: unknown): boolean {
  const { object, point, distance } = fieldsOf(given);
  return isWhole(object) && areNumbers(point, 3) && areNumbers(distance, 2);
}
