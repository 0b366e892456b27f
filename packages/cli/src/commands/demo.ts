/** `impinge demo`: a small plant with clashes that are known, checked, with a report to look at. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { generatePlant } from '../jobs/generate-plant.js';
import { counted, type Terminal } from '../terminal.js';
import { check } from './check.js';

export interface DemoOptions {
  readonly output: string;
}

const PLANT = { triangles: 300_000, seed: 1 };
const CLEARANCE = '50mm';

export async function demo({ output }: DemoOptions, terminal: Terminal): Promise<number> {
  const { out, colors } = terminal;
  await mkdir(output, { recursive: true });
  const store = join(output, 'plant.impinge');
  const { plant, objects, triangles } = await generatePlant(PLANT, store);
  const { clashes } = plant.truth();
  out(
    `${colors.bold('A generated plant')}: ${counted(objects, 'object')}, ${counted(triangles, 'triangle')}; ` +
      `${counted(clashes.length, 'clash', 'clashes')} and too small clearances were put in.\n\n`,
  );
  out(`${colors.bold('$')} impinge check ${store} --clearance ${CLEARANCE} -o ${output}\n`);
  await check([store], { output, clearance: CLEARANCE, memory: '160MB' }, terminal);
  out(`\nOpen ${resolve(output, 'report.html')} in a browser.\n`);
  out('Now on your own files:  impinge check building.ifc pipes.glb --clearance 50mm    impinge --help\n');
  return 0;
}
