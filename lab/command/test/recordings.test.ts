/** Recordings as `impinge view` reads them: every frame is what the simulation had, and damaged files are refused. */
import {
  breakable,
  cloth,
  fixedBody,
  Recording,
  rigidBody,
  ShapeMatchingBodies,
  Simulation,
  shatter,
} from '@impinge/dynamics';
import { describe, expect, test } from 'vitest';
import { composed, type RecordedBody } from '../../../packages/cli/src/wire/recorded-bodies.js';
import { readRecording } from '../../../packages/cli/src/wire/recording.js';

const floor = { name: 'floor', positions: [-9, 0, -9, 9, 0, -9, 0, 0, 9], indices: [0, 2, 1] };
const crate = { min: [-0.2, -0.2, -0.2], max: [0.2, 0.2, 0.2], name: 'crate' } as const;
const stone = {
  name: 'stone',
  positions: [3, 0.5, 3, 3.4, 0.5, 3, 3, 0.9, 3, 3, 0.5, 3.4],
  indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
};

/** The corners of all triangles, in a frame. */
function corners({ surface, shapeAt, placeAt }: RecordedBody, frame: number): number[] {
  const positions = shapeAt?.(frame) ?? surface.positions;
  const place = placeAt(frame);
  return Array.from(surface.indices).flatMap((v) =>
    Array.from(
      composed(place, Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, ...positions.subarray(3 * v, 3 * v + 3))),
    ).slice(9),
  );
}

function expectNear(actual: readonly number[], expected: readonly number[], by = 1e-5): void {
  expect(actual).toHaveLength(expected.length);
  for (const [i, x] of expected.entries()) expect(Math.abs(actual[i] - x)).toBeLessThan(by);
}

test('every frame of rigid and soft bodies is where they were, with contacts and sleep', () => {
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.002, contactEvents: true });
  const box = rigidBody(crate, { position: [0, 0.203, 0], spin: [0, 0.3, 0] });
  const twin = box.copy({ position: [1, 0.4, 0], spin: [1, 2, 3] }); // of the same name and shape
  const sheet = cloth({
    name: 'sheet',
    positions: [-2, 0.05, 0, -1.5, 0.05, 0, -2, 0.05, 0.5, -1.5, 0.05, 0.5],
    indices: [0, 2, 1, 1, 2, 3],
  });
  const bodies = [fixedBody(floor), box, twin, sheet];
  for (const one of bodies) simulation.add(one);
  const recording = new Recording(simulation);
  const was: { readonly corners: number[][]; readonly asleep: boolean[]; readonly contacts: number[] }[] = [];
  const take = () => {
    recording.take();
    was.push({
      corners: bodies.map(({ positions, indices }) =>
        Array.from(indices).flatMap((v) => [...positions.subarray(3 * v, 3 * v + 3)]),
      ),
      asleep: simulation.handles.map(({ asleep }) => asleep),
      contacts: simulation.contacts().flatMap(({ points }) => points.flatMap(({ point }) => [...point])),
    });
  };
  take();
  for (let step = 1; step <= 120; step++) {
    simulation.step();
    if (step % 6 === 0) take();
  }
  const run = readRecording(recording.toBytes());
  expect(Array.from(run.times)).toEqual(was.map((_, f) => Math.fround(f / 10)));
  expect(run.bodies.map(({ name, moves }) => `${name} ${moves}`)).toEqual([
    'floor false',
    'crate true',
    'crate 2 true',
    'sheet true',
  ]);
  expect(run.bodies[1].surface).toBe(run.bodies[2].surface);
  expect(was.some(({ asleep }) => asleep.some(Boolean))).toBe(true);
  expect(was.some(({ contacts }) => contacts.length > 0)).toBe(true);
  for (const [f, frame] of was.entries()) {
    for (const [i, body] of run.bodies.entries()) {
      expectNear(corners(body, f), frame.corners[i]);
      expect(body.isAsleep(f)).toBe(frame.asleep[i]);
    }
    expect(Array.from(run.contacts![f])).toEqual(frame.contacts.map(Math.fround));
  }
  simulation.dispose();
});

test('bodies in lattices follow their nodes; what broke is there no longer, and its parts only since', () => {
  const simulation = new Simulation({ dt: 1 / 100, thickness: 0.002 });
  const cells = [0, 0, 0];
  const lattice = { cellSize: 0.5, origin: [0, 0, 0], cells };
  const letter = {
    name: 'letter',
    positions: [0.1, 0.1, 0.1, 0.4, 0.1, 0.1, 0.1, 0.4, 0.2],
    indices: [0, 1, 2],
    lattice,
  };
  const pose = { rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [-3, 0.2, 0] };
  const { bodies } = new ShapeMatchingBodies([letter], [{ shape: 0, name: 'letter', pose }]);
  const vase = breakable(shatter(stone, { pieces: 3, seed: 1 }), {
    density: 2400,
    strength: 0.01,
    velocity: [0, -9, 0],
  });
  for (const one of [fixedBody(floor), ...bodies, vase]) simulation.add(one);
  const recording = new Recording(simulation);
  const was: Map<string, number[]>[] = [];
  for (let step = 0; step < 30; step++) {
    if (step > 0) simulation.step();
    recording.take();
    const now = simulation.bodies.filter((body) => !body.rigid && body.kind === 'dynamic');
    was.push(
      new Map(
        now.map((b) => [
          b.name,
          Array.from(b.indices).flatMap((v) => [...b.positions.subarray(3 * v, 3 * v + 3)]),
        ]),
      ),
    );
  }
  const broken = simulation.bodies.filter(({ name }) => name.startsWith('stone.')).length;
  expect(broken).toBeGreaterThan(1);
  const run = readRecording(recording.toBytes());
  expect(run.contacts).toBeUndefined();
  const bodyOf = (name: string) => run.bodies.find((body) => body.name === name)!;
  /** Along x. */
  const size = (body: RecordedBody, f: number) => {
    const xs = corners(body, f).filter((_, i) => i % 3 === 0);
    return Math.max(...xs) - Math.min(...xs);
  };
  for (const [f, frame] of was.entries())
    expectNear(corners(bodyOf('letter'), f), frame.get('letter')!, 1e-4); // but for twist
  expect([size(bodyOf('stone'), 0) > 0.3, size(bodyOf('stone'), 29)]).toEqual([true, 0]);
  const part = run.bodies.find(({ name }) => name.startsWith('stone.'))!;
  expect([size(part, 0), size(part, 29) > 0.05]).toEqual([0, true]);
  simulation.dispose();
});

describe('what is refused', () => {
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.002, contactEvents: true });
  for (const one of [fixedBody(floor), rigidBody(crate, { position: [0, 0.3, 0] })]) simulation.add(one);
  const recording = new Recording(simulation);
  recording.take();
  simulation.step();
  recording.take();
  const bytes = recording.toBytes();

  test('two frames of one step', () => {
    expect(() => recording.take()).toThrowError(/step 1 is recorded already/);
  });

  /** With its JSON altered. */
  function altered(from: string | RegExp, to: string): Uint8Array {
    const length = new DataView(bytes.buffer).getUint32(12, true);
    const text = new TextDecoder().decode(bytes.subarray(20, 20 + length));
    const other = text.trimEnd().replace(from, to);
    expect(other).not.toBe(text.trimEnd());
    const json = new TextEncoder().encode(other.padEnd(4 * Math.ceil(other.length / 4)));
    const out = new Uint8Array([...bytes.subarray(0, 20), ...json, ...bytes.subarray(20 + length)]);
    new DataView(out.buffer).setUint32(12, json.length, true);
    return out;
  }

  test.each([
    ['what is no GLB', () => bytes.subarray(1), 'it is not a GLB'],
    ['half of a file', () => bytes.subarray(0, bytes.length / 2), 'it is cut off'],
    ['another animation', () => altered('"impinge":', '"other":'), 'it has no frames of ours'],
    ['another version', () => altered('"version":1,"t', '"version":2,"t'), 'it is of another version'],
    ['no JSON', () => altered('{', '['), 'its JSON is wrong'],
    ['a node that is not there', () => altered(/"nodes":\[0,1\]/, '"nodes":[0,7]'), 'it has no "nodes" 7'],
    ['a node in two places', () => altered(/"nodes":\[0,1\]/, '"nodes":[0,0]'), 'node 0 is in two places'],
    [
      'counts that are not those of points',
      () => altered(/"counts":\[0,/, '"counts":[9,'),
      '"contacts" is wrong',
    ],
    ['sleep of no node', () => altered('"asleep":[', '"asleep":[[5,0,1]'), '"asleep" is wrong'],
    ['an accessor beyond its view', () => altered(/"count":\d+/, '"count":99999'), /accessor 0 is wrong/],
    ['frames that do not rise', () => altered(/"times":\d+/, '"times":0'), /is wrong/],
  ] as const)('%s', (_, of, message) => {
    expect(() => readRecording(of())).toThrowError(message);
  });

  test.each(Array.from({ length: 8 }, (_, seed) => seed))('altered bytes never crash it, seed %i', (seed) => {
    let state = seed + 1;
    const random = (below: number) => (state = (state * 48271) % 2147483647) % below;
    for (let run = 0; run < 200; run++) {
      const other = bytes.slice();
      for (let i = 0; i < 3; i++) other[random(other.length)] = random(256);
      try {
        const { times, bodies } = readRecording(other);
        for (const body of bodies) corners(body, times.length - 1);
      } catch (error) {
        expect((error as Error).message).toMatch(/^not a recording: [^\n]*$/);
      }
    }
  });
});
