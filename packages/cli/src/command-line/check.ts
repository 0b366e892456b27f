/** How `impinge check` is called. */
import { Option } from 'commander';
import { PRESETS } from '../rules/preset-names.js';
import { ELSEWHERE, FILES, modelOptions, queueOption, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addCheck: AddCommand = async (program, shell) => {
  // loads the library, as the command itself will
  const help = shell.command === 'check' ? await import('./check-help.js') : undefined;
  modelOptions(program.command('check'))
    .description('Check a whole model for clashes and violated clearances. Writes a report.')
    .argument(
      '[model...]',
      'a store (.impinge), here or elsewhere (https://…, s3://…), or model files, folders, globs',
    )
    .option('-o, --output <folder>', 'where the report goes', 'impinge-report')
    .option('--clearance <length>', 'report objects closer than this')
    .option('--tolerance <length>', 'permit overlaps no deeper than this')
    .option('--kinds <list>', `what to report: ${help?.kindList()}`)
    .option('--rules <file>', 'which objects to check against which, and how strictly (YAML or JSON)')
    .addOption(new Option('--preset <name>', 'rules that come with the command').choices(PRESETS))
    .option('--print', 'print the preset, to copy it and change it')
    .option('--allow-empty-rules', 'go on where a side of a rule selects no object')
    .option(
      '--exclusions <list>',
      `pairs that belong together to leave out: ${help?.exclusionList()}, all or none (default: all)`,
    )
    .option(
      '--baseline <folder>',
      'an earlier report: mark clashes new or persisting, list the resolved ones',
    )
    .option(
      '--review <file>',
      'decisions to take over: a BCF file of another tool, or a review.yaml or .json; may be repeated',
      (file: string, before: string[]) => [...before, file],
      [],
    )
    .addOption(
      new Option('--fail-on <what>', 'which clashes the exit code is about')
        .choices(['new', 'any', 'never'])
        .default('any'),
    )
    .option('--strict', 'end with 3 where something red is said about files or rules')
    .addOption(
      new Option(
        '--group-by <what>',
        'what makes an issue: as seems best, or all clashes of an element, two storeys …',
      )
        .choices(['auto', 'element', 'storey', 'grid', 'system', 'type'])
        .default('auto'),
    )
    .option('--formats <list>', 'reports to write: jsonl, csv, html, bcf (these by default), junit, sarif')
    .addOption(new Option('--bcf <version>', 'of BCF').choices(['2.1', '3.0']).default('2.1'))
    .option('--workers <n>', 'threads, at most (default: one per core); one for each 40 MB of --memory')
    .addOption(queueOption('have workers measure that "impinge worker" starts: postgres://… or redis://…'))
    .option('--upload <place>', 'send the report to s3://bucket/folder as well')
    .option('--resume', 'continue a check that was stopped or killed')
    .option('--json', 'print a summary as JSON')
    .option('--view', 'show the report and its model in the browser, as "impinge view" does')
    .option('--no-open', 'with --view: only print the address')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

Kinds:
${help?.kindLines()}
Depth: how far the innermost part of one lies inside the other.

Exclusions, what is left out because it belongs together by IFC relations:
${help?.exclusionLines()}

Model files are packed once, into model.impinge in the report's folder, which is reused until they change.
A check that was stopped, was killed or ran out of disk continues with --resume and ends with the same report.
The report: report.html, clashes.jsonl, clashes.csv, clashes.bcfzip (BCF 2.1 for other tools;
with --bcf 3.0, clashes.bcf). For continuous integration, --formats junit,sarif: clashes.junit.xml, clashes.sarif.

Decisions about clashes are in review.yaml in the report's folder: approved ones are not counted.

${ELSEWHERE}

With --queue, the check is planned here; workers, here or on other computers, pack and measure. They see files, and the
report's folder, under the same paths; --memory is for each of their threads, and the report is the same. A pair that ends its worker three times is left out and named.

Before the clashes it says whether it could find any. Red: a file far from the others or in another unit, without geometry, or
of a format that is not read. Amber: what may be as it should, such as rules without near pairs, and open objects.

Exit code: 0 no clashes, 1 clashes (with --fail-on new: not in the baseline), 2 error, or pairs left out,
3 with --strict: something is red.

Examples:
  impinge check building.ifc services.ifc --clearance 50mm
  impinge check plant.impinge --rules rules.yaml --memory 160MB -o report
  impinge check https://models.example.com/plant.impinge --tolerance 5mm
  impinge check structure.ifc hvac.ifc --preset mep-structure --view
  impinge check --preset mep-structure --print > rules.yaml
  impinge check plant.impinge -o week2 --baseline week1 --fail-on new
  impinge check /shared/plant.impinge --queue postgres://queue.example.com/impinge
  impinge check plant.impinge -o week2 --baseline week1 --review from-solibri.bcfzip`,
    )
    .action(async (names, options) => {
      shell.exit(await (await import('../commands/check.js')).check(names, options, shell.terminal));
      if (!options.view || options.print) return;
      const { output, memory, open } = options;
      const { view } = await import('../commands/view.js');
      // what is printed as JSON is printed alone
      const terminal = options.json ? { ...shell.terminal, out: shell.terminal.error } : shell.terminal;
      await view([output], { output, memory, open }, terminal);
    });
};
