/**
 * Checks single objects, in their stored or in a trial pose: finds what a check of the whole model with them there
 * would find. Rules, exclusions and measuring are those of `check`, so that moving an object by hand gives the same
 * answers.
 *
 * Idea: a second view of the model has poses and boxes of its own, of which those of the moved object are set before
 * its pairs are measured.
 */
import { ASYNC_DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readInteger, readKnown, readPositive, shown } from 'impinge/internal/base/options.js';
import { type Pose, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { widenBox } from 'impinge/internal/mesh/reach.js';
import { boxesNearAt } from 'impinge/internal/volumes/broad-phase.js';
import { assertModel, StoredModel } from '../store/model.js';
import { emptyBox } from '../store/placed-box.js';
import { reachOf } from './candidates.js';
import { CHECK_DEFAULTS, type CheckOptions } from './check.js';
import type { ClashMeasure } from './clash.js';
import { kindBit } from './clash-kinds.js';
import { Exclusions, readExclusions } from './exclusions/exclusions.js';
import type { Exclusion } from './exclusions/table.js';
import { neededPieces, PairPiecesBuilder } from './pair-pieces.js';
import { PairRunner } from './pair-runner.js';
import { ruleModel, sorted } from './rules/rule-model.js';
import { CompiledRules, type RuleTable } from './rules/rule-table.js';
import type { TaskRule } from './task-rule.js';
import { zoneBounds } from './zones/zone.js';
import { zoneEdges } from './zones/zone-edges.js';

export type ObjectCheckOptions = Pick<
  CheckOptions,
  'rules' | 'sets' | 'exclusions' | 'clearance' | 'tolerance' | 'kinds' | 'memory'
>;

/** A clash of a moved object with another one. */
export interface ObjectClash extends ClashMeasure {
  /** The number of the other object. */
  readonly other: number;
  /** The name of the rule that applies. */
  readonly rule: string;
}

export interface ObjectQuestion {
  /** Where the object is; where it is stored, if that is not given. */
  readonly pose?: Pose;
  /** Also report objects closer than this, whatever the rules say. */
  readonly clearance?: number;
  /** Restricts the other objects to these. */
  readonly among?: Iterable<number>;
}

const NAMES = {
  ...({ rules: true, sets: true, exclusions: true, memory: true } as const),
  ...({ clearance: true, tolerance: true, kinds: true } as const),
} as const;

const CLEARANCE = kindBit('clearance');

export class ObjectCheck implements AsyncDisposable {
  readonly #stored: StoredModel;
  /** With the moved object where it is. */
  readonly #model: StoredModel;
  readonly #rules: RuleTable;
  readonly #exclusions: Exclusions;
  readonly #memory: number;
  #clearance = 0;
  #asked: readonly TaskRule[];
  #runner: PairRunner;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(
    model: StoredModel,
    rules: RuleTable,
    exclusions: readonly Exclusion[],
    memory: number,
  ) {
    this.#stored = model;
    const { objectPose, objectBox, placedBox } = model.directory;
    const own = {
      objectPose: objectPose.slice(),
      objectBox: objectBox.slice(),
      placedBox: placedBox.slice(),
    };
    const { source, meta, directoryBytes } = model;
    this.#model = new StoredModel(source, meta, { ...model.directory, ...own }, directoryBytes);
    this.#rules = rules;
    this.#exclusions = new Exclusions(this.#model, exclusions);
    this.#memory = memory;
    this.#asked = rules.rules;
    this.#runner = new PairRunner(this.#model, this.#asked, memory);
  }

  /** Reads the rules. Sides that select nothing are allowed; invalid options throw as in `check`. */
  static async open(model: StoredModel, options: ObjectCheckOptions = {}): Promise<ObjectCheck> {
    assertModel(model);
    const { rules, sets, exclusions } = readKnown('ObjectCheck', options, NAMES);
    if (rules !== undefined && !Array.isArray(rules))
      throw new ImpingeError('bad-option', 'rules must be a list');
    const { clearance, tolerance, kinds } = { ...CHECK_DEFAULTS, ...options };
    const memory = readPositive('memory', options.memory ?? CHECK_DEFAULTS.memory);
    const compiled = new CompiledRules(rules, { clearance, tolerance, kinds }, sets);
    const seen = await ruleModel(model, compiled.asksForProperties);
    const table = compiled.tableFor(seen, await sorted(model, compiled.sorting(seen)));
    return new ObjectCheck(model, table, readExclusions(exclusions), memory);
  }

  /** All clashes of an object, ordered by the number of the other object. Queries are answered one at a time. */
  clashesOf(object: number, question: ObjectQuestion = {}): Promise<ObjectClash[]> {
    const answer = this.#turn.then(() => this.#clashesOf(object, question));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  /**
   * The edges of the zone that a rule, by its name, gives to an object, where it is stored and around another object:
   * six numbers each. None where there is no such rule.
   */
  zoneEdges(object: number, rule: string, around: number): Promise<Float64Array> {
    const answer = this.#turn.then(async () => {
      this.#assertObject(object);
      this.#assertObject(around);
      const zone = this.#rules.rules.find(({ name }) => name === rule)?.zone;
      if (zone === undefined) return new Float64Array(0);
      return zoneEdges(await this.#runner.zoneParts(object, zone, this.#stored.box(around)));
    });
    this.#turn = answer.catch(() => {});
    return answer;
  }

  /** The required clearance of two objects; undefined where no rule applies to them, or they belong together. */
  clearanceOf(a: number, b: number): number | undefined {
    this.#assertObject(a);
    this.#assertObject(b);
    const rule = this.#rules.ruleOf(Math.min(a, b), Math.max(a, b));
    if (rule < 0 || this.#exclusions.of(Math.min(a, b), Math.max(a, b)) !== undefined) return undefined;
    return this.#rules.rules[rule].clearance;
  }

  #assertObject(object: number): void {
    readInteger('object', object, 0, this.#stored.objectCount - 1);
  }

  async dispose(): Promise<void> {
    await this.#turn;
    await this.#runner.dispose();
  }
  [ASYNC_DISPOSE](): Promise<void> {
    return this.dispose();
  }

  async #clashesOf(object: number, question: ObjectQuestion): Promise<ObjectClash[]> {
    const names = { pose: true, clearance: true, among: true } as const;
    const { pose, clearance = 0, among } = readKnown('clashesOf', question, names);
    if (typeof clearance !== 'number' || !(clearance >= 0 && clearance < Infinity))
      throw new ImpingeError('bad-option', `clearance must be at least 0, got ${shown(clearance)}`);
    this.#assertObject(object);
    const others = among === undefined ? undefined : listOf(among);
    await this.#ask(clearance);
    const stored = this.#stored.pose(object);
    const there = pose === undefined ? stored : toRigidPose(pose);
    await this.#place(object, there);
    try {
      return await this.#measured(object, others);
    } finally {
      // later queries may be about other objects
      this.#putBack(object);
    }
  }

  async #measured(object: number, among: Iterable<number> | undefined): Promise<ObjectClash[]> {
    const triples: number[] = [];
    const pieces = new PairPiecesBuilder();
    for (const [a, b, rule] of this.#pairs(object, among)) {
      triples.push(a, b, rule);
      const needed = neededPieces(this.#model, a, b, this.#asked[rule]);
      pieces.add(needed.pieces, needed.nearCount);
    }
    const found: ObjectClash[] = [];
    if (triples.length === 0) return found;
    const task = { triples: Uint32Array.from(triples), pieces: pieces.build() };
    await this.#runner.run(task, (part) => {
      for (const { pair, measure } of part.found) {
        const [a, b, rule] = triples.slice(3 * pair, 3 * pair + 3);
        if (this.#exclusions.ofClash(a, b, measure) !== undefined) continue;
        found.push({ ...measure, other: a === object ? b : a, rule: this.#rules.rules[rule].name });
      }
    });
    return found;
  }

  /** As `findCandidates` finds them, of one object. */
  *#pairs(
    object: number,
    among: Iterable<number> | undefined,
  ): Generator<[a: number, b: number, rule: number]> {
    const { directory, objectCount } = this.#model;
    const { objectBox } = directory;
    let largest = 0;
    for (let k = 0; k < 6; k++) largest = Math.max(largest, Math.abs(objectBox[6 * object + k]));
    const slack = 2 ** -44 * largest;
    for (const other of among ?? Array(objectCount).keys()) {
      this.#stored.box(other); // throws if there is no such object
      const [a, b] = other < object ? [other, object] : [object, other];
      const rule = this.#rules.ruleOf(a, b);
      if (rule < 0) continue;
      const reach = reachOf(this.#asked[rule], directory, a, b) + slack;
      if (!boxesNearAt(objectBox, 6 * a, objectBox, 6 * b, reach)) continue;
      if (this.#exclusions.of(a, b) === undefined) yield [a, b, rule];
    }
    for (const [rule, { zone }] of this.#rules.rules.entries()) {
      if (zone === undefined) continue;
      const owns = this.#rules.owns(rule, object);
      const own = zoneBounds(this.#model.box(object), this.#model.axes(object), zone);
      for (const other of among ?? Array(objectCount).keys()) {
        if (other === object || this.#exclusions.of(Math.min(other, object), Math.max(other, object)))
          continue;
        if (
          owns &&
          this.#rules.keepsOut(rule, object, other) &&
          boxesNearAt(own, 0, objectBox, 6 * other, slack)
        )
          yield [object, other, rule];
        if (!this.#rules.owns(rule, other) || !this.#rules.keepsOut(rule, other, object)) continue;
        const bounds = zoneBounds(this.#model.box(other), this.#model.axes(other), zone);
        if (boxesNearAt(bounds, 0, objectBox, 6 * object, slack)) yield [other, object, rule];
      }
    }
  }

  /** Caches about pairs hold for one clearance only. */
  async #ask(clearance: number): Promise<void> {
    if (clearance === this.#clearance) return;
    await this.#runner.dispose();
    this.#clearance = clearance;
    this.#asked = this.#rules.rules.map((rule) => ({
      ...rule,
      clearance: Math.max(rule.clearance, clearance),
      kinds: clearance > 0 ? rule.kinds | CLEARANCE : rule.kinds,
    }));
    this.#runner = new PairRunner(this.#model, this.#asked, this.#memory);
  }

  async #place(object: number, pose: RigidPose): Promise<void> {
    const { objectPose, objectFirstPlaced, placedBox } = this.#model.directory;
    const stored = this.#stored.pose(object);
    if (pose.every((x, i) => x === stored[i])) return;
    objectPose.set(pose, 12 * object);
    await this.#runner.writeBoxes(object, pose, placedBox, 6 * objectFirstPlaced[object]);
    const [from, to] = [objectFirstPlaced[object], objectFirstPlaced[object + 1]];
    const box = this.#model.box(object);
    box.set(emptyBox());
    widenBox(box, placedBox.subarray(6 * from, 6 * to));
  }

  #putBack(object: number): void {
    const { objectPose, objectBox, objectFirstPlaced, placedBox } = this.#model.directory;
    const { directory } = this.#stored;
    objectPose.set(this.#stored.pose(object), 12 * object);
    objectBox.set(this.#stored.box(object), 6 * object);
    const [from, to] = [objectFirstPlaced[object], objectFirstPlaced[object + 1]];
    placedBox.set(directory.placedBox.subarray(6 * from, 6 * to), 6 * from);
  }
}

function listOf(among: Iterable<number>): readonly number[] {
  try {
    return [...among];
  } catch {
    throw new ImpingeError('bad-option', `among is ${shown(among)}, not a list of objects`);
  }
}
