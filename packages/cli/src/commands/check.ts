/** `impinge check`: all clashes and violated clearances of a whole model. */
import { join } from 'node:path';
import {
  CHECK_DEFAULTS,
  CLASH_KIND_TABLE,
  CLASH_KINDS,
  type Clash,
  type ClashKind,
  patternProblem,
} from 'impinge/check';
import type { StoredModel } from 'impinge/store';
import type { FileOptions } from '../asked-files.js';
import { CommandError } from '../command-error.js';
import { type CheckOutcome, checkModel } from '../jobs/check-model.js';
import { type OpenedModel, openModel } from '../jobs/model-file.js';
import { leftOutOf, notesOf, packing, packOptions, printNotes } from '../packing.js';
import { Progress } from '../progress.js';
import { parseLength, parseMemory, parseWorkers } from '../quantities.js';
import type { BcfVersion } from '../reports/bcf/layout.js';
import {
  compareSeverity,
  hasOpenDepth,
  measureText,
  REPORT_FORMATS,
  type ReportClash,
  type ReportModel,
  type ReportRun,
} from '../reports/report-data.js';
import { inModelUnit } from '../rules/model-unit.js';
import type { RuleFile } from '../rules/rule-reader.js';
import {
  count,
  counted,
  decimal,
  fileSize,
  json,
  pathEnd,
  printable,
  type Terminal,
  table,
} from '../terminal.js';

export interface CheckCommandOptions extends FileOptions {
  readonly output: string;
  readonly clearance?: string;
  readonly tolerance?: string;
  readonly kinds?: string;
  readonly rules?: string;
  readonly baseline?: string;
  readonly formats?: string;
  readonly bcf: BcfVersion;
  readonly memory: string;
  readonly workers?: string;
  readonly resume?: boolean;
  readonly json?: boolean;
}

/** What the check is asked, lengths in metres. */
interface Question {
  readonly file: RuleFile | undefined;
  readonly clearance: number;
  readonly tolerance: number;
  readonly kinds: readonly ClashKind[];
}

/** What is reported. */
interface Compared {
  readonly clashes: readonly ReportClash[];
  readonly resolved: readonly ReportClash[] | undefined;
  /** Clashes that the rules file names as accepted. */
  readonly ignored: number;
}

const WORST_SHOWN = 8;

export async function check(
  names: readonly string[],
  options: CheckCommandOptions,
  terminal: Terminal,
): Promise<number> {
  // everything that can be wrong with the question comes before the work
  const question = await readQuestion(options);
  const formats = readList(options.formats, REPORT_FORMATS, '--formats') ?? REPORT_FORMATS;
  // what reads YAML and writes reports is loaded when it is needed: it would be in memory during the check
  const baseline =
    options.baseline === undefined
      ? undefined
      : await (await import('../reports/baseline.js')).readBaseline(options.baseline);
  const workers = parseWorkers(options.workers);
  const memory = parseMemory(options.memory);
  const started = performance.now();
  const opened = await packing((progress) =>
    openModel(names, join(options.output, 'model.impinge'), {
      ...packOptions(options, question.file?.files),
      ...progress,
    }),
  );
  const { model } = opened;
  try {
    const packedAt = performance.now();
    if (opened.packed && !options.json) printPacked(opened, packedAt - started, terminal);
    const outcome = await runCheck(model, question, { ...options, memory, workers }, terminal);
    const { groupClashes, compareWithBaseline, Scenery, writeReports } = await import('../reports/index.js');
    const described = describeModel(model);
    let compared: Compared;
    let paths: readonly string[];
    try {
      compared = await compareClashes(outcome, question, (kept) => {
        const clashes = groupClashes(kept, described.date);
        return baseline ? compareWithBaseline(clashes, baseline) : { clashes, resolved: undefined };
      });
      paths = await writeReports(options.output, {
        model: described,
        run: describeRun(question, outcome, compared.clashes),
        clashes: compared.clashes,
        resolved: compared.resolved,
        formats,
        bcf: options.bcf,
        scenery: new Scenery(model),
      });
    } catch (error) {
      await outcome.keep();
      throw resumable(error);
    }
    await outcome.finish();
    const seconds = {
      total: (performance.now() - started) / 1000,
      check: (performance.now() - packedAt) / 1000,
    };
    const summary = {
      model,
      outcome,
      ...compared,
      paths,
      seconds,
    };
    if (options.json) terminal.out(json(summaryRecord(summary)));
    else printSummary(summary, terminal);
    return compared.clashes.length > 0 ? 1 : 0;
  } finally {
    await model.dispose();
  }
}

async function readQuestion(options: CheckCommandOptions): Promise<Question> {
  const file =
    options.rules === undefined
      ? undefined
      : await (await import('../rules/read-rules.js')).readRules(options.rules, patternProblem);
  const length = (text: string | undefined, name: string) =>
    text === undefined ? undefined : parseLength(text, name);
  return {
    file,
    clearance:
      length(options.clearance, '--clearance') ?? file?.defaults.clearance ?? CHECK_DEFAULTS.clearance,
    tolerance:
      length(options.tolerance, '--tolerance') ?? file?.defaults.tolerance ?? CHECK_DEFAULTS.tolerance,
    kinds: readList(options.kinds, CLASH_KINDS, '--kinds') ?? file?.defaults.kinds ?? CHECK_DEFAULTS.kinds,
  };
}

function readList<T extends string>(
  text: string | undefined,
  known: readonly T[],
  option: string,
): readonly T[] | undefined {
  if (text === undefined) return undefined;
  const given = text.split(',').map((word) => word.trim());
  const unknown = given.find((word) => !(known as readonly string[]).includes(word));
  if (unknown !== undefined) {
    throw new CommandError(`${option}: "${unknown}" is not one of ${known.join(', ')}`);
  }
  return known.filter((word) => given.includes(word));
}

async function runCheck(
  model: StoredModel,
  { file, clearance, tolerance, kinds }: Question,
  options: { output: string; memory: number; workers: number; resume?: boolean },
  terminal: Terminal,
): Promise<CheckOutcome> {
  const unit = model.meta.metresPerUnit;
  const progress = new Progress();
  const journal = join(options.output, 'check.journal');
  let begun = false;
  let doneBefore = 0;
  try {
    return await checkModel(model, {
      rules: file ? inModelUnit(file, unit).rules : undefined,
      clearance: clearance / unit,
      tolerance: tolerance / unit,
      kinds,
      memory: options.memory,
      workers: options.workers,
      journal,
      resume: options.resume === true,
      onResume: (pairs, cut) => {
        doneBefore = pairs ?? 0;
        if (cut !== undefined) terminal.error(`impinge: ${cut}\n`);
        terminal.error(
          pairs === undefined
            ? `impinge: ${printable(options.output)}: nothing to continue, starting from the beginning\n`
            : `impinge: going on after ${counted(pairs, 'pair')}\n`,
        );
      },
      onProgress: ({ done, total, clashes }) => {
        if (!begun) progress.begin({ label: 'checking', total, unit: 'pairs', doneBefore });
        begun = true;
        progress.update(done, counted(clashes, 'clash', 'clashes'));
      },
    });
  } catch (error) {
    throw resumable(error);
  } finally {
    progress.end();
  }
}

/** A check that was stopped, here or in its reports, has a journal. */
function resumable(error: unknown): unknown {
  if (!(error instanceof CommandError && error.message === 'stopped')) return error;
  return new CommandError('stopped; what is finished is kept, --resume goes on from there');
}

/** The clashes as they were found are let go of here: each is in memory once. */
async function compareClashes(
  outcome: CheckOutcome,
  { file }: Question,
  compare: (kept: readonly Clash[]) => Omit<Compared, 'ignored'>,
): Promise<Compared> {
  const found = await outcome.clashes();
  const accepted = new Set(file?.ignoredClashIds);
  const kept = accepted.size === 0 ? found : found.filter(({ id }) => !accepted.has(id));
  return { ...compare(kept), ignored: found.length - kept.length };
}

function describeModel(model: StoredModel): ReportModel {
  const { meta, directory } = model;
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < directory.objectBox.length; i += 6) {
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], meta.metresPerUnit * directory.objectBox[i + k]);
      max[k] = Math.max(max[k], meta.metresPerUnit * directory.objectBox[i + 3 + k]);
    }
  }
  const dates = meta.files.map(({ modified }) => modified).sort();
  return {
    title: meta.title,
    files: meta.files,
    objectCount: model.objectCount,
    triangleCount: model.triangleCount,
    disciplines: model.texts('discipline'),
    date: dates[dates.length - 1] ?? '1970-01-01T00:00:00.000Z',
    box: { min, max },
  };
}

function describeRun(question: Question, outcome: CheckOutcome, clashes: readonly ReportClash[]): ReportRun {
  const given = question.file?.rules ?? [];
  const rules = (given.length === 0 ? [{ name: 'default' }] : given.filter(({ ignore }) => !ignore)).map(
    (rule, i) => {
      const name = rule.name ?? `rule ${i + 1}`;
      return {
        name,
        clearance: ('clearance' in rule ? rule.clearance : undefined) ?? question.clearance,
        tolerance: ('tolerance' in rule ? rule.tolerance : undefined) ?? question.tolerance,
        kinds: ('kinds' in rule ? rule.kinds : undefined) ?? question.kinds,
        clashes: clashes.filter((clash) => clash.rule === name).length,
      };
    },
  );
  return {
    clearance: question.clearance,
    tolerance: question.tolerance,
    rules,
    touches: outcome.touches,
    pairsChecked: outcome.stats.pairs,
  };
}

function printPacked({ packed, path }: OpenedModel, ms: number, terminal: Terminal): void {
  const { objects, triangles, byteLength } = packed!;
  terminal.out(
    `${counted(objects, 'object')}, ${counted(triangles, 'triangle')}, packed in ${(ms / 1000).toFixed(1)} s` +
      ` (${path}, ${fileSize(byteLength)}, used again next time)\n`,
  );
}

interface Summary extends Compared {
  readonly model: StoredModel;
  readonly outcome: CheckOutcome;
  readonly paths: readonly string[];
  readonly seconds: { readonly total: number; readonly check: number };
}

function printSummary(summary: Summary, terminal: Terminal): void {
  const { out, colors } = terminal;
  const { model, outcome, clashes, resolved, ignored, paths, seconds } = summary;
  const { stats, touches } = outcome;
  const groups = new Set(clashes.map(({ group }) => group)).size;
  if (clashes.length === 0) out(`${colors.bold(colors.green('No clashes'))}\n`);
  else {
    out(
      `${colors.bold(colors.red(counted(clashes.length, 'clash', 'clashes')))} in ${counted(groups, 'issue')}\n`,
    );
  }
  const rows = CLASH_KINDS.flatMap((kind) => {
    const own = clashes.filter((clash) => clash.kind === kind);
    return own.length === 0 ? [] : [[kind, count(own.length), worstOf(kind, own)]];
  });
  if (rows.length > 0) out(table(rows, [1]));
  if (resolved) {
    const fresh = clashes.filter(({ status }) => status === 'new').length;
    out(
      `  since the baseline: ${count(fresh)} new, ${count(clashes.length - fresh)} persisting, ` +
        `${count(resolved.length)} resolved\n`,
    );
  }
  for (const rule of stats.idleRules) {
    out(`  ${printable(rule)}: a side of this rule selects no object\n`);
  }
  if (ignored > 0) out(`  ${counted(ignored, 'accepted clash', 'accepted clashes')} left out by the rules\n`);
  printNotes(model.meta.files, terminal);
  if (touches > 0) {
    out(
      `  ${counted(touches, 'pair')} touch where a clearance is asked for; --kinds ${CLASH_KINDS.join(',')} lists them\n`,
    );
  }
  if (clashes.length > 0) {
    out(`\n${colors.bold('Worst')}\n`);
    const worst = [...clashes].sort(compareSeverity).slice(0, WORST_SHOWN);
    out(table(worst.map((clash) => [figureOf(clash), pathEnd(clash.a.path, 40), pathEnd(clash.b.path, 40)])));
  }
  out(
    `\nChecked ${counted(stats.pairs, 'pair')} of ${counted(model.objectCount, 'object')} ` +
      `(${counted(model.triangleCount, 'triangle')}) in ${seconds.check.toFixed(1)} s; ` +
      `${fileSize(stats.peakBytes)} for geometry, ${perTriangle(stats.loadsPerTriangle)}\n`,
  );
  out(`Report: ${paths.join('  ')}\n`);
}

function worstOf(kind: ClashKind, clashes: readonly ReportClash[]): string {
  if (CLASH_KIND_TABLE[kind].measure === 'distance') {
    const least = clashes.reduce((least, { distance }) => Math.min(least, distance), Infinity);
    return `closest ${millimetres(least)}`;
  }
  const most = clashes.reduce((most, { depth }) => Math.max(most, depth), 0);
  const open = clashes.filter(hasOpenDepth);
  const bound = open.reduce((bound, { depthBound }) => Math.max(bound, depthBound), 0);
  const deepest = most > 0 ? `deepest ${millimetres(most)}` : '';
  if (open.length === 0) return deepest;
  return `${deepest} (${counted(open.length, 'depth')} open, up to ${millimetres(bound)})`.trim();
}

function figureOf(clash: ReportClash): string {
  const { kind, form, depth } = clash;
  const what = form === undefined ? kind : `${kind}, ${form}`;
  if (CLASH_KIND_TABLE[kind].measure === 'depth' && depth === 0 && !hasOpenDepth(clash)) return what;
  const figure = measureText(clash, millimetres) ?? (depth > 0 ? millimetres(depth) : '');
  return `${what} ${figure}`.trimEnd();
}

/** `0.7 reads per triangle`. */
function perTriangle(loads: number): string {
  const rounded = Number(loads.toFixed(2));
  return `${decimal(rounded)} ${rounded === 1 ? 'read' : 'reads'} per triangle`;
}

function millimetres(metres: number): string {
  return `${decimal(Number((1000 * metres).toPrecision(3)))} mm`;
}

function summaryRecord(summary: Summary): unknown {
  const { model, outcome, clashes, resolved, ignored, paths, seconds } = summary;
  const kinds = Object.fromEntries(
    CLASH_KINDS.map((kind) => [kind, clashes.filter((clash) => clash.kind === kind).length]),
  );
  return {
    clashes: clashes.length,
    kinds,
    openDepths: clashes.filter(hasOpenDepth).length,
    touches: outcome.touches,
    ignored,
    ...(resolved
      ? { new: clashes.filter(({ status }) => status === 'new').length, resolved: resolved.length }
      : {}),
    objects: model.objectCount,
    triangles: model.triangleCount,
    stats: outcome.stats,
    seconds,
    notes: notesOf(model.meta.files),
    leftOut: leftOutOf(model.meta.files),
    files: paths,
  };
}
