/** Draco streams that claim to hold far more than their bytes and their accessors say. */
import { dracoCounts } from 'impinge/internal/formats/draco-header.js';
import { expect, test } from 'vitest';
import { full } from '../../../test/budget.js';
import { decodeDraco } from '../src/formats/gltf/draco.js';

import { corners, Files, glb, objectsOf } from './files.js';

const files = new Files();
const FLOAT = 5126;
const SEQUENTIAL = 0;
const EDGEBREAKER = 1;

// biome-ignore lint/suspicious/noExplicitAny: the encoder has no types
const { default: draco3d } = (await import('draco3d' as string)) as any;
const encoder = await draco3d.createEncoderModule();

/** A mesh as Draco writes it. */
function encoded(
  positions: Float32Array,
  indices: Uint32Array,
  method: number,
  furtherAttributes = 0,
): Uint8Array {
  const builder = new encoder.MeshBuilder();
  const mesh = new encoder.Mesh();
  builder.AddFacesToMesh(mesh, indices.length / 3, indices);
  builder.AddFloatAttributeToMesh(mesh, encoder.POSITION, positions.length / 3, 3, positions);
  const further = Float32Array.from({ length: 4 * (positions.length / 3) }, (_, i) => (i * i) % 101);
  for (let i = 0; i < furtherAttributes; i++)
    builder.AddFloatAttributeToMesh(mesh, encoder.GENERIC, positions.length / 3, 4, further);
  const own = new encoder.Encoder();
  own.SetEncodingMethod(method);
  own.SetAttributeQuantization(encoder.POSITION, 10);
  const out = new encoder.DracoInt8Array();
  const length = own.EncodeMeshToDracoBuffer(mesh, out);
  const bytes = Uint8Array.from({ length }, (_, i) => out.GetValue(i));
  for (const object of [builder, mesh, own, out]) encoder.destroy(object);
  return bytes;
}

const TRIANGLE = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);

/** A file with one triangle, as far as its accessors say. */
function model(stream: Uint8Array, node: object = {}): Uint8Array {
  const primitive = {
    attributes: { POSITION: 0 },
    indices: 1,
    extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } },
  };
  return glb(
    {
      asset: { version: '2.0' },
      extensionsRequired: ['KHR_draco_mesh_compression'],
      nodes: [{ mesh: 0, ...node }],
      scenes: [{ nodes: [0] }],
      meshes: [{ primitives: [primitive] }],
      accessors: [
        { componentType: FLOAT, count: 3, type: 'VEC3' },
        { componentType: 5125, count: 3, type: 'SCALAR' },
      ],
      bufferViews: [{ buffer: 0, byteLength: stream.length }],
      buffers: [{ byteLength: stream.length }],
    },
    stream,
  );
}

const varint = (n: number): number[] => (n < 128 ? [n] : [(n % 128) + 128, ...varint(Math.floor(n / 128))]);

/** The counts of a sequential stream replaced: faces and points come first, behind eleven bytes. */
function claiming(faces: number, points: number): Uint8Array {
  const honest = encoded(TRIANGLE, Uint32Array.of(0, 1, 2), SEQUENTIAL);
  expect(dracoCounts(honest)).toEqual({ faces: 1, points: 3 });
  return Uint8Array.of(...honest.slice(0, 11), ...varint(faces), ...varint(points), ...honest.slice(13));
}

/** A surface of some ten thousand triangles. */
const SIDE = 150;
const POSITIONS = Float32Array.from({ length: 3 * SIDE * SIDE }, (_, k) => {
  const i = Math.floor(k / 3);
  return [i % SIDE, Math.floor(i / SIDE), (i * i) % 7][k % 3];
});
const INDICES = Uint32Array.from(
  Array.from({ length: SIDE * (SIDE - 1) }, (_, i) =>
    i % SIDE < SIDE - 1 ? [i, i + 1, i + SIDE] : [],
  ).flat(),
);

full.each([SEQUENTIAL, EDGEBREAKER])('the counts at the beginning of a stream, method %i', async (method) => {
  const stream = encoded(POSITIONS, INDICES, method);
  const { points, faces } = dracoCounts(stream)!;
  const decoded = await decodeDraco(stream, 0, FLOAT, Infinity);
  expect(faces).toBe(INDICES.length / 3);
  expect(decoded.indices).toHaveLength(INDICES.length);
  expect(decoded.positions.length / 12).toBe(points);
});

full.each([SEQUENTIAL, EDGEBREAKER])(
  'positions as the decoder itself makes them, method %i',
  async (method) => {
    const irregular = POSITIONS.map((x, i) => 1e3 * Math.sin(i) + x / 3);
    const stream = encoded(irregular, INDICES, method);
    const module = await draco3d.createDecoderModule();
    const [decoder, mesh, values] = [new module.Decoder(), new module.Mesh(), new module.DracoFloat32Array()];
    decoder.DecodeArrayToMesh(stream, stream.length, mesh);
    decoder.GetAttributeFloatForAllPoints(mesh, decoder.GetAttributeByUniqueId(mesh, 0), values);
    const { positions, step } = await decodeDraco(stream, 0, FLOAT, Infinity);
    expect([...new Float32Array(positions.buffer)]).toEqual(
      Array.from({ length: values.size() }, (_, i) => values.GetValue(i)),
    );
    // ten bits for the largest extent, here a little less than 2 km
    expect(step * 1023).toBeGreaterThan(1990);
    expect(step * 1023).toBeLessThan(2100);
  },
);

test('objects know by how much quantised positions may be off', async () => {
  const meant = Float32Array.of(0, 0, 0, 1, 0.3337, 0, 0.1234, 1, 0.7771);
  const bytes = model(encoded(meant, Uint32Array.of(0, 1, 2), SEQUENTIAL), { scale: [3, -2, 5] });
  const read = await files.read('triangle.glb', bytes);
  const { rounding } = objectsOf(read)[0];
  // five times half a step of 1 / 1023
  expect(rounding).toBeCloseTo((5 * 0.5) / 1023, 6);
  const off = corners(read).map((x, i) => Math.abs(x - meant[i] * [3, -2, 5][i % 3]));
  expect(Math.max(...off)).toBeGreaterThan(rounding! / 100);
  expect(Math.max(...off)).toBeLessThanOrEqual(rounding!);
});

full('a stream for which the decoder wants more memory than it may have, and the next one', async () => {
  const stream = encoded(POSITIONS, INDICES, EDGEBREAKER, 8);
  const refused = decodeDraco(stream, 0, FLOAT, 17e6);
  await expect(refused).rejects.toThrow('it needs more memory than its triangles justify');
  expect((await decodeDraco(stream, 0, FLOAT, Infinity)).indices).toHaveLength(INDICES.length);
});

test('one triangle', async () => {
  const bytes = model(encoded(TRIANGLE, Uint32Array.of(0, 1, 2), SEQUENTIAL));
  expect(corners(await files.read('triangle.glb', bytes))).toHaveLength(9);
});

test.each([
  ['triangles that the memory does not hold', 100_000_000, 3, /must fit in memory, and this takes more than/],
  ['vertices that the memory does not hold', 1, 100_000_000, /must fit in memory, and this takes more than/],
  ['more triangles than its bytes can hold', 5_000_000, 3, /60 MB cannot come from \d+ bytes of Draco data/],
])('a stream that claims %s', async (_, faces, points, message) => {
  await expect(
    files.read('claims.glb', model(claiming(faces, points)), { memoryBytes: 30e6 }),
  ).rejects.toThrow(message);
});

test.each([
  ['another version', 5, 1],
  ['another kind', 7, 0],
  ['another method', 8, 9],
  ['metadata that are not there', 10, 0x80],
])('a stream of %s is left to the decoder', async (_, at, value) => {
  const stream = encoded(TRIANGLE, Uint32Array.of(0, 1, 2), SEQUENTIAL);
  stream[at] = value;
  expect(dracoCounts(stream)).toBeUndefined();
  expect(await files.failure('header.glb', model(stream))).toMatch(/the Draco data is damaged/);
});

test('counts behind metadata', () => {
  const stream = encoded(TRIANGLE, Uint32Array.of(0, 1, 2), SEQUENTIAL);
  const entry = [1, 3, 97, 98, 99, 2, 7, 7]; // one entry: abc, two bytes
  const metadata = [1, 0, ...entry, 0, ...entry, 1, 1, 120, 0, 0];
  const flagged = Uint8Array.of(...stream.slice(0, 10), 0x80, ...metadata, ...stream.slice(11));
  expect(dracoCounts(flagged)).toEqual({ faces: 1, points: 3 });
});
