/** `impinge check`: all clashes and violated clearances of a whole model. */
import { join } from 'node:path';
import type { Clash, StoredModel } from '@impinge/model';
import { ImpingeError } from 'impinge';
import type { FileOptions } from '../asked-files.js';
import { CommandError } from '../command-error.js';
import { fileFindings, ruleFindings, sorted } from '../federation/findings.js';
import { type CheckOutcome, checkModel, threadsWithin } from '../jobs/check-model.js';
import { type OpenedModel, openModel } from '../jobs/model-file.js';
import { readingFolder } from '../jobs/reading-folder.js';
import { keptNote, packing, packOptions } from '../packing.js';
import { accessRecord } from '../path/access.js';
import { Progress } from '../progress.js';
import { parseMemory, parseWorkers } from '../quantities.js';
import { isRemote } from '../remote/location.js';
import type { Comparison } from '../reports/baseline.js';
import type { BcfVersion } from '../reports/bcf/layout.js';
import {
  type FailOn,
  type Grouping,
  REPORT_FORMATS,
  type SheetsBy,
  USUAL_FORMATS,
} from '../reports/choices.js';
import { showPictures } from '../reports/issue-pictures.js';
import { isFailure, type ReportClash } from '../reports/report-data.js';
import type { Reviewed } from '../reports/review/review-clashes.js';
import { hasReview } from '../reports/review/review-names.js';
import type { EmptySide } from '../rules/empty-sides.js';
import { inModelUnit } from '../rules/model-unit.js';
import { packerOn, type Queue, serverPackage } from '../server-package.js';
import { count, counted, fileSize, json, printable, type Terminal } from '../terminal.js';
import { compileForPairs, sparesMemory } from '../v8-settings.js';
import type { Finding } from '../wire/finding.js';
import type { AskedCheck, ExcludedCount, ReportRun, UnmeasuredNames } from '../wire/report.js';
import { askedOf, type Question, type QuestionOptions, readList, readQuestion } from './check-question.js';
import { type Compared, printSummary, summaryRecord } from './check-summary.js';
import { printFindings } from './print-findings.js';

export interface CheckCommandOptions extends FileOptions, QuestionOptions {
  readonly output: string;
  readonly print?: boolean;
  readonly allowEmptyRules?: boolean;
  readonly baseline?: string;
  readonly formats?: string;
  readonly bcf: BcfVersion;
  readonly sheetsBy: SheetsBy;
  readonly review: readonly string[];
  readonly groupBy: Grouping;
  readonly failOn: FailOn;
  readonly strict?: boolean;
  readonly memory: string;
  readonly workers?: string;
  readonly resume?: boolean;
  readonly queue?: string;
  readonly upload?: string;
  readonly json?: boolean;
}

export async function check(
  names: readonly string[],
  options: CheckCommandOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.print) {
    if (options.preset === undefined) throw new CommandError('--print: which --preset?');
    terminal.out(await (await import('../rules/presets.js')).presetText(options.preset));
    return 0;
  }
  if (names.length === 0) throw new CommandError("missing required argument 'model'");
  // all errors in the input are reported before the work starts
  const question = await readQuestion(options);
  const formats = readList(options.formats, REPORT_FORMATS, '--formats') ?? USUAL_FORMATS;
  // the code that reads YAML and writes reports is loaded on demand: otherwise it would occupy memory during the check
  const baseline =
    options.baseline === undefined
      ? undefined
      : await (await import('../reports/baseline.js')).readBaseline(options.baseline);
  await givenReviews(options);
  if (isRemote(options.output))
    throw new CommandError(
      `-o ${options.output}: a folder here is needed; --upload takes what is in it elsewhere`,
    );
  if (options.upload !== undefined)
    await (await import('../remote/upload.js')).assertUploadable(`${options.upload}/-`);
  const queue =
    options.queue === undefined ? undefined : (await serverPackage('--queue')).queueAt(options.queue);
  const workers = parseWorkers(options.workers);
  const memory = parseMemory(options.memory);
  const started = performance.now();
  const pack = queue && packerOn(queue, () => terminal.error(`impinge: ${queue.idleNote}\n`));
  const opened = await packing((progress) =>
    openModel(
      names,
      join(options.output, 'model.impinge'),
      { ...packOptions(options, question.file?.files), ...progress },
      pack,
    ),
  );
  const { model } = opened;
  try {
    const packedAt = performance.now();
    if (opened.packed && !options.json) printPacked(opened, packedAt - started, terminal);
    const ofFiles = fileFindings(model, opened.skipped);
    if (!options.json) printFindings(ofFiles, terminal);
    const asked = askedOf(question, model.meta.metresPerUnit);
    const outcome = await runCheck(opened, question, asked, { ...options, queue, memory, workers }, terminal);
    const {
      describeModel,
      excludedCounts,
      groupClashes,
      painterOf,
      Places,
      Scenery,
      storePathFrom,
      writeReports,
    } = await import('../reports/index.js');
    const described = describeModel(model);
    const ofRules = ruleFindings(outcome.stats, {
      objectCount: model.objectCount,
      isOptional: (rule) => asked.rules[rule]?.optional === true,
      lacksTypes: asksForTypes(asked) && model.texts('type').every((type) => type === ''),
    });
    const findings = sorted([...ofFiles, ...ofRules]);
    const unmeasured = outcome.unmeasured.map(({ a, b, why }) => {
      return { a: model.object(a).path, b: model.object(b).path, why };
    });
    const excluded = await excludedCounts(outcome);
    const access =
      outcome.access.length > 0 ? accessRecord(model, await outcome.accessFindings()) : undefined;
    const scenery = new Scenery(model);
    const painter = painterOf(model, scenery, described.box, threadsWithin(memory, workers));
    let compared: Compared;
    let paths: readonly string[];
    try {
      if (showPictures(formats)) painter.prepare(outcome.stats.clashes);
      const { file, notes, ...all } = await reported(model, outcome, question, options, baseline, (found) =>
        groupClashes(found, described.date, options.groupBy, new Places(model)),
      );
      for (const line of notes) terminal.error(`impinge: ${line}\n`);
      compared = all;
      paths = await writeReports(options.output, {
        ...compared,
        model: described,
        run: describeRun(question, outcome, {
          ...{ asked, unmeasured, findings, excluded },
          clashes: compared.clashes,
        }),
        async *excluded() {
          yield* outcome.excludedPairs();
          yield* await outcome.excludedClashes();
        },
        formats,
        bcf: options.bcf,
        sheetsBy: options.sheetsBy,
        failOn: options.failOn,
        painter,
        scenery,
        store: { path: storePathFrom(options.output, opened.path), fingerprint: model.fingerprint },
        review: file,
        access: access && json(access),
      });
    } catch (error) {
      await painter.dispose();
      await outcome.keep();
      throw resumable(error);
    }
    await outcome.finish();
    const uploaded =
      options.upload === undefined
        ? []
        : await (await import('../remote/upload.js')).uploadInto(options.upload, paths);
    const seconds = {
      total: (performance.now() - started) / 1000,
      check: (performance.now() - packedAt) / 1000,
    };
    const summary = {
      model,
      outcome,
      ...compared,
      unmeasured,
      findings,
      excluded,
      ...(access && { access }),
      paths,
      uploaded,
      seconds,
    };
    if (options.json) terminal.out(json(summaryRecord(summary)));
    else {
      printFindings(ofRules, terminal);
      printSummary(summary, terminal);
    }
    if (outcome.unmeasured.length > 0) {
      terminal.error(
        `impinge: ${counted(outcome.unmeasured.length, 'pair')} could not be measured; --resume tries again\n`,
      );
      return 2;
    }
    if (options.strict && findings.some(({ severity }) => severity === 'red')) return 3;
    return compared.clashes.some((clash) => isFailure(options.failOn, clash)) ? 1 : 0;
  } finally {
    await model.dispose();
  }
}

/** The decisions, if there are any. */
async function givenReviews({ output, baseline, review }: CheckCommandOptions) {
  if (review.length === 0 && ![output, baseline].some(hasReview)) return undefined;
  return (await import('../reports/review/read-reviews.js')).readReviews(output, baseline, review);
}

async function runCheck(
  { model, path }: OpenedModel,
  { file }: Question,
  asked: AskedCheck,
  options: Pick<CheckCommandOptions, 'output' | 'resume' | 'rules' | 'preset' | 'allowEmptyRules'> & {
    readonly queue: Queue | undefined;
    readonly memory: number;
    readonly workers: number;
  },
  terminal: Terminal,
): Promise<CheckOutcome> {
  const { queue } = options;
  const progress = new Progress();
  const journal = join(options.output, 'check.journal');
  let [begun, seeking] = [false, false];
  let doneBefore = 0;
  try {
    return await checkModel(model, {
      ...asked,
      allowEmptyRules: options.allowEmptyRules === true,
      memory: options.memory,
      workers: options.workers,
      journal,
      resume: options.resume === true,
      kept: sparesMemory() ? undefined : readingFolder(),
      ...(queue && {
        lead: (key) =>
          queue.lead(model, path, {
            key,
            onIdle: () => {
              progress.clear();
              terminal.error(`impinge: ${queue.idleNote}\n`);
            },
          }),
      }),
      onResume: (pairs, cut) => {
        doneBefore = pairs ?? 0;
        if (cut !== undefined) terminal.error(`impinge: ${cut}\n`);
        terminal.error(
          pairs === undefined
            ? `impinge: ${printable(options.output)}: nothing to continue, starting from the beginning\n`
            : `impinge: going on after ${counted(pairs, 'pair')}\n`,
        );
      },
      access: file ? inModelUnit(file, model.meta.metresPerUnit).access : [],
      onAccess: (done, total, blocked) => {
        if (!seeking) progress.begin({ label: 'looking for ways', total, unit: 'objects' });
        seeking = true;
        progress.update(done, `${count(blocked)} blocked`);
      },
      onProgress: ({ done, total, clashes }) => {
        if (!begun) {
          progress.begin({ label: 'checking', total, unit: 'pairs', doneBefore });
          compileForPairs(total - doneBefore);
        }
        begun = true;
        progress.update(done, counted(clashes, 'clash', 'clashes'));
      },
    });
  } catch (error) {
    if (file && error instanceof ImpingeError && error.code === 'empty-rule') {
      const scaled = inModelUnit(file, model.meta.metresPerUnit);
      const { emptySideLines } = await import('../rules/empty-sides.js');
      const empty = error.detail['empty'] as readonly EmptySide[];
      throw new CommandError(
        await emptySideLines(empty, model, scaled, options.rules ?? `preset ${options.preset}`),
      );
    }
    throw resumable(error);
  } finally {
    progress.end();
  }
}

/** A check that was stopped, or failed while writing reports, has a journal. */
function resumable(error: unknown): unknown {
  if (!(error instanceof CommandError && error.message === 'stopped')) return error;
  return new CommandError('stopped; finished work is kept, --resume continues from there');
}

/** The clashes to report, and the state of reviews. Intermediate lists are released before reports are written. */
async function reported(
  model: StoredModel,
  outcome: CheckOutcome,
  { file }: Question,
  options: CheckCommandOptions,
  baseline: readonly ReportClash[] | undefined,
  group: (found: readonly Clash[]) => readonly ReportClash[],
): Promise<Compared & Pick<Reviewed, 'file' | 'notes'>> {
  const all = await outcome.clashes();
  // without the clashes that the rules file accepts
  const accepted = new Set(file?.ignoredClashIds);
  const found = accepted.size === 0 ? all : all.filter(({ id }) => !accepted.has(id));
  const ignored = all.length - found.length;
  const grouped = group(found);
  const { clashes, resolved } = baseline
    ? await sinceBaseline(model, grouped, baseline)
    : { clashes: grouped, resolved: undefined };
  // decisions made while the check ran count, too
  const reviews = await givenReviews(options);
  const reviewed = reviews
    ? (await import('../reports/review/review-clashes.js')).reviewClashes(reviews, clashes, baseline ?? [])
    : { clashes, approved: [], file: undefined, notes: [] };
  return { ...reviewed, resolved, ignored };
}

/** Whether a rule selects by type. */
function asksForTypes({ rules, sets }: AskedCheck): boolean {
  return JSON.stringify([rules, sets]).includes('"type":');
}

async function sinceBaseline(
  model: StoredModel,
  clashes: readonly ReportClash[],
  baseline: readonly ReportClash[],
): Promise<Comparison> {
  const { compareWithBaseline, idsIn } = await import('../reports/baseline.js');
  return compareWithBaseline(clashes, baseline, idsIn(model));
}

function describeRun(
  question: Question,
  outcome: CheckOutcome,
  {
    asked,
    unmeasured,
    findings,
    clashes,
    excluded,
  }: {
    readonly asked: AskedCheck;
    readonly unmeasured: readonly UnmeasuredNames[];
    readonly findings: readonly Finding[];
    readonly clashes: readonly ReportClash[];
    readonly excluded: readonly ExcludedCount[];
  },
): ReportRun {
  const given = question.file?.rules ?? [];
  // the check names rules without a name, and adds its own if there are none
  const rules = outcome.stats.rules.flatMap(({ name, ignore, a, b }, i) => {
    if (ignore) return [];
    const { clearance, tolerance, kinds } = given[i] ?? {};
    return {
      name,
      objects: [a, b] as const,
      clearance: clearance ?? question.clearance,
      tolerance: tolerance ?? question.tolerance,
      kinds: kinds ?? question.kinds,
      clashes: clashes.filter((clash) => clash.rule === name).length,
    };
  });
  for (const { name, selected, doors, clearance } of outcome.access) {
    const objects = [selected.length, doors.length] as const;
    const found = clashes.filter((clash) => clash.rule === name).length;
    rules.push({ name, objects, clearance, tolerance: 0, kinds: ['blocked'], clashes: found });
  }
  return {
    asked,
    clearance: question.clearance,
    tolerance: question.tolerance,
    rules,
    touches: outcome.touches,
    pairsChecked: outcome.stats.pairs,
    findings,
    excluded,
    ...(unmeasured.length > 0 && { unmeasured }),
  };
}

function printPacked({ packed, path }: OpenedModel, ms: number, terminal: Terminal): void {
  const { objects, triangles, byteLength, files, kept } = packed!;
  terminal.out(
    `${counted(objects, 'object')}, ${counted(triangles, 'triangle')}, packed in ${(ms / 1000).toFixed(1)} s` +
      `${keptNote(kept, files.length)} (${path}, ${fileSize(byteLength)}, used again next time)\n`,
  );
}
