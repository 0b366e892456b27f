// Writes a traversal for each kind of bounding volume in src/volumes/kinds.ts, and the table of all of them. The
// traversal for oriented boxes, hierarchy/traverse.ts, is the source: the others are the same text with another volume
// module imported. One traversal that takes the volume as an argument is 1.4 to 2 times slower.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const SOURCE = new URL('../packages/impinge/src/', import.meta.url);
const TEMPLATE = 'hierarchy/traverse.ts';
const HEADER = '// Written by scripts/generate-traversals.mjs. Do not edit.\n';

const read = (path) => readFileSync(new URL(path, SOURCE), 'utf8');

/** Leaves files alone that are as they should be, so that nothing is compiled for nothing. */
function write(path, text) {
  try {
    if (read(path) === text) return;
  } catch {
    // not written yet
  }
  writeFileSync(new URL(path, SOURCE), text);
}

const [, list] = read('volumes/kinds.ts').match(/VOLUME_KINDS = \[([^\]]*)\]/);
const others = [...list.matchAll(/'(\w+)'/g)].map(([, kind]) => kind).filter((kind) => kind !== 'obb');

const template = read(TEMPLATE);
for (const kind of others) {
  const text = template.replace(`'../volumes/obb.js'`, `'../volumes/${kind}.js'`);
  if (text === template) throw new Error(`${TEMPLATE} does not import ../volumes/obb.js`);
  write(`hierarchy/traverse-${kind}.generated.ts`, HEADER + text);
}

// of kinds that are no longer listed
for (const name of readdirSync(new URL('hierarchy/', SOURCE))) {
  const [, kind] = name.match(/^traverse-(\w+)\.generated\.ts$/) ?? [];
  if (kind && !others.includes(kind)) rmSync(new URL(`hierarchy/${name}`, SOURCE));
}

const kinds = ['obb', ...others];
const walkOf = (kind) => (kind === 'obb' ? './traverse.js' : `./traverse-${kind}.generated.js`);
write(
  'hierarchy/tree-kinds.generated.ts',
  `${HEADER}/** Every kind of tree by its name. */
${kinds.map((kind) => `import * as ${kind} from '../volumes/${kind}.js';`).join('\n')}
${kinds.map((kind) => `import * as ${kind}Walk from '${walkOf(kind)}';`).join('\n')}
import type { TreeKinds } from './tree-kind.js';

export const TREE_KINDS: TreeKinds = {
${kinds
  .map(
    (kind) => `  ${kind}: {
    volume: ${kind},
    traversePair: ${kind}Walk.traversePair,
    traverseSelf: ${kind}Walk.traverseSelf,
  },`,
  )
  .join('\n')}
};
`,
);
