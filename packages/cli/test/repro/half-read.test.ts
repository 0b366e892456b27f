/**
 * What was read by halves: long numbers, unknown component types, rubbish in base64, altered archives, narrow strides.
 */
import { describe, expect, test } from 'vitest';
import { full } from '../../../../test/budget.js';
import { alteredGlb, corners, Files, gltfParts, TETRAHEDRON_CORNERS } from '../files.js';
import { threeMf } from '../model-files.js';

const files = new Files();

describe('numbers of more than 1,000 characters', () => {
  const zeros = '0'.repeat(2000);
  test.each([
    [`1.${zeros}e3`, 1000],
    [`${zeros}25`, 25],
    [`-0.${zeros}5e2001`, -5],
    [`1e-${zeros}1`, 0.1],
  ])('%#: are read to their end', async (text, value) => {
    const model = await files.read('long.obj', `v ${text} 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n`);
    expect(corners(model).slice(0, 3)).toEqual([value, 0, 0]);
    const ply =
      'ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n' +
      `element face 1\nproperty list int int vertex_indices\nend_header\n${text} 0 0\n1 0 0\n0 1 0\n3 0 1 2\n`;
    expect(corners(await files.read('long.ply', ply)).slice(0, 3)).toEqual([value, 0, 0]);
  });

  full('those of a million are refused, without taking long', async () => {
    const failure = await files.failure('endless.obj', `v ${'1'.repeat(1 << 21)}x 0 0\n`);
    expect(failure).toBe('line 1: a coordinate has more than a million digits');
    const nearly = await files.failure('nearly.obj', `v ${'1'.repeat((1 << 20) - 1)}x 0 0\n`);
    expect(nearly).toMatch(/^line 1: a coordinate is not a number: "1111/);
  });

  test('in 3MF, only decimal numbers are numbers', async () => {
    const text = threeMfModel('0x10');
    expect(await files.failure('hex.3mf', threeMf(text))).toContain('x is "0x10", not a number');
  });
});

function threeMfModel(x: string): string {
  return (
    '<model xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources><object id="1"><mesh>' +
    `<vertices><vertex x="${x}" y="0" z="0"/></vertices></mesh></object></resources><build/></model>`
  );
}

describe('glTF', () => {
  test.each([1234, 5124, 5130])('Draco data of component type %i is refused', async (componentType) => {
    const file = alteredGlb(({ json }) => {
      json.accessors[0]['componentType'] = componentType;
      Object.assign(json.meshes[0], {
        primitives: [
          {
            attributes: { POSITION: 0 },
            extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } },
          },
        ],
      });
    });
    expect(await files.failure('draco.glb', file)).toBe(`accessor 0: unknown componentType ${componentType}`);
  });

  test.each([
    ['a blank', (text: string) => `${text.slice(0, 40)} ${text.slice(40)}`],
    ['a bracket instead of a letter', (text: string) => `${text.slice(0, 40)})${text.slice(41)}`],
    ['padding in the middle', (text: string) => `${text.slice(0, 40)}=${text.slice(41)}`],
    ['one letter too many', (text: string) => `${text}A`],
  ])('base64 with %s is refused', async (_, spoil) => {
    const { json, binary } = gltfParts();
    const text = Buffer.from(binary).toString('base64');
    const withData = (data: string) => {
      json.buffers[0]['uri'] = `data:application/octet-stream;base64,${data}`;
      return JSON.stringify(json);
    };
    expect(corners(await files.read('whole.gltf', withData(text)))).toEqual(TETRAHEDRON_CORNERS);
    const failure = await files.failure('spoilt.gltf', withData(spoil(text)));
    expect(failure).toBe('buffer 0: its data URI is not valid base64');
  });

  test.each([0, 4, 11])(
    'a byteStride of %i for elements of 12 bytes is refused, streamed or not',
    async (stride) => {
      const file = alteredGlb(({ json }) => {
        json.bufferViews[0]['byteStride'] = stride;
      });
      const message = `accessor 0: the byteStride of bufferView 0 is ${stride}, less than the 12 bytes of an element`;
      expect(await files.failure('narrow.glb', file)).toBe(message);
      await expect(files.read('narrow.glb', file, { memoryBytes: 1 })).rejects.toThrow(message);
    },
  );
});

test('a 3MF archive whose contents were altered is refused', async () => {
  const whole = threeMf();
  expect(corners(await files.read('whole.3mf', whole))).toEqual(TETRAHEDRON_CORNERS);
  // the checksum of every entry in the directory, once: whatever was altered, one of the two no longer fits
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  const found: string[] = [];
  for (let at = 0; at + 46 < whole.length; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    const altered = whole.slice();
    altered[at + 16] ^= 1;
    found.push(await files.failure('altered.3mf', altered));
  }
  expect(found).toEqual(
    ['"_rels/.rels"', '"3D/3dmodel.model"'].map(
      (name) => `${name}: it was altered: its contents do not match their checksum`,
    ),
  );
});
