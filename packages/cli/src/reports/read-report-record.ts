/** Reads `report.json`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckRule, CLASH_KINDS, EXCLUSIONS, type SelectionSets } from '@impinge/model';
import * as v from 'valibot';
import { CommandError } from '../command-error.js';
import { readBytes } from '../regular-file.js';
import { FINDING_KINDS, FINDING_SEVERITIES, type FindingKind } from '../wire/finding.js';
import type { ReportRun } from '../wire/report.js';
import { clashSchema, readClash } from './read-clash-record.js';
import type { ReportClash, ReportModel } from './report-data.js';
import { RECORD_FORMAT, RECORD_NAME } from './report-record.js';

/** More than any report has. */
const BYTES_MAX = 1 << 29;

export interface ReportRecord {
  /** The path or address of the store, relative to the report's folder. */
  readonly store: string;
  /** Changes with any change of the model. */
  readonly fingerprint: string;
  /** Whether clashes.jsonl belongs to it. */
  readonly hasClashes: boolean;
  /** Undefined in reports of earlier versions. */
  readonly model: ReportModel | undefined;
  readonly run: ReportRun;
  readonly resolved: readonly ReportClash[] | undefined;
}

/** The library validates rules. */
const askedSchema = v.object({
  rules: v.array(v.custom<CheckRule>((given) => given instanceof Object)),
  sets: v.custom<SelectionSets>((given) => given instanceof Object),
  exclusions: v.union([v.boolean(), v.record(v.picklist(EXCLUSIONS), v.boolean())]),
  clearance: v.number(),
  tolerance: v.number(),
  kinds: v.array(v.picklist(CLASH_KINDS)),
});

const runSchema = v.object({
  asked: askedSchema,
  clearance: v.number(),
  tolerance: v.number(),
  rules: v.array(
    v.object({
      name: v.string(),
      clearance: v.number(),
      tolerance: v.number(),
      kinds: v.array(v.picklist(CLASH_KINDS)),
      objects: v.tuple([v.number(), v.number()]),
      clashes: v.number(),
    }),
  ),
  touches: v.number(),
  pairsChecked: v.number(),
  findings: v.array(
    v.object({
      kind: v.picklist(Object.keys(FINDING_KINDS) as FindingKind[]),
      severity: v.picklist(FINDING_SEVERITIES),
      message: v.string(),
      suggestion: v.string(),
      files: v.array(v.string()),
      objects: v.array(v.string()),
    }),
  ),
  excluded: v.array(
    v.object({ name: v.string(), why: v.string(), pairs: v.number(), elements: v.optional(v.number()) }),
  ),
  unmeasured: v.optional(v.array(v.object({ a: v.string(), b: v.string(), why: v.string() }))),
});

const corner = v.tuple([v.number(), v.number(), v.number()]);
const modelSchema = v.object({
  title: v.string(),
  files: v.array(
    v.object({
      name: v.string(),
      objects: v.number(),
      triangles: v.number(),
      modified: v.optional(v.string(), ''),
      projectId: v.optional(v.string(), ''),
    }),
  ),
  objectCount: v.number(),
  triangleCount: v.number(),
  disciplines: v.array(v.string()),
  date: v.string(),
  box: v.object({ min: corner, max: corner }),
});

const recordSchema = v.object({
  store: v.string(),
  fingerprint: v.string(),
  clashes: v.boolean(),
  model: v.optional(modelSchema),
  run: runSchema,
  resolved: v.nullable(v.array(clashSchema)),
});

/** The record of a folder; undefined if it is not a report folder. */
export async function readRecord(folder: string): Promise<ReportRecord | undefined> {
  const path = join(folder, RECORD_NAME);
  if (!existsSync(path)) return undefined;
  let given: unknown;
  try {
    given = JSON.parse(Buffer.from(await readBytes(path, BYTES_MAX)).toString('utf8'));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path}: is not a report of impinge: it is not JSON`);
  }
  // an unrelated file of that name among models
  if (!(given instanceof Object && 'format' in given && String(given.format).startsWith('impinge report')))
    return undefined;
  if (given.format !== RECORD_FORMAT)
    throw new CommandError(`${path}: was written by another version of impinge; run the check again`);
  const result = v.safeParse(recordSchema, given);
  if (!result.success) {
    const issue = result.issues[0];
    throw new CommandError(`${path}: cannot be read: ${v.getDotPath(issue) ?? 'it'}: ${issue.message}`);
  }
  const { clashes: hasClashes, model, resolved, ...record } = result.output;
  return { ...record, hasClashes, model, resolved: resolved?.map(readClash) };
}
