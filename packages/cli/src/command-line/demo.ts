/** How `impinge demo` is called. */
import type { AddCommand } from './shell.js';

export const addDemo: AddCommand = (program, shell) => {
  program
    .command('demo')
    .description('Generate a small plant, check it and write the report.')
    .option('-o, --output <folder>', 'folder of the report', 'impinge-report')
    .addHelpText('after', '\nExample:\n  impinge demo')
    .action(async (options) => shell.exit(await (await import('../commands/demo.js')).demo(options, shell)));
};
