// Writes the traversals and fronts of the other volume kinds from those for oriented boxes, by swapping the import
// of the volume module. Run it after changing traverse-obb.ts or front-obb.ts; a test compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../packages/impinge/src/hierarchy/', import.meta.url);
const TEMPLATES = ['traverse', 'front'];
const KINDS = ['sphere', 'aabb', 'dop26'];

/** File name → text of every generated file. */
export function generateTraversals() {
  const files = new Map();
  for (const template of TEMPLATES) {
    const source = readFileSync(new URL(`${template}-obb.ts`, FOLDER), 'utf8');
    for (const kind of KINDS) {
      const body = source.replace(`'../volumes/obb.js'`, `'../volumes/${kind}.js'`);
      if (body === source) throw new Error(`${template}-obb.ts does not import ../volumes/obb.js`);
      const header = `// Generated from ${template}-obb.ts by scripts/generate-traversals.mjs: change that file instead.\n`;
      files.set(`${template}-${kind}.ts`, header + body);
    }
  }
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of generateTraversals()) writeFileSync(new URL(name, FOLDER), text);
}
