/** How `impinge disassemble` is called. */
import { collected, FILES, fileOptions, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addDisassemble: AddCommand = (program, shell) => {
  fileOptions(
    program
      .command('disassemble')
      .argument('[model]', 'a model file, a folder, a glob or a store')
      .option('--parts <objects>', 'the objects that are the assembly, by a selector or path (default: all)')
      .option('--remove <objects>', 'parts that are to come out (default: all); may be repeated', collected)
      .option('--allowed <length>', 'how deep parts may be in each other that touch', '0')
      .option('--passing <objects>', 'parts that may pass through the others; may be repeated', collected)
      .option('--clearance <length>', 'how far parts keep from those that they do not touch', '0')
      .option('--direction <x,y,z>', 'try this way out (default: along the axes); may be repeated', collected)
      .option('--time <seconds>', 'how long to look', '600')
      .option('-o, --output <file>', 'write the steps: NAME.json to be verified, or NAME.glb to be played')
      .option('--exploded', 'NAME.glb is a still picture of the parts pulled apart')
      .option('--verify <file>', 'prove steps that were written as JSON once more')
      .option('--json', 'print JSON'),
  )
    .description('Find out in which order, and along which proved paths, the parts of an assembly come out.')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

Every object of the model is a part. Each comes out straight, along the directions that its contacts leave open or one
of --direction; several leave together where none can alone; and what no straight motion frees is searched for a path.
Every step is proved for every instant.
Parts that touch need --allowed: fitted parts overlap within rounding, and curves by their facets. Pairs that are deeper
are named, and move as one. Bolts in holes without threads need --passing. With --remove, as few other parts as were
found come out before. What still blocks is listed; that is no proof that it cannot come apart.
All parts are read into memory.

Exit code: 0 all that was asked comes out, or is verified, 1 not all, or it is not proved, 2 error.

Examples:
  impinge disassemble gearbox.glb --allowed 0.05mm -o steps.json
  impinge disassemble gearbox.glb --allowed 0.05mm --remove "name:shaft*" --passing "name:bolt*" -o steps.glb
  impinge disassemble gearbox.glb --allowed 0.05mm -o exploded.glb --exploded
  impinge disassemble --verify steps.json`,
    )
    .action(async (model, options) =>
      shell.exit(
        await (await import('../commands/disassemble.js')).disassemble(model, options, shell.terminal),
      ),
    );
};
