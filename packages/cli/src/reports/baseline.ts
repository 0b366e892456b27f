/**
 * Compares a run with an earlier one: which clashes are new, persisting, renamed or gone. Clashes are identified by
 * their ids, even if kind and depth have changed; one that is only known by other ids of its objects is renamed.
 *
 * An issue keeps its earlier id as long as some of its clashes still exist, so that tools with an earlier export find
 * their topics again. Each earlier id goes to the issue that has most of its clashes.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CommandError } from '../command-error.js';
import { oneLine } from '../formats/format-error.js';
import { openRegularFile } from '../regular-file.js';
import { compareText } from '../wire/text.js';
import { shortHash } from './group-clashes.js';
import { parseClashLine } from './read-clash-record.js';
import { type IdsInModel, idsIn, renamedClashes } from './renamed.js';
import type { ReportClash } from './report-data.js';

export { idsIn };

const CLASHES_NAME = 'clashes.jsonl';

export interface Comparison {
  readonly clashes: readonly ReportClash[];
  /** Clashes of the baseline that no longer exist. */
  readonly resolved: readonly ReportClash[];
}

/**
 * The clashes of an earlier report, without their status against its own baseline; throws a one-line CommandError if
 * there is none or it cannot be read.
 */
export async function readBaseline(folder: string): Promise<ReportClash[]> {
  if (!existsSync(join(folder, CLASHES_NAME)))
    throw new CommandError(`${folder} is not a baseline: it has no ${CLASHES_NAME}`);
  return (await readClashes(folder)).map((clash) => ({ ...clash, status: undefined }));
}

/** The clashes of a report, unchanged. */
export async function readClashes(folder: string): Promise<ReportClash[]> {
  const path = join(folder, CLASHES_NAME);
  const clashes: ReportClash[] = [];
  const stream = (await openRegularFile(path)).createReadStream({ encoding: 'utf8' });
  let number = 0;
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      number++;
      if (line.trim() !== '') clashes.push(parseClashLine(line));
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const where = code === undefined ? `line ${number}: ` : '';
    throw new CommandError(`${path} cannot be read: ${where}${oneLine(message)}`);
  } finally {
    stream.destroy();
  }
  return clashes;
}

/** Marks each clash new, persisting or renamed, and keeps the earlier ids of issues. */
export function compareWithBaseline(
  clashes: readonly ReportClash[],
  baseline: readonly ReportClash[],
  idsInModel: IdsInModel = idsAmong(clashes),
): Comparison {
  const renamed = renamedClashes(clashes, baseline, idsInModel);
  const known = new Map([...baseline.map((clash) => [clash.id, clash] as const), ...renamed]);
  const groups = inheritedIds(clashes, new Map([...known].map(([id, { group }]) => [id, group])));
  const opened = new Map(baseline.map(({ group, issueSince }) => [group, issueSince]));
  const present = new Set([...clashes, ...renamed.values()].map(({ id }) => id));
  return {
    clashes: clashes.map((clash) => {
      const before = known.get(clash.id);
      const group = groups.get(clash.group)!;
      return {
        ...clash,
        group,
        status: renamed.has(clash.id) ? 'renamed' : before ? 'persisting' : 'new',
        formerIds: before ? formerIds(before, clash.id) : clash.formerIds,
        since: before?.since ?? clash.since,
        issueSince: opened.get(group) ?? clash.issueSince,
      };
    }),
    resolved: baseline.filter(({ id }) => !present.has(id)),
  };
}

/** The ids of the objects of these clashes. */
function idsAmong(clashes: readonly ReportClash[]): IdsInModel {
  return () => new Set(clashes.flatMap(({ a, b }) => [a.id, b.id]));
}

/** The other ids that a clash had, the latest last. */
function formerIds(before: ReportClash, now: string): readonly string[] {
  return [...before.formerIds, before.id].filter((id) => id !== now);
}

/** The id that each issue continues under. */
function inheritedIds(
  clashes: readonly ReportClash[],
  earlier: ReadonlyMap<string, string>,
): Map<string, string> {
  const shared = new Map<string, { group: string; was: string; count: number }>();
  for (const { id, group } of clashes) {
    const was = earlier.get(id);
    if (was === undefined) continue;
    const key = `${group}\0${was}`;
    const entry = shared.get(key);
    if (entry) entry.count++;
    else shared.set(key, { group, was, count: 1 });
  }
  const claims = [...shared.values()].sort(
    (p, q) => q.count - p.count || compareText(p.was, q.was) || compareText(p.group, q.group),
  );
  const ids = new Map<string, string>();
  const given = new Set<string>();
  for (const { group, was } of claims) {
    if (ids.has(group) || given.has(was)) continue;
    ids.set(group, was);
    given.add(was);
  }
  // the rest keep their own ids, unless another issue or one of the baseline has the same
  const taken = new Set([...given, ...earlier.values()]);
  for (const group of [...new Set(clashes.map((clash) => clash.group))].sort(compareText)) {
    if (ids.has(group)) continue;
    let id = group;
    while (taken.has(id)) id = `g${shortHash(id)}`;
    ids.set(group, id);
    taken.add(id);
  }
  return ids;
}
