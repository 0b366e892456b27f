/**
 * The messages in a queue: which pairs of which check, or which files to pack. Anyone with write access to the server
 * may have written them, so everything is validated.
 *
 * A task is identified by its pairs, not by a number: planning a check takes longer than reading one of its tasks,
 * and a resumed check submits different tasks.
 */
import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { allOf } from '@impinge/cli/internal/clash-schema.js';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import type { Packed, PackOptions } from '@impinge/cli/internal/jobs/pack-model.js';
import { isStore } from '@impinge/cli/internal/store-extension.js';
import { CLASH_KINDS, ZONE_SIZES } from '@impinge/model';
import type { TaskFindings } from '@impinge/model/node';
import * as v from 'valibot';

/** Model files to pack into a store. */
export interface PackOrder {
  /** Absolute paths, the same for all workers. */
  readonly files: readonly string[];
  /** An absolute path, or `s3://bucket/key`. */
  readonly output: string;
  readonly version: string;
  readonly options: Pick<
    PackOptions,
    'metresPerUnit' | 'up' | 'curveError' | 'patterns' | 'memory' | 'levels'
  >;
}

/** The result of packing a store. */
export interface PackedStore {
  readonly packed: Packed;
  /** Of the whole file, computed by its writer. */
  readonly sha256: string;
  /** Equal to `StoredModel.fingerprint`; it can be compared without reading the whole file. */
  readonly fingerprint: string;
}

/** More than any task has. */
const MOST_PAIRS = 1 << 16;
const MOST_RULES = 1 << 16;

const finite = v.pipe(v.number(), v.finite(), v.minValue(0));
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const name = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/));

const description = v.object({
  /** A path that every worker can read, or a remote address. */
  store: v.pipe(v.string(), v.maxLength(8192), v.check(isStore)),
  fingerprint: v.pipe(v.string(), v.maxLength(256)),
  /** Other versions may give different answers. */
  version: v.pipe(v.string(), v.maxLength(64)),
  rules: v.pipe(
    v.array(
      v.object({
        ...{ clearance: finite, tolerance: finite, kinds: whole },
        zone: v.optional(v.object(allOf(ZONE_SIZES, finite))),
      }),
    ),
    v.maxLength(MOST_RULES),
    v.readonly(),
  ),
  /** Memory limit of a task, in bytes. */
  memory: v.pipe(whole, v.minValue(1)),
});
/** The common part of all tasks of a check. */
export type RunDescription = v.InferOutput<typeof description>;

const MOST_FILES = 1 << 16;
const text = v.pipe(v.string(), v.maxLength(8192));
const axis = v.picklist(['y', 'z']);
const packOrder = v.object({
  files: v.pipe(v.array(v.pipe(text, v.check(isAbsolute))), v.minLength(1), v.maxLength(MOST_FILES)),
  output: v.pipe(
    text,
    v.check((path) => isStore(path) && (isAbsolute(path) || /^s3:\/\//i.test(path))),
  ),
  version: v.pipe(v.string(), v.maxLength(64)),
  options: v.object({
    ...{ metresPerUnit: v.optional(finite), up: v.optional(axis), curveError: v.optional(finite) },
    patterns: v.optional(
      v.pipe(
        v.array(
          v.object({
            ...{ pattern: text, from: text, unit: v.optional(finite), up: v.optional(axis) },
            place: v.optional(v.pipe(v.array(v.number()), v.length(12))),
            discipline: v.optional(text),
            table: v.optional(v.pipe(text, v.check(isAbsolute))),
          }),
        ),
        v.maxLength(MOST_FILES),
      ),
    ),
    memory: v.pipe(whole, v.minValue(1)),
    levels: v.optional(v.boolean()),
  }),
});
/** `pack` is a `PackOrder`, as JSON. */
const packJob = v.object({ run: name, task: name, pack: v.pipe(v.string(), v.maxLength(1 << 24)) });
const packedStore = v.object({
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  fingerprint: v.pipe(v.string(), v.maxLength(256)),
  packed: v.object({
    ...{ objects: whole, triangles: whole, pieces: whole, byteLength: whole },
    // the store's description of its files, which is printed as text
    files: v.array(v.looseObject({ name: v.string() })),
  }),
});

/** `pairs` has object a, object b and rule of each pair: little-endian, base64. */
const pairJob = v.object({ run: name, task: name, pairs: v.pipe(v.string(), v.maxLength(16 * MOST_PAIRS)) });

type PairJob = v.InferOutput<typeof pairJob>;
type PackJob = v.InferOutput<typeof packJob>;
export type QueueJob = PairJob | PackJob;

const apart = v.object({
  /** Whether no attempt could start, for example because a store cannot be read; otherwise attempts failed. */
  isRefused: v.boolean(),
  why: v.pipe(v.string(), v.maxLength(4096)),
});
/** Why a task was quarantined. */
export type Quarantine = v.InferOutput<typeof apart>;

const vec3 = v.tuple([v.number(), v.number(), v.number()]);
const measure = v.object({
  kind: v.picklist(CLASH_KINDS),
  form: v.optional(v.picklist(['protruding', 'piercing'])),
  ...{ distance: v.number(), depth: v.number(), depthBound: v.number() },
  ...{ point: vec3, box: v.object({ min: vec3, max: vec3 }), trianglePairs: whole },
});
const findings = v.object({
  found: v.array(v.object({ pair: whole, measure })),
  touches: whole,
  cache: v.object({
    ...{ loads: whole, bytesRead: whole, trianglesRead: whole, hits: whole },
    ...{ waits: whole, readMs: v.number(), evictions: whole, overflows: whole, peakBytes: whole },
  }),
});

export function readDescription(text: string): RunDescription {
  return read(description, text, 'the description of a check');
}

export function quarantineText({ isRefused, why }: Quarantine): string {
  return JSON.stringify({ isRefused, why: why.slice(0, 1024) });
}

export function readQuarantine(text: string): Quarantine {
  return read(apart, text, 'a reason');
}

export function pairsText(triples: Uint32Array): string {
  const bytes = Buffer.alloc(4 * triples.length);
  triples.forEach((n, i) => {
    bytes.writeUInt32LE(n, 4 * i);
  });
  return bytes.toString('base64');
}

/** The same for the same pairs or the same order. */
export function taskName(asked: string): string {
  return hash(asked);
}

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export function readPairJob(data: unknown): PairJob & { readonly triples: Uint32Array } {
  if (!v.is(pairJob, data) || taskName(data.pairs) !== data.task) throw foreign('a job');
  const bytes = Buffer.from(data.pairs, 'base64');
  if (bytes.length === 0 || bytes.length % 12 !== 0) throw foreign('a job');
  const triples = Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(4 * i));
  return { ...data, triples };
}

export function readPackJob(data: unknown): PackJob & { readonly order: PackOrder } {
  if (!v.is(packJob, data) || taskName(data.pack) !== data.task) throw foreign('a job');
  return { ...data, order: read(packOrder, data.pack, 'a job') as PackOrder };
}

export function readPackedStore(text: string): PackedStore {
  return read(packedStore, text, 'a result') as unknown as PackedStore;
}

/** `count`: number of pairs in the task. */
export function readFindings(text: string, count: number): TaskFindings {
  const parsed = read(findings, text, 'a result');
  let before = -1;
  for (const { pair } of parsed.found) {
    if (pair <= before || pair >= count) throw foreign('a result');
    before = pair;
  }
  if (parsed.touches > count) throw foreign('a result');
  return parsed as TaskFindings;
}

function read<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
  what: string,
): v.InferOutput<Schema> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw foreign(what);
  }
  const parsed = v.safeParse(schema, data);
  if (!parsed.success) throw foreign(what);
  return parsed.output;
}

function foreign(what: string): CommandError {
  return new CommandError(`${what} in the queue was not written by this version of impinge`);
}
