/** What a glTF file hides is no part of what it shows: left out, and listed. */
import { expect, test } from 'vitest';
import { leftOutLines } from '../../src/formats/left-out.js';
import { alteredGlb, Files, objectsOf } from '../files.js';

const files = new Files();
const hidden = { extensions: { KHR_node_visibility: { visible: false } } };

test('KHR_node_visibility', async () => {
  const file = alteredGlb(({ json }) => {
    Object.assign(json, { extensionsRequired: ['KHR_node_visibility'] });
    json.scenes = [{ nodes: [0, 1, 2] }];
    json.nodes = [
      { name: 'shown', mesh: 0, extensions: { KHR_node_visibility: { visible: true } } },
      { name: 'hidden', mesh: 0, ...hidden },
      { name: 'group', ...hidden, children: [3] },
      { name: 'below', mesh: 0 },
    ];
  });
  const model = await files.read('hidden.glb', file);
  expect(objectsOf(model).map(({ path }) => path)).toEqual(['hidden/shown']);
  expect(leftOutLines(model.leftOut)).toEqual(['left out, because invisible: hidden, group/below']);
});

test('where nothing is shown, the reason is in the error', async () => {
  const file = alteredGlb(({ json }) => Object.assign(json.nodes[0], hidden));
  expect(await files.failure('all.glb', file)).toBe(
    'no triangles in its scene; left out, because invisible: tetra',
  );
});
