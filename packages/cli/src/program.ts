/** The command line of `impinge`: its commands and its help. */
import { addCheck } from './command-line/check.js';
import { addCollide } from './command-line/collide.js';
import { FILES } from './command-line/common-options.js';
import { addDemo } from './command-line/demo.js';
import { addDisassemble } from './command-line/disassemble.js';
import { addDistance } from './command-line/distance.js';
import { addMcp } from './command-line/from-mcp.js';
import { addServe, addWorker } from './command-line/from-server.js';
import { addGenerate } from './command-line/generate.js';
import { addInfo } from './command-line/info.js';
import { addPack } from './command-line/pack.js';
import { addPath } from './command-line/path.js';
import { addPlace } from './command-line/place.js';
import { addView } from './command-line/view.js';
import { type Program, runProgram } from './run-program.js';
import type { Terminal } from './terminal.js';

const IMPINGE: Program = {
  name: 'impinge',
  description: 'Finds where triangle models touch, overlap or come too close.',
  commands: [
    addInfo,
    addCheck,
    addView,
    addServe,
    addMcp,
    addPack,
    addWorker,
    addCollide,
    addDistance,
    addPath,
    addPlace,
    addDisassemble,
    addGenerate,
    addDemo,
  ],
  help: `
${FILES}

Examples:
  impinge demo
  impinge check building.ifc pipes.glb --clearance 50mm
  impinge view impinge-report
  impinge serve
  impinge mcp models/
  impinge pack models/ -o plant.impinge
  impinge info bunny.ply
  impinge collide part.stl housing.glb
  impinge distance part.stl housing.glb --pose "t=0,0,0.5"
  impinge path hall.glb --body pump.glb --from 2,3,1 --to 14,3,1 --clearance 50mm
  impinge place hall.glb --body cabinet.glb --near 4,2,1 --rest
  impinge disassemble gearbox.glb --allowed 0.05mm

"impinge COMMAND --help" describes a command.`,
};

/** Runs one command line (without `node` and the script); returns the exit code and never throws. */
export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runProgram(IMPINGE, args, terminal);
