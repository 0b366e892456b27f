/** `impinge demo`: checks a small plant with known clashes, and shows the report. */
import { join, resolve } from 'node:path';
import { calledAs } from '../called-as.js';
import type { Shell } from '../command-line/shell.js';
import { makeFolder } from '../jobs/folder.js';
import { generatePlant } from '../jobs/generate-plant.js';
import { counted } from '../terminal.js';

export interface DemoOptions {
  readonly output: string;
}

const PLANT = { triangles: 300_000, seed: 1 };
const CLEARANCE = '50mm';

export async function demo({ output }: DemoOptions, { terminal, run }: Shell): Promise<number> {
  const { out, colors } = terminal;
  await makeFolder(output);
  const store = join(output, 'plant.impinge');
  const { plant, objects, triangles } = await generatePlant(PLANT, store);
  const { clashes } = plant.truth();
  out(
    `${colors.bold('A generated plant')}: ${counted(objects, 'object')}, ${counted(triangles, 'triangle')}; ` +
      `${counted(clashes.length, 'clash', 'clashes')} added, including violated clearances.\n\n`,
  );
  const check = ['check', store, '--clearance', CLEARANCE, '-o', output];
  const impinge = calledAs(process.env);
  out(`${colors.bold('$')} ${impinge} ${check.join(' ')}\n`);
  const code = await run(check);
  // 1 means that there are clashes, as expected
  if (code > 1) return code;
  out(`\nOpen ${resolve(output, 'report.html')} in a browser.\n`);
  out(
    `Now on your own files:  ${impinge} check building.ifc pipes.glb --clearance 50mm    ${impinge} --help\n`,
  );
  out(`See it in three dimensions:  ${impinge} view ${output}\n`);
  return 0;
}
