/** Small files that would grow to gigabytes are refused, or cut down, by limits that follow their size. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { full } from '../../../../test/budget.js';
import { alteredGlb, asciiPly, ByteWriter, Files, glb, gltfParts, objectsOf, TETRAHEDRON } from '../files.js';
import { MODEL_3MF, meshOf3mf, threeMf } from '../model-files.js';
import { sourceFailure } from '../source-triangles.js';

const files = new Files();

test('instances without bytes', async () => {
  const file = alteredGlb(({ json }) => {
    json.accessors.push({ bufferView: 0, componentType: 5126, type: 'VEC3', count: 4 });
    json.accessors.push({
      componentType: 5126,
      type: 'VEC3',
      count: 1 << 20,
      sparse: { count: 1, indices: { bufferView: 1, componentType: 5123 }, values: { bufferView: 0 } },
    });
    Object.assign(json.nodes[0], {
      extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 3 } } },
    });
  });
  expect(await files.failure('sparse.glb', file)).toBe('accessor 3: 1048576 elements without a buffer view');
});

/** A tetrahedron, and translations of instances in accessor 2. */
function withTranslations(instances: number) {
  const { json } = gltfParts();
  const binary = new ByteWriter()
    .number('f4', ...TETRAHEDRON.positions)
    .number('u2', ...TETRAHEDRON.indices)
    .number('f4', ...Array.from({ length: 3 * instances }, (_, i) => i))
    .done();
  json.bufferViews.push({ buffer: 0, byteOffset: 72, byteLength: 12 * instances });
  json.buffers[0]['byteLength'] = 72 + 12 * instances;
  json.accessors.push({ bufferView: 2, componentType: 5126, type: 'VEC3', count: instances });
  return { json, binary };
}

full('the same instances at many nodes', async () => {
  const { json, binary } = withTranslations(300);
  const node = { mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2 } } } };
  const withNodes = (count: number) => {
    json.nodes = Array.from({ length: count }, () => node);
    json.scenes = [{ nodes: [...json.nodes.keys()] }];
    return glb(json, binary);
  };
  expect(objectsOf(await files.read('some.glb', withNodes(30)))).toHaveLength(9000);
  const many = withNodes(200);
  // 60,000 objects
  expect(await files.failure('many.glb', many)).toBe(
    `more than ${10_000 + Math.floor(many.length / 4)} objects from ${many.length} bytes: not accepted as a model`,
  );
});

test('nested long names are cut, and stay different', async () => {
  const { json, binary } = gltfParts();
  json.nodes = Array.from({ length: 300 }, (_, i) => ({
    name: `${'long '.repeat(600)}${i}`,
    mesh: 0,
    ...(i < 299 && { children: [i + 1] }),
  }));
  const objects = objectsOf(await files.read('nested.glb', glb(json, binary)));
  expect(objects).toHaveLength(300);
  expect(new Set(objects.map(({ name }) => name)).size).toBe(300);
  expect(new Set(objects.map(({ path }) => path)).size).toBe(300);
  expect(Math.max(...objects.map(({ name }) => name.length))).toBe(500);
  // the file's name in front
  expect(Math.max(...objects.map(({ path }) => path.length))).toBe('nested/'.length + 2000);
});

test('an object with a long name and many groups', async () => {
  const triangle = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';
  const groups = Array.from({ length: 9000 }, (_, i) => `g ${i}\nf 1 2 3\n`).join('');
  const objects = objectsOf(await files.read('groups.obj', `${triangle}o ${'x'.repeat(1e5)}\n${groups}`));
  expect(objects).toHaveLength(9000);
  expect(Math.max(...objects.map(({ path }) => path.length))).toBeLessThan(520);
});

test('properties of a node at all its instances', async () => {
  const { json, binary } = withTranslations(2000);
  json.nodes = [
    {
      mesh: 0,
      extras: { note: 'x'.repeat(50_000) },
      extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2 } } },
    },
  ];
  expect(await files.failure('extras.glb', glb(json, binary))).toMatch(
    /^names and properties of more than \d+ MB from \d+ bytes/,
  );
});

test('components that multiply', async () => {
  const leaf = `<object id="1">${meshOf3mf()}</object>`;
  const levels = Array.from(
    { length: 20 },
    (_, i) =>
      `<object id="${i + 2}"><components><component objectid="${i + 1}"/><component objectid="${i + 1}"/></components></object>`,
  );
  const model =
    `<model ${MODEL_3MF}><resources>` +
    `${leaf}${levels.join('')}</resources><build><item objectid="21"/></build></model>`;
  expect(await files.failure('rabbits.3mf', threeMf(model))).toMatch(/^more than \d+ objects from \d+ bytes/);
});

full('shapes that are scaled anew for every object', async () => {
  const triangles = 20_000;
  const { json } = gltfParts();
  const binary = new ByteWriter()
    .number('f4', ...TETRAHEDRON.positions)
    .bytes(new Uint8Array(new Uint16Array(3 * triangles).map((_, i) => i % 4).buffer))
    .done();
  json.bufferViews[1] = { buffer: 0, byteOffset: 48, byteLength: 6 * triangles };
  json.buffers[0]['byteLength'] = binary.length;
  json.accessors[1]['count'] = 3 * triangles;
  const nodes = 5000;
  json.nodes = Array.from({ length: nodes }, (_, i) => ({ mesh: 0, scale: [1, 1, 2 + i] }));
  json.scenes = [{ nodes: [...json.nodes.keys()] }];
  expect(await files.failure('scaled.glb', glb(json, binary))).toMatch(
    /^triangles of more than \d+ MB from \d+ bytes/,
  );
});

full('JSON that is small on disk only, or nested without end', async () => {
  const text = (extras: string) => `{"asset":{"version":"2.0"},"extras":${extras}}`;
  const wide = text(`[${'{},'.repeat(4_000_000)}{}]`);
  expect(await sourceFailure(files, 'packed.gltf.gz', gzipSync(wide), { memoryBytes: 30e6 })).toBe(
    'its JSON would take 345 MB of memory; the limit is 64 MB',
  );
  const deep = (opening: string, closing: string) =>
    text(`${opening.repeat(200_000)}1${closing.repeat(200_000)}`);
  for (const nested of [deep('[', ']'), deep('{"a":', '}'), deep('{"[":[', ']}')])
    expect(await files.failure('deep.gltf', nested)).toBe('its JSON is nested more than 100 deep');
  // what stands in a text opens nothing
  expect(await files.failure('text.gltf', text(`"\\"${'['.repeat(300)}"`))).toBe('no triangles in its scene');
});

full('XML that is nested without end, or has a tag without one', async () => {
  const { strToU8, zipSync } = await import('fflate');
  const failure = (inside: string) =>
    files.failure(
      'deep.3mf',
      zipSync({ '3D/3dmodel.model': strToU8(`<model><resources>${inside}</resources></model>`) }),
    );
  const opened = '<a>'.repeat(100_000);
  for (const inside of [opened, `${opened}${'</a>'.repeat(100_000)}`]) {
    expect(await failure(inside)).toBe('"3D/3dmodel.model" line 1: elements are nested more than 100 deep');
  }
  const long = 'x'.repeat(2 << 20);
  for (const inside of [`<a b="${long}"/>`, `<${long}/>`, `<!--${long}-->`, long]) {
    expect(await failure(inside)).toMatch(
      /^"3D\/3dmodel.model" line 1: a single tag, or the text before it, /,
    );
  }
});

full('a line, name or number without an end', async () => {
  const long = 'x'.repeat(9 << 20);
  const vertices = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';
  for (const [name, text] of [
    ['name.obj', `o ${long}\n${vertices}f 1 2 3\n`],
    ['face.obj', `${vertices}f ${'1 2 3 '.repeat(2 << 20)}\n`],
    ['name.stl', `solid ${long}\nfacet`],
    ['number.stl', `solid s\nfacet normal 0 0 1\nouter loop\nvertex ${'1'.repeat(9 << 20)} 0 0`],
    ['number.ply', asciiPly().replace('2.25', '1'.repeat(9 << 20))],
  ]) {
    expect(await files.failure(name, text)).toMatch(
      /^byte \d+: a single line, name or number takes more than 4 MB$/,
    );
  }
});

test('a relation that begins again and again', async () => {
  const text = `<Relationships><Relationship ${'Relationship '.repeat(80_000)}`;
  const { strToU8, zipSync } = await import('fflate');
  const file = zipSync({ '_rels/.rels': strToU8(text), '3D/3dmodel.model': strToU8('<model/>') });
  expect(await files.failure('relations.3mf', file)).toMatch(/^"_rels\/.rels" line 1: /);
});
