/**
 * Sessions: each step answers as if every object had been looked at, in fixed memory, without waiting. The cap is on
 * the whole memory of the thread, so that this file needs a process of its own.
 */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { arena } from 'impinge/internal/base/arena.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { collide } from 'impinge/internal/query/pair/collide.js';
import { distance } from 'impinge/internal/query/pair/distance.js';
import { within } from 'impinge/internal/query/pair/within.js';
import { asPose } from 'impinge/internal/query/solid/placed-pair.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { box, icosphere } from '../../../../lab/scenes/index.mjs';
import { runs } from '../../../../test/budget.js';
import { LevelsTarget } from '../../src/level-queries/levels-target.js';
import { FileSink, FileSource } from '../../src/node/files.js';
import { Session } from '../../src/session/session.js';
import type { SessionBody, SessionHits } from '../../src/session/session-body.js';
import { openStore } from '../../src/store/open.js';
import { MemorySource, type PageSource } from '../../src/store/page-source.js';
import type { ShapeArrays, SourceShape } from '../../src/store/source.js';
import { StoreWriter } from '../../src/store/writer.js';
import { recipes, shapesOf, wholeObjects } from '../check/scenes.js';
import { poseOf } from '../check/support.js';
import { META, moved, named, slowSource, storeBytes, storeOf } from '../store/fixtures.js';

const BALL = icosphere(2, 0.5) as ShapeArrays;
const BAR = box(2, 0.25, 0.25) as ShapeArrays;

/** Something in the session as brute force sees it. */
interface TestObject {
  readonly mesh: Mesh;
  pose: RigidPose;
}

const place = fc.record({
  shift: fc.tuple(
    ...([0, 1, 2] as const).map(() => fc.integer({ min: -8, max: 8 }).map((n) => n / 4)),
  ) as fc.Arbitrary<[number, number, number]>,
  angle: fc.constantFrom(0, 0, 0.7, 3),
});
const at = ({ shift, angle }: { shift: [number, number, number]; angle: number }) =>
  poseOf([0.3, 1, 0.2], angle, shift);

const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('move' as const), which: fc.nat(9), to: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hide' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('show' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('take' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat(9) }) },
);

/** What an answer says, by names of objects and bodies. */
type Counts = Map<string, number>;

const posed = (a: TestObject, b: TestObject) => ({ poseA: asPose(a.pose), poseB: asPose(b.pose) });

/** A source whose reads are done some steps after they were asked for, when it is told that it is time. */
class TimedSource implements PageSource {
  step = -1; // before the first, reads are done at once
  readonly #memory: MemorySource;
  readonly #steps: number;
  #waiting: { readonly due: number; readonly read: () => void }[] = [];

  constructor(bytes: Uint8Array, steps: number) {
    this.#memory = new MemorySource(bytes);
    this.#steps = steps;
  }
  get byteLength(): number {
    return this.#memory.byteLength;
  }
  async read(from: number, into: readonly Uint8Array[]): Promise<void> {
    if (this.step >= 0) {
      await new Promise<void>((read) => this.#waiting.push({ due: this.step + this.#steps, read }));
    }
    this.#memory.readNow(from, into);
  }
  /** Does what is due by now. */
  deliver(by = this.step): void {
    const due = this.#waiting.filter((one) => one.due <= by);
    this.#waiting = this.#waiting.filter((one) => one.due > by);
    for (const { read } of due) read();
  }
}

const CAP = 3.25 * 2 ** 20;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A lane between balls, several megabytes of them. */
function lane(length: number): SourceShape[] {
  const geometry = icosphere(10, 0.6) as ShapeArrays;
  return Array.from({ length }, (_, i) => ({
    geometry,
    objects: [named(`ball ${i}`, moved(i, i % 2 === 0 ? 0.7 : -0.7, 0))],
  }));
}

describe('a walk through more than fits', () => {
  test('keeps to the cap, and waits for nothing after its first step', async () => {
    const model = await openStore(slowSource(await storeBytes(lane(240))));
    const session = new Session(model, { memory: CAP });
    const mesh = Mesh.from(icosphere(3, 0.3));
    const body = session.add(mesh, { pose: { translation: [0, 0, 0] } });
    let waitedAtFirst = 0;
    let contacts = 0;
    const STEPS = 2000;
    for (let i = 0; i <= STEPS; i++) {
      body.move({ translation: [(240 * i) / STEPS, 0.2 * Math.sin(i / 50), 0] });
      contacts += (await body.hits()).count;
      if (i === 1) waitedAtFirst = session.stats.waits;
      await turn();
      await turn();
    }
    expect(session.stats.waits).toBe(waitedAtFirst);
    expect(contacts).toBeGreaterThan(STEPS / 4);
    expect(session.stats.bytesRead).toBeGreaterThan(1.5 * CAP);
    expect(session.stats.loads).toBe(240); // none was dropped too early
    expect(session.stats.peakBytes).toBeLessThanOrEqual(CAP);
    await session.dispose();
    mesh.dispose();
  });

  test('waits for nothing although every read takes sixty steps, on a path that winds', async () => {
    const source = new TimedSource(await storeBytes(lane(60)), 60);
    const session = new Session(await openStore(source), { memory: CAP });
    const mesh = Mesh.from(icosphere(3, 0.3));
    const body = session.add(mesh, { pose: { translation: [0, 0, 0] } });
    const waited: number[] = [];
    let contacts = 0;
    for (source.step = 0; source.step <= 500; source.step++) {
      source.deliver();
      await turn();
      const before = session.stats.waits;
      body.move({ translation: [0.12 * source.step, 0.2 * Math.sin(source.step / 20), 0] });
      const asked = body.hits();
      if (session.stats.waits > before) {
        waited.push(source.step);
        source.deliver(Infinity);
      }
      contacts += (await asked).count;
    }
    // what lay in its way from the start was asked for when it began to move
    expect(waited.length).toBeGreaterThan(0);
    expect(Math.max(...waited)).toBeLessThanOrEqual(60);
    expect(contacts).toBeGreaterThan(100);
    await session.dispose();
    mesh.dispose();
  });

  test('jumps about and keeps to the cap as well', async () => {
    const model = await openStore(await storeOf(lane(240)));
    const session = new Session(model, { memory: CAP });
    const mesh = Mesh.from(icosphere(3, 0.3));
    const body = session.add(mesh);
    for (let i = 0; i < runs(300); i++) {
      body.move({ translation: [(i * 97) % 240, 0, 0] });
      const met = (await body.hits()).hits.map(({ object }) => object);
      const x = (i * 97) % 240;
      expect(met).toContain(x);
      expect(met.length).toBeLessThanOrEqual(3);
      await turn();
    }
    expect(session.stats.peakBytes).toBeLessThanOrEqual(CAP);
    expect(session.stats.evictions).toBeGreaterThan(100);
    await session.dispose();
    mesh.dispose();
  });

  test('leaves nothing in memory, also when reads are under way', async () => {
    const bytes = await storeBytes(lane(60));
    const mesh = Mesh.from(BALL);
    const before = arena().usedBytes;
    const session = new Session(await openStore(slowSource(bytes)), { memory: CAP });
    session.add(mesh, { pose: { translation: [30, 0, 0] } });
    const taken = await session.take(3);
    taken.move({ translation: [10, 0, 0] });
    await session.dispose();
    await turn();
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
    mesh.dispose();
  });
});

describe('errors', () => {
  const codeOf = async (work: () => unknown): Promise<string> => {
    try {
      await work();
    } catch (error) {
      if (error instanceof ImpingeError) return `${error.code}: ${error.message}`;
      throw error;
    }
    return 'no error';
  };

  test('say what is wrong with a request', async () => {
    const model = await openStore(await storeOf(lane(3)));
    expect(await codeOf(() => new Session(model, { horizon: -1 }))).toMatch(/^bad-option: horizon/);
    const session = new Session(model);
    const mesh = Mesh.from(BALL);
    const body = session.add(mesh);
    for (const object of [-1, 3, 0.5, Number.NaN]) {
      expect(await codeOf(() => session.hide(object))).toMatch(/^bad-input: the model has no object/);
      expect(await codeOf(() => session.take(object))).toMatch(/^bad-input: the model has no object/);
    }
    session.hide(1);
    expect(await codeOf(() => session.hide(1))).toMatch(/^bad-input: object 1 is hidden already/);
    expect(await codeOf(() => session.take(1))).toMatch(/^bad-input: object 1 is hidden already/);
    expect(await codeOf(() => session.show(0))).toMatch(/^bad-input: object 0 is not hidden/);
    expect(await codeOf(() => body.hits({ distance: -1 }))).toMatch(/^bad-option: distance/);
    expect(await codeOf(() => body.distance({ atMost: Number.NaN }))).toMatch(/^bad-option: atMost/);
    expect(await codeOf(() => body.move({ translation: [0, Number.NaN, 0] }))).toMatch(/^non-finite: pose/);
    body.remove();
    expect(await codeOf(() => body.remove())).toMatch(/^removed: body 0/);
    expect(await codeOf(() => body.hits())).toMatch(/^removed: body 0/);
    mesh.dispose();
    expect(await codeOf(() => session.add(mesh))).toMatch(/^disposed/);
    await session.dispose();
  });

  test.each(['at once', 'in its own time'])(
    'an altered page, read %s: named; the rest stays usable',
    async (how) => {
      const bytes = await storeBytes(lane(40));
      const { directory } = await openStore(new MemorySource(bytes));
      bytes[directory.pieceByteOffset[20] + 300] ^= 4;
      const before = arena().usedBytes;
      const mesh = Mesh.from(icosphere(2, 0.4));
      const session = new Session(
        await openStore(how === 'at once' ? new MemorySource(bytes) : slowSource(bytes)),
        { memory: CAP },
      );
      const body = session.add(mesh);
      for (let i = 0; i < 3; i++) {
        body.move({ translation: [20, 0, 0] });
        for (const ask of [() => body.hits(), () => body.distance(), () => session.take(20)]) {
          expect(await codeOf(ask)).toBe(
            'bad-buffer: page 20 of the store was altered: it does not match its checksum',
          );
          await turn();
        }
        body.move({ translation: [5, 0, 0] });
        expect((await body.hits()).hits.map(({ object }) => object)).toContain(5);
      }
      for (let x = 25; x < 39; x++) {
        body.move({ translation: [x, 0, 0] });
        await body.hits();
      }
      expect(session.stats.peakBytes).toBeLessThanOrEqual(CAP);
      await session.dispose();
      mesh.dispose();
      expect(arena().usedBytes).toBeLessThanOrEqual(before);
    },
  );
});

describe('every step of a random walk', () => {
  test.each([
    [81, 8192, 2 ** 27],
    [82, 64, 2 ** 27],
    [83, 64, 2 ** 18],
  ])('seed %i, pieces of %i triangles, %i bytes', async (seed, pieceTriangles, memory) => {
    await fc.assert(
      fc.asyncProperty(
        recipes,
        fc.array(place, { minLength: 1, maxLength: 2 }),
        fc.array(action, { minLength: 3, maxLength: 8 }),
        fc.constantFrom(0, 0.25, 1),
        async (recipe, starts, actions, nearby) => {
          const shapes = shapesOf(recipe);
          const model = await openStore(await storeOf(shapes, { pieceTriangles }));
          const session = new Session(model, { memory, horizon: 5 });
          const objects = wholeObjects(model, shapes).map(
            ({ parts, pose }): TestObject => ({ mesh: parts.meshes[0], pose }),
          );
          const hidden = new Set<number>();
          const bodies = new Map<SessionBody, TestObject>();
          const meshes = [Mesh.from(BALL), Mesh.from(BAR)];
          starts.forEach((start, i) => {
            const thing = { mesh: meshes[i % 2], pose: at(start) };
            bodies.set(session.add(thing.mesh, { pose: asPose(thing.pose) }), thing);
          });
          const others = function* (own: SessionBody): Generator<[string, TestObject]> {
            for (const [i, thing] of objects.entries()) if (!hidden.has(i)) yield [`object ${i}`, thing];
            for (const [id, thing] of bodies) if (id !== own) yield [`body ${id.id}`, thing];
          };
          for (const step of actions) {
            const id = [...bodies.keys()][step.which % Math.max(1, bodies.size)];
            const object = step.which % model.objectCount;
            if (step.do === 'move' && bodies.size > 0) {
              bodies.get(id)!.pose = at(step.to);
              id.move(asPose(at(step.to)));
            } else if (step.do === 'hide' && !hidden.has(object)) {
              session.hide(object);
              hidden.add(object);
            } else if (step.do === 'show' && hidden.delete(object)) session.show(object);
            else if (step.do === 'take' && !hidden.has(object)) {
              hidden.add(object);
              bodies.set(await session.take(object), { ...objects[object] });
            } else if (step.do === 'remove' && bodies.size > 0) {
              id.remove();
              bodies.delete(id);
            }
            for (const [own, thing] of bodies) {
              const expected: Counts = new Map();
              const near: Counts = new Map();
              let least = Infinity;
              for (const [name, other] of others(own)) {
                const met = collide(thing.mesh, other.mesh, posed(thing, other)).count;
                if (met > 0) expected.set(name, met);
                const close = within(thing.mesh, other.mesh, {
                  ...posed(thing, other),
                  distance: nearby,
                  mode: 'all',
                });
                if (close.count > 0) near.set(name, close.count);
                least = Math.min(least, distance(thing.mesh, other.mesh, posed(thing, other)).distance);
              }
              const names = ({ hits }: SessionHits) =>
                new Map(
                  hits.map(({ object: o, body, count }) => [
                    o === undefined ? `body ${body!.id}` : `object ${o}`,
                    count,
                  ]),
                );
              expect(names(await own.hits())).toEqual(expected);
              expect([...names(await own.hits({ mode: 'any' })).keys()]).toEqual([...expected.keys()]);
              expect(names(await own.hits({ distance: nearby }))).toEqual(near);
              const found = await own.distance();
              expect(found.distance === least || Math.abs(found.distance - least) < 1e-12).toBe(true);
              if (least < Infinity) {
                const apart = found.pointA!.map((x, k) => x - found.pointB![k]);
                expect(Math.hypot(...apart)).toBeCloseTo(least, 9);
              }
              const short = await own.distance({ atMost: least / 2 });
              expect(short.distance).toBe(least === 0 ? 0 : Infinity);
            }
          }
          await session.dispose();
          for (const mesh of new Set([...meshes, ...objects.map((thing) => thing.mesh)])) mesh.dispose();
        },
      ),
      { seed, numRuns: runs(12) },
    );
  });
});

const folder = await mkdtemp(join(tmpdir(), 'impinge-test-'));
afterAll(() => rm(folder, { recursive: true }));
const BALLS = 16;
const path = join(folder, 'lane.impinge');

/** A lane between lumpy balls, each of its own shape, with levels. */
async function writeLane(): Promise<void> {
  const file = await open(path, 'w');
  const writer = new StoreWriter(new FileSink(file), { levels: true, pieceTriangles: 512 });
  const { positions, indices } = icosphere(8, 0.5) as ShapeArrays;
  for (let i = 0; i < BALLS; i++) {
    const lumpy = positions.map((x, k) => x * (1 + 0.02 * Math.sin(i + k)));
    const objects = [named(`ball ${i}`, moved(i, i % 2 === 0 ? 0.6 : -0.6, 0))];
    await writer.add({ geometry: { positions: lumpy, indices }, objects });
  }
  await writer.finish(META);
  await file.close();
}

/** Reads of a file that are under way. */
class Watched implements PageSource {
  readonly #file: FileSource;
  #reading = 0;

  constructor(file: FileSource) {
    this.#file = file;
  }
  get byteLength(): number {
    return this.#file.byteLength;
  }
  async read(at: number, into: readonly Uint8Array[]): Promise<void> {
    this.#reading++;
    await this.#file.read(at, into).finally(() => this.#reading--);
  }
  readNow(at: number, into: readonly Uint8Array[]): void {
    this.#file.readNow(at, into);
  }
  /** What a program does between two steps, as long as it takes. */
  async pause(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#reading > 0);
  }
}

beforeAll(writeLane);

test.each([
  [0.0005, 'any'],
  [0.02, 'all'],
] as const)('error %d, %s: no step waits for the disk after the first two', async (error, mode) => {
  const file = await FileSource.open(path);
  const source = new Watched(file);
  const cap = 0.75 * 2 ** 20;
  const target = new LevelsTarget(await openStore(source), { memory: cap });
  const session = new Session(target);
  const mesh = Mesh.from(icosphere(3, 0.3));
  const body = session.add(mesh);
  const STEPS = 110;
  let met = 0;
  let waited = 0;
  for (let step = 0; step <= STEPS; step++) {
    body.move({ translation: [((BALLS - 1) * step) / STEPS, 0.1 * Math.sin(step / 10), 0] });
    met += (await body.hits({ distance: 0.05, mode, error })).count;
    if (step === 1) waited = target.stats.waits;
    await source.pause();
  }
  expect(met).toBeGreaterThan(STEPS / 2);
  expect(waited).toBeGreaterThan(0); // nobody could know where the body would be
  expect(target.stats.waits).toBe(waited);
  expect(target.stats.loads).toBeGreaterThan(2 * BALLS);
  expect(target.stats.evictions).toBeGreaterThan(BALLS);
  expect(target.stats.peakBytes).toBeLessThanOrEqual(cap);
  await target.dispose();
  await file.dispose();
  mesh.dispose();
});
