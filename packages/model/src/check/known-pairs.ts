/**
 * What earlier checks found out about pairs of objects, by all that measuring them depends on: their pages, poses and
 * boxes, how exact they are, and what the rule asks. Where all of that is the same, bit for bit, so is the answer,
 * whichever models the objects are part of.
 *
 * Nothing is known of zones, which depend on more, and of objects that take long to read again: pages are named by
 * their contents.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readFunction, shown } from 'impinge/internal/base/options.js';
import type { StoredModel } from '../store/model.js';
import { pageBytes } from '../store/page-layout.js';
import { sumOfStats } from '../store/piece-cache.js';
import type { ClashMeasure } from './clash.js';
import type { CheckWorkers } from './executor.js';
import { PairPiecesBuilder } from './pair-pieces.js';
import type { PlannedTask } from './plan.js';
import type { CheckTaskPart, FoundClash } from './task.js';
import type { TaskRule } from './task-rule.js';

/** The answer about a pair. */
export interface KnownPair {
  /** Undefined: no clash of the kinds that the rule reports. */
  readonly measure: ClashMeasure | undefined;
  /** Whether the two touch, under a rule that reports clearances but not touching. */
  readonly touches: boolean;
}

/** Where answers are kept between checks. */
export interface KnownPairs {
  /** Whether some are known: threads are not started before it is clear that there is something to measure. */
  readonly some: boolean;
  /** Different for different bytes: a cryptographic hash. */
  nameOf(bytes: Uint8Array): string;
  find(name: string): KnownPair | undefined;
  /** Called for every pair that was measured. */
  keep(name: string, pair: KnownPair): void;
}

/** More pairs than this are not looked up: their names alone would take much memory. */
const MOST_PAIRS = 50_000;
/** Bytes of pages that may be read to name them. */
const MOST_BYTES = 128e6;

export function assertKnownPairs(known: KnownPairs): void {
  if (typeof known !== 'object' || known === null || typeof known.some !== 'boolean')
    throw new ImpingeError('bad-option', `known is ${shown(known)}, not answers about pairs`);
  for (const name of ['nameOf', 'find', 'keep'] as const) readFunction(`known.${name}`, known[name]);
}

/** Pairs whose answers are given at a time. */
const PAIRS_PER_PART = 256;

/** The known answers among the pairs of one check. */
export class KnownAmong {
  readonly #model: StoredModel;
  readonly #known: KnownPairs;
  /** Numbers on which objects in several pieces may depend, too. */
  readonly #memory: readonly number[];
  #names: PairNames | 'none' | undefined;
  readonly #answers = new Map<number, KnownPair>();

  constructor(model: StoredModel, known: KnownPairs, memory: readonly number[]) {
    this.#model = model;
    this.#known = known;
    this.#memory = memory;
  }

  get some(): boolean {
    return this.#known.some;
  }

  /** Flags the pairs, of those without a flag, that are known. */
  lookUp(triples: Uint32Array, rules: readonly TaskRule[], flags: Uint8Array): void {
    const names = this.#namesOf(triples);
    if (!names) return;
    for (let pair = 0; pair < flags.length; pair++) {
      if (flags[pair] === 1) continue;
      const name = names.name(triples, pair, rules);
      const answer = name === undefined ? undefined : this.#known.find(name);
      if (!answer) continue;
      this.#answers.set(pair, answer);
      flags[pair] = 1;
    }
  }

  /** Keeps what a part of a task has found; `pairs` are its pairs. */
  keep(
    triples: Uint32Array,
    rules: readonly TaskRule[],
    pairs: Uint32Array,
    { from, found, touching }: CheckTaskPart,
  ): void {
    const names = touching && this.#namesOf(triples);
    if (!names) return;
    const measures = new Map(found.map(({ pair, measure }) => [pair, measure]));
    for (const [i, pair] of pairs.entries()) {
      const name = names.name(triples, pair, rules);
      if (name === undefined) continue;
      this.#known.keep(name, { measure: measures.get(from + i), touches: touching.includes(from + i) });
    }
  }

  /** The pairs that are known, as if they were to be measured. */
  get tasks(): readonly PlannedTask[] {
    if (this.#answers.size === 0) return [];
    return [{ pairs: Uint32Array.from(this.#answers.keys()), pieces: new PairPiecesBuilder().build() }];
  }

  /** Who says what is known about them. */
  get workers(): CheckWorkers {
    const answers = [...this.#answers.values()];
    return {
      run: async (_, task, onPart) => {
        const count = task.triples.length / 3;
        for (let from = 0; from < count; from += PAIRS_PER_PART) {
          const to = Math.min(count, from + PAIRS_PER_PART);
          const found: FoundClash[] = [];
          let touches = 0;
          for (let pair = from; pair < to; pair++) {
            const { measure, touches: isTouch } = answers[pair];
            if (measure) found.push({ pair, measure });
            if (isTouch) touches++;
          }
          onPart({ from, to, found, touches, cache: NOTHING_READ });
        }
      },
      dispose: async () => {},
    };
  }

  #namesOf(triples: Uint32Array): PairNames | undefined {
    this.#names ??= PairNames.of(this.#model, triples, this.#memory, this.#known) ?? 'none';
    return this.#names === 'none' ? undefined : this.#names;
  }
}

const NOTHING_READ = sumOfStats([]);

/** Names pairs of one model. */
class PairNames {
  readonly #model: StoredModel;
  readonly #nameOf: (bytes: Uint8Array) => string;
  readonly #memory: readonly number[];
  readonly #objects = new Map<number, string>();
  readonly #shapes = new Map<number, string>();

  private constructor(model: StoredModel, memory: readonly number[], known: KnownPairs) {
    this.#model = model;
    this.#memory = memory;
    this.#nameOf = (bytes) => known.nameOf(bytes);
  }

  /** Undefined where there are too many pairs, or reading the pages takes long. */
  static of(
    model: StoredModel,
    triples: Uint32Array,
    memory: readonly number[],
    known: KnownPairs,
  ): PairNames | undefined {
    if (triples.length > 3 * MOST_PAIRS || !model.source.readNow) return undefined;
    const shapes = new Set<number>();
    for (let i = 0; i < triples.length; i++) {
      if (i % 3 < 2) shapes.add(model.directory.objectShape[triples[i]]);
    }
    let bytes = 0;
    for (const shape of shapes) {
      for (const piece of piecesOf(model, shape)) bytes += pageBytes(model.directory, piece);
    }
    return bytes > MOST_BYTES ? undefined : new PairNames(model, memory, known);
  }

  /** Undefined where a pair has none. */
  name(triples: Uint32Array, pair: number, rules: readonly TaskRule[]): string | undefined {
    const [a, b, rule] = triples.subarray(3 * pair, 3 * pair + 3);
    const { clearance, tolerance, kinds, zone } = rules[rule];
    if (zone) return undefined;
    const asked = [clearance, tolerance, kinds, ...this.#memory];
    return this.#nameOfText([this.#object(a), this.#object(b), ...asked].join());
  }

  #object(object: number): string {
    const known = this.#objects.get(object);
    if (known !== undefined) return known;
    const model = this.#model;
    const { objectRounding, objectCurveError, objectFirstPlaced, placedBox, objectShape } = model.directory;
    const numbers = Float64Array.of(
      ...model.pose(object),
      ...model.box(object),
      ...placedBox.subarray(6 * objectFirstPlaced[object], 6 * objectFirstPlaced[object + 1]),
      ...[objectRounding[object], objectCurveError[object], model.isClosed(object) ? 1 : 0],
    );
    const name = this.#shape(objectShape[object]) + this.#nameOf(new Uint8Array(numbers.buffer));
    this.#objects.set(object, name);
    return name;
  }

  #shape(shape: number): string {
    const known = this.#shapes.get(shape);
    if (known !== undefined) return known;
    const { directory, source } = this.#model;
    const { pieceVertices, pieceTriangles, pieceBlocks, piecePending, pieceByteOffset } = directory;
    const pages = piecesOf(this.#model, shape).map((piece) => {
      const page = new Uint8Array(pageBytes(directory, piece));
      source.readNow!(pieceByteOffset[piece], [page]);
      const counts = [pieceVertices, pieceTriangles, pieceBlocks, piecePending].map((list) => list[piece]);
      return `${counts} ${this.#nameOf(page)}`;
    });
    const name = this.#nameOfText(pages.join());
    this.#shapes.set(shape, name);
    return name;
  }

  #nameOfText(text: string): string {
    return this.#nameOf(new TextEncoder().encode(text));
  }
}

function piecesOf({ directory }: StoredModel, shape: number): number[] {
  const { shapeFirstPiece, shapeExactPieces } = directory;
  return Array.from({ length: shapeExactPieces[shape] }, (_, i) => shapeFirstPiece[shape] + i);
}
