/** Fronts of real levels, by camera: closed surfaces stay closed, and pieces come as they are in the store. */
import { Random } from '@impinge/scenes/random';
import { closestPointOnTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import { toRigidPose } from 'impinge/internal/math/pose.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { describe, expect, test } from 'vitest';
import { FAST, full, runs } from '../../../../test/budget.js';
import { arrays } from '../../../../test/right-calls.js';
import { Drawing } from '../../src/draw/drawing.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { frontOf } from '../../src/store/front.js';
import { NONE } from '../../src/store/layout.js';
import { openStore } from '../../src/store/open.js';
import { MemorySource } from '../../src/store/page-source.js';
import { readPieces } from '../../src/store/read-pieces.js';
import { FAMILIES, type Shape, trianglesOf } from '../levels/families.js';
import { errorsOf, levelsOf, together } from '../levels/stored.js';
import { named, storeBytes } from '../store/fixtures.js';
import { perspective, randomCamera } from './random-levels.js';

const torus = FAMILIES['torus'](FAST ? 24 : 40, new Random(1));
const levels = await levelsOf(torus, 128);
const { model } = levels;
const { pieceLevel, pieceInto } = model.directory;

/** Near the surface or far from it, looking anywhere. */
function cameraAt(seed: number) {
  const { pose, ...lens } = randomCamera(seed);
  const { rotation } = pose as { rotation: number[] };
  const random = new Random(seed);
  const translation = [0, 1, 2].map(() => 3 * (random.next() - 0.5) ** 3 * 8);
  return { ...lens, pose: { rotation, translation } };
}

function isClosedFront(pieces: Iterable<number>): boolean {
  const mesh = Mesh.from(together(Array.from(pieces, (piece) => levels.pieces[piece])));
  const closed = isClosed(mesh);
  mesh.dispose();
  return closed;
}

describe('a front of a closed surface', () => {
  test.each(Array.from({ length: runs(16) }, (_, i) => i))('is closed, whatever its levels (%i)', (seed) => {
    const random = new Random(seed);
    const drawing = new Drawing(model);
    const most = Array.from(pieceInto.keys()).filter((p) => pieceInto[p] === NONE || random.next() < 0.9);
    drawing.loaded(most);
    const all = new Drawing(model, { allLoaded: true });
    const options = { camera: cameraAt(seed), pixelError: 4, budget: seed % 3 === 0 ? 800 : Infinity };
    const found = all.selectLevels(options);
    expect(isClosedFront(found.pieces)).toBe(true);
    expect(isClosedFront(drawing.selectLevels(options).pieces)).toBe(true);
  });

  test('is not closed where one of its pieces is taken from another level: the test above can fail', () => {
    const { pieces } = new Drawing(model, { allLoaded: true }).selectLevels({
      camera: cameraAt(1),
      pixelError: 4,
    });
    const levelsInIt = new Set(Array.from(pieces, (piece) => pieceLevel[piece]));
    expect(levelsInIt.size).toBeGreaterThan(1);
    const others = frontOf(model, 0, Infinity);
    expect(isClosedFront([...pieces.subarray(1), others[0]])).toBe(false);
  });

  test('is the front at an error where only that is asked for', () => {
    const drawing = new Drawing(model, { allLoaded: true });
    const camera = cameraAt(1);
    for (const error of errorsOf(model)) {
      const found = drawing.selectLevels({ camera, pixelError: Infinity, collisionError: error });
      expect([...found.pieces].sort((a, b) => a - b)).toEqual([...frontOf(model, 0, error)]);
      expect(found.collisionError).toBeLessThanOrEqual(error);
    }
  });
});

/** Every so many vertices are tried. */
const SKIPPED = 11;

/** As many pixels as vertices of one surface that are in view are away from the nearest places of another, at most. */
function pixelsApart(camera: ReturnType<typeof cameraAt>, from: Shape, to: Shape): number {
  const { height } = camera;
  const p = camera.projection as ArrayLike<number>;
  const pose = toRigidPose(camera.pose);
  const corners = trianglesOf(to);
  const [point, near] = [new Float64Array(3), new Float64Array(3)];
  const a = new Float64Array(3);
  let largest = 0;
  for (let v = 0; v < from.positions.length; v += 3 * SKIPPED) {
    for (let k = 0; k < 3; k++) point[k] = from.positions[v + k];
    for (let k = 0; k < 3; k++) a[k] = point[k] - pose[9 + k];
    const [x, y, z] = [0, 1, 2].map((k) => pose[k] * a[0] + pose[3 + k] * a[1] + pose[6 + k] * a[2]);
    if (z >= 0 || Math.abs(p[0] * x) > -z || Math.abs(p[5] * y) > -z) continue;
    let least = Infinity;
    for (let t = 0; t < corners.length; t += 9) {
      closestPointOnTriangle(point, 0, corners, t, near, 0);
      const x = near[0] - pose[9];
      const y = near[1] - pose[10];
      const z = near[2] - pose[11];
      const [u, v, w] = [a[1] * z - a[2] * y, a[2] * x - a[0] * z, a[0] * y - a[1] * x];
      const along = a[0] * x + a[1] * y + a[2] * z;
      // the squared tangent of the angle between them
      if (along > 0) least = Math.min(least, (u * u + v * v + w * w) / (along * along));
    }
    largest = Math.max(largest, (Math.sqrt(least) * p[5] * height) / 2);
  }
  return largest;
}

describe('what is in view', () => {
  const positions = [
    [1.6, 0.4, 1.2],
    [4, -3, 2.5],
  ];
  full.each(positions)('is within the error in the picture, from %d %d %d', (...eye) => {
    // looking at the middle
    const back = eye.map((x) => x / Math.hypot(...eye));
    const right = [-back[1], back[0], 0].map((x) => x / Math.hypot(back[0], back[1]));
    const up = [0, 1, 2].map(
      (k) => back[(k + 1) % 3] * right[(k + 2) % 3] - back[(k + 2) % 3] * right[(k + 1) % 3],
    );
    const rotation = [0, 1, 2].flatMap((k) => [right[k], up[k], back[k]]);
    const camera = {
      pose: { rotation, translation: eye },
      projection: perspective(50, 1),
      width: 500,
      height: 500,
    };
    const { pieces } = new Drawing(model, { allLoaded: true }).selectLevels({ camera, pixelError: 3 });
    const drawn = together(Array.from(pieces, (piece) => levels.pieces[piece]));
    expect(drawn.indices.length).toBeLessThan(torus.indices.length / (FAST ? 1 : 2));
    const apart = [pixelsApart(camera, torus, drawn), pixelsApart(camera, drawn, torus)];
    expect(Math.max(...apart)).toBeLessThanOrEqual(3);
    expect(Math.max(...apart)).toBeGreaterThan(0.3);
  });
});

describe('instances', () => {
  const mesh = Mesh.from(torus);
  const turned = { rotation: [0, -1, 0, 1, 0, 0, 0, 0, 1], translation: [0, 0, -20] };
  const camera = {
    pose: { translation: [0, 0, 2] },
    projection: perspective(40, 1),
    width: 300,
    height: 300,
  };

  test('have the pieces of one shape, each at its own level', async () => {
    const both = await buildLevels([{ mesh }, { mesh, pose: turned }], { pieceTriangles: 128 });
    expect(both.pieceCount).toBe(model.pieceCount);
    const drawing = new Drawing(both, { allLoaded: true });
    const { objects, pieces, visible } = drawing.selectLevels({ camera, pixelError: 1 });
    const of = (object: number) => pieces.filter((_, i) => objects[i] === object);
    expect(isClosedFront(of(0))).toBe(true);
    expect(isClosedFront(of(1))).toBe(true);
    const triangles = (object: number) =>
      of(object).reduce((sum, piece) => sum + both.directory.pieceTriangles[piece], 0);
    expect(triangles(1)).toBeLessThan(triangles(0) / 2);
    expect([...visible.filter((_, i) => objects[i] === 1)]).not.toContain(0);
    // where they are is what they are drawn at
    drawing.move(1, {});
    const together = drawing.selectLevels({ camera, pixelError: 1 });
    const again = (object: number) => together.pieces.filter((_, i) => together.objects[i] === object);
    expect(again(1)).toEqual(again(0));
    expect(drawing.pose(1)).toEqual(drawing.pose(0));
  });
});

describe('pieces as arrays', () => {
  test('are those of the store, in the order asked for', async () => {
    const wanted = [5, 0, 1, model.pieceCount - 1, 5];
    const found = await readPieces(model, wanted);
    expect(found.map(({ piece }) => piece)).toEqual(wanted);
    for (const { piece, positions, indices, origin } of found) {
      expect(positions).toEqual(levels.pieces[piece].positions);
      expect([...indices]).toEqual([...levels.pieces[piece].indices]);
      expect([...origin]).toEqual([0, 0, 0]);
    }
  });

  test('lie in the memory that is given, as far as they fit', async () => {
    const wanted = [5, 0, 1, model.pieceCount - 1, 5, 7];
    const expected = await readPieces(model, wanted);
    const inScratch = (found: typeof expected, scratch: Uint8Array) =>
      found.filter(({ positions, indices }) =>
        [positions, indices].every(({ buffer }) => buffer === scratch.buffer),
      ).length;
    for (const byteLength of [0, 100, 4000, 20_000, 1 << 20]) {
      for (const gapBytes of [0, 16_384]) {
        const scratch = new Uint8Array(byteLength);
        const found = await readPieces(model, wanted, { gapBytes, scratch });
        expect(found).toEqual(expected);
        if (byteLength < 1000) expect(inScratch(found, scratch)).toBe(0);
        if (byteLength === 1 << 20) expect(inScratch(found, scratch)).toBe(wanted.length);
      }
    }
    for (const scratch of [new Uint8Array(64).subarray(8), new Float32Array(64), 'bytes']) {
      const options = { scratch: scratch as Uint8Array<ArrayBuffer> };
      await expect(readPieces(model, wanted, options)).rejects.toThrow(/scratch must be a Uint8Array at/);
    }
  });

  test('are refused where the store was altered, or has no levels', async () => {
    const bytes = new Uint8Array(model.source.byteLength);
    await model.source.read(0, [bytes]);
    bytes[model.directory.pieceByteOffset[3] + 100] ^= 1;
    const altered = await openStore(new MemorySource(bytes));
    await expect(readPieces(altered, [2])).resolves.toHaveLength(1);
    await expect(readPieces(altered, [3])).rejects.toThrow(/page 3 of the store was altered/);
    const plain = await openStore(
      new MemorySource(await storeBytes([{ geometry: arrays(), objects: [named('a')] }])),
    );
    expect(() => new Drawing(plain)).toThrow(/has no levels/);
    await expect(readPieces(plain, [0])).resolves.toHaveLength(1);
  });
});
