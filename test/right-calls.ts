/**
 * Calls that are right, made wrong one place at a time: each argument, and each part of those that are plain objects,
 * is replaced by what does not belong there. What comes then is an ImpingeError, or an answer, but no other error.
 */
import { ImpingeError, Mesh } from 'impinge';
import { expect, test } from 'vitest';
import { some } from './budget.js';

export const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((c) => [c & 1, (c >> 1) & 1, c >> 2]);
export const FACES = [
  0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
];
export const arrays = () => ({
  positions: Float32Array.from(CORNERS),
  indices: Uint32Array.from(FACES),
  name: 'cube',
});
const disposed = Mesh.from(arrays());
disposed.dispose();
export const pose = () => ({ rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [0.5, 0, 0] });

function detached(): Float32Array {
  const array = new Float32Array(24);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

/** What takes the place of an argument, or of a part of one. */
const WRONG: readonly (readonly [string, () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['NaN', () => Number.NaN],
  ['−1', () => -1],
  ['1.5', () => 1.5],
  ['Infinity', () => Infinity],
  ['a text', () => 'x'],
  ['true', () => true],
  ['a bigint', () => 7n],
  ['a symbol', () => Symbol('x')],
  ['an object', () => ({})],
  ['an object without a prototype', () => Object.create(null)],
  ['an empty list', () => []],
  ['a list of texts', () => ['a', 'b', 'c']],
  ['frozen numbers', () => Object.freeze([0, 1, 2])],
  ['a function', () => () => 1],
  ['a detached array', detached],
  ['a shared array', () => new Uint32Array(new SharedArrayBuffer(12))],
  ['a disposed mesh', () => disposed],
];

interface Call {
  readonly name: string;
  readonly args: () => unknown[];
  readonly call: (...args: unknown[]) => unknown;
}

/** The right calls of some entry points. */
export class RightCalls {
  readonly #calls: Call[] = [];

  /** A call that is right, with arguments to put others in the place of. Its name begins with that of an export. */
  // biome-ignore lint/suspicious/noExplicitAny: what is called wrongly has no types
  readonly api = (name: string, args: () => unknown[], call: (...args: any[]) => unknown): void => {
    this.#calls.push({ name, args, call });
  };

  /** Makes tests of them, and one that no function of the entry points is missing but those that `exempt` names. */
  test(entryPoints: readonly object[], exempt: readonly string[]): void {
    test('every export that can be called is called', () => {
      const exported = entryPoints.flatMap((entry) => Object.entries(entry));
      const names = exported.filter(([, value]) => typeof value === 'function').map(([name]) => name);
      const called = new Set(this.#calls.map(({ name }) => name.match(/^\w+/)?.[0]));
      expect(names.filter((name) => !called.has(name)).sort()).toEqual([...exempt].sort());
    });
    test.each(this.#calls.map((call) => [call.name, call] as const))('%s', (_, call) =>
      expectNoRawError(call),
    );
    const bags = this.#calls.filter(({ args }) => [...bagPlaces(args())].length > 0);
    test.each(bags.map((call) => [call.name, call] as const))('%s: no other options', (_, call) =>
      expectKnownOptions(call),
    );
    const posed = this.#calls.filter(({ args }) => [...posePlaces(args())].length > 0);
    test.each(posed.map((call) => [call.name, call] as const))('%s: poses in every form', (_, call) =>
      expectAllPoses(call),
    );
  }
}

/** One pose in all the forms that there are. */
const POSES: readonly (readonly [string, unknown])[] = [
  ['a rotation of nine numbers', pose()],
  ['a quaternion', { rotation: [0, 0, 0, 1], translation: [0.5, 0, 0] }],
  ['a translation', { translation: Float32Array.of(0.5, 0, 0) }],
  ['sixteen numbers', [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0, 0, 1]],
  ['twelve numbers', [1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0, 0]],
  ['what the library hands out', Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0, 0)],
];

/** The ways to all poses among arguments. */
function* posePlaces(value: unknown, way: readonly (string | number)[] = []): Generator<typeof way> {
  if (isPlain(value) && 'rotation' in value) yield way;
  else if (isPlain(value)) for (const key of Object.keys(value)) yield* posePlaces(value[key], [...way, key]);
  else if (Array.isArray(value))
    for (const [i, part] of value.entries()) yield* posePlaces(part, [...way, i]);
}

/** All poses in a form make no difference to the answer, where that is one of plain numbers and lists. */
async function expectAllPoses({ args, call }: Call): Promise<void> {
  const answers: unknown[] = [];
  for (const [, form] of POSES) {
    let asked: unknown = args();
    for (const way of posePlaces(args())) asked = replaced(asked, way, form);
    const answer = await call(...(asked as unknown[]));
    answers.push(isPlain(answer) ? answer : undefined);
  }
  for (const answer of answers) expect(answer).toEqual(answers[0]);
}

/**
 * What names its parts, but is no bag of options: shapes, rays, surfaces and the like; in a list by one of these parts.
 */
const DATA = [
  ...[
    'positions',
    'position',
    'attributes',
    'array',
    'rotation',
    'translation',
    'origin',
    'origins',
    'from',
    'centre',
    'centres',
    'min',
  ],
  ...[
    'normal',
    'points',
    'projection',
    'bound',
    'geometry',
    'cellSize',
    'byteLength',
    'title',
    'id',
    'shape',
    'object',
  ],
  ...['mass', 'velocity', 'seconds', 'pixels', 's', 'type', 'set', 'path', 'openings'],
];

/** The ways to all bags of options among arguments. */
function* bagPlaces(value: unknown, way: readonly (string | number)[] = []): Generator<typeof way> {
  if (isPlain(value)) {
    if (!DATA.some((name) => name === Object.keys(value)[0])) yield way;
    for (const key of Object.keys(value)) yield* bagPlaces(value[key], [...way, key]);
  } else if (Array.isArray(value)) {
    for (const [i, part] of value.entries()) yield* bagPlaces(part, [...way, i]);
  }
}

/** Options with a name that nobody reads are refused, with that name. */
async function expectKnownOptions({ args, call }: Call): Promise<void> {
  for (const way of bagPlaces(args())) {
    const bag = way.reduce((of, key) => (of as Record<string | number, unknown>)[key], args() as unknown);
    const stray = replaced(args(), way, { ...(bag as object), strayOption: 1 }) as unknown[];
    const answer = await Promise.resolve()
      .then(() => call(...stray))
      .catch((error: unknown) => error);
    const { code, message } = answer instanceof ImpingeError ? answer : { code: 'taken', message: '' };
    expect(`${way.join('.')}: ${code}, ${message.match(/strayOption/)}`).toBe(
      `${way.join('.')}: bad-option, strayOption`,
    );
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The ways to every argument, and to every part of those that are plain objects. */
function* places(
  value: unknown,
  way: readonly (string | number)[] = [],
): Generator<readonly (string | number)[]> {
  if (way.length > 0) yield way;
  if (way.length > 3) return;
  if (way.length === 0) for (const [i, part] of (value as unknown[]).entries()) yield* places(part, [i]);
  else if (isPlain(value)) for (const key of Object.keys(value)) yield* places(value[key], [...way, key]);
}

function replaced(value: unknown, way: readonly (string | number)[], by: unknown): unknown {
  if (way.length === 0) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[way[0]] = replaced(copy[way[0]], way.slice(1), by);
  return copy;
}

async function outcome(call: Call['call'], args: unknown[]): Promise<string | undefined> {
  try {
    await call(...args);
  } catch (error) {
    if (!(error instanceof ImpingeError)) return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return undefined;
}

async function expectNoRawError({ args, call }: Call): Promise<void> {
  await call(...args()); // right, it works
  const raw: string[] = [];
  let turn = 0;
  for (const way of places(args())) {
    for (const [what, wrong] of some(WRONG, turn++)) {
      const failed = await outcome(call, replaced(args(), way, wrong()) as unknown[]);
      if (failed !== undefined) raw.push(`${way.join('.')} is ${what}: ${failed}`);
    }
  }
  expect(raw).toEqual([]);
}

/**
 * Exports of `@impinge/model` and `@impinge/dynamics` that misuse-entry-points.test.ts calls; misuse.test.ts calls the
 * rest.
 */
export const CALLED_BY_ENTRY_POINTS = [
  ...['Drawing', 'readPieces', 'LevelsTarget', 'openStoreUrl', 'UrlSource'],
  ...['buildContactLevels', 'ContactLevels', 'ContactPair'],
];
