/** How `impinge check` is called. */
import { Option } from 'commander';
import { BCF_VERSIONS } from '../reports/bcf/layout.js';
import { FAIL_ON, GROUPINGS, REPORT_FORMATS, SHEETS_BY, USUAL_FORMATS } from '../reports/choices.js';
import { PRESETS } from '../rules/preset-names.js';
import { FILES, modelOptions, queueOption, REMOTE_STORES, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

const FORMAT_LIST = [
  `${USUAL_FORMATS.join(', ')} (these by default)`,
  ...REPORT_FORMATS.filter((format) => !USUAL_FORMATS.includes(format)),
].join(', ');

export const addCheck: AddCommand = async (program, shell) => {
  // loads the library, as the command itself will
  const help = shell.command === 'check' ? await import('./check-help.js') : undefined;
  modelOptions(program.command('check'))
    .description('Check a whole model for clashes and violated clearances. Writes a report.')
    .argument(
      '[model...]',
      'a store (.impinge), local or remote (https://…, s3://…), or model files, folders, globs',
    )
    .option('-o, --output <folder>', 'folder of the report', 'impinge-report')
    .option('--clearance <length>', 'report objects closer than this')
    .option('--tolerance <length>', 'permit overlaps no deeper than this')
    .option('--kinds <list>', `kinds of clashes to report: ${help?.kindList()}`)
    .option('--rules <file>', 'which objects to check against which, and how strictly (YAML or JSON)')
    .addOption(new Option('--preset <name>', 'built-in rules').choices(PRESETS))
    .option('--print', 'print the preset, as a start for your own rules')
    .option('--allow-empty-rules', 'continue if one side of a rule selects no object')
    .option(
      '--exclusions <list>',
      `pairs that meet by design, to leave out: ${help?.exclusionList()}, all or none (default: all)`,
    )
    .option('--include <list>', 'pairs to report that are otherwise left out, by the names of exclusions')
    .option(
      '--baseline <folder>',
      'an earlier report: mark clashes new, persisting or renamed, list the resolved ones',
    )
    .option(
      '--review <file>',
      'import decisions from a BCF file of another tool, or a review.yaml or .json; may be repeated',
      (file: string, before: string[]) => [...before, file],
      [],
    )
    .addOption(
      new Option('--fail-on <what>', 'which clashes cause exit code 1').choices(FAIL_ON).default('any'),
    )
    .option('--strict', 'exit with code 3 if a finding about files or rules is red')
    .addOption(
      new Option(
        '--group-by <what>',
        'how clashes are grouped into issues: automatically, by element, by place, or by what pairs of objects have in common',
      )
        .choices(GROUPINGS)
        .default('auto'),
    )
    .option('--formats <list>', `reports to write: ${FORMAT_LIST}`)
    .addOption(new Option('--bcf <version>', 'BCF version').choices(BCF_VERSIONS).default('2.1'))
    .addOption(
      new Option('--sheets-by <what>', 'what the sheets of clashes.pdf are put together by')
        .choices(SHEETS_BY)
        .default('storey'),
    )
    .option(
      '--workers <n>',
      'maximum number of threads (default: one per core); each needs 40 MB of --memory',
    )
    .addOption(queueOption('distribute the work to "impinge worker" processes of a queue: postgres://…'))
    .option('--upload <place>', 'also upload the report, to s3://bucket/folder')
    .option('--resume', 'continue a check that was stopped or killed')
    .option('--json', 'print a summary as JSON')
    .option('--view', 'open the report and its model in the browser, like "impinge view"')
    .option('--no-open', 'with --view: only print the URL')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

Kinds:
${help?.kindLines()}
Depth: how far the innermost part of one lies inside the other.

Exclusions (pairs that meet by design; counted, and left out unless --include names them; --formats excluded lists
them in excluded.csv):
${help?.exclusionLines()}

Model files are packed once, into model.impinge in the report's folder, which is reused until they change. IFC, STEP
and IGES files that other models contain, too, are not read again, and pairs of objects that have not changed since the
last check of files with these names are not measured again: IMPINGE_CACHE names the folder for that, or is off.
A check that was stopped, was killed or ran out of disk space continues with --resume and gives the same report.
The report: report.html, clashes.jsonl, clashes.csv, clashes.bcfzip (BCF 2.1 for other tools;
with --bcf 3.0, clashes.bcf). For a meeting, --formats xlsx,pdf: clashes.xlsx with pictures and filters, clashes.pdf
with a page for each of the worst issues. For continuous integration, --formats junit,sarif.

Decisions about clashes are kept in review.yaml in the report's folder; approved clashes are not counted.

${REMOTE_STORES}

With --queue, this process plans the check, and workers on any computer pack and measure. They must see the model files
and the report's folder under the same paths; --memory applies to each of their threads. The report is the same.
A pair that crashes its worker three times is left out and named.

Findings about files and rules come before the clashes. Red: a file far from the others or in another unit, a file
without geometry, an unsupported format. Amber: possible mistakes, such as rules without near pairs, and open objects.

Exit code: 0 no clashes, 1 clashes (with --fail-on new: clashes not in the baseline), 2 error, or pairs left out,
3 with --strict: a finding is red.

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
      // with --json, standard output holds only JSON
      const terminal = options.json ? { ...shell.terminal, out: shell.terminal.error } : shell.terminal;
      await view([output], { output, memory, open }, terminal);
    });
};
