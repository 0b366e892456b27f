/** Several shapes as one, in one frame: their contacts are those of every pair of their parts. */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { Meeting } from '../../bodies/body-surfaces.js';
import type { StateReader, StateWriter } from '../../bodies/state-bytes.js';
import type { BodyShape, ContactEngine, PairMotion, PosedPair } from '../contact-engine.js';
import { ContactSet } from '../contact-set.js';
import { ContactShape } from '../contact-shape.js';
import { OwnedMemory } from '../exact/owned-memory.js';
import { PairContacts } from '../exact/pair-contacts.js';

/** Above all ids of a pair of parts. */
const IDS = 2 ** 49;

export class JoinedShape implements BodyShape {
  readonly name: string;
  readonly centre: Vec3;
  readonly radius: number;
  readonly arm: number;
  readonly box: BodyShape['box'];
  /** All about the same centre. */
  readonly parts: readonly ContactShape[];

  constructor(name: string, parts: readonly ContactShape[]) {
    this.name = name;
    this.parts = parts;
    this.centre = parts[0].centre;
    this.radius = Math.max(...parts.map(({ radius }) => radius));
    this.arm = Math.max(...parts.map(({ arm }) => arm));
    const least = (k: number) => Math.min(...parts.map(({ box }) => box.min[k]));
    const most = (k: number) => Math.max(...parts.map(({ box }) => box.max[k]));
    this.box = { min: [least(0), least(1), least(2)], max: [most(0), most(1), most(2)] };
  }

  engineWith(other: BodyShape): ContactEngine | undefined {
    return partsOf(other) && new JoinedContacts();
  }

  meetingWith(other: BodyShape, pose: Float64Array): Meeting | undefined {
    const others = partsOf(other);
    if (!others) return undefined;
    const found = this.parts.flatMap((a) => others.map((b) => a.meetingWith(b, pose)));
    const count = found.reduce((sum, one) => sum + (one?.count ?? 0), 0);
    return { count, first: found.find((one) => one?.first)?.first };
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }
}

/** The parts of a shape that has its triangles in memory. */
function partsOf(shape: BodyShape): readonly ContactShape[] | undefined {
  if (shape instanceof JoinedShape) return shape.parts;
  return shape instanceof ContactShape ? [shape] : undefined;
}

class JoinedContacts implements ContactEngine {
  readonly #memory = new OwnedMemory();
  readonly #found = new ContactSet();
  #pairs: { a: ContactShape; b: ContactShape; engine: PairContacts }[] = [];

  contacts({ a, b, pose }: PosedPair, reach: number, out: ContactSet): void {
    out.clear();
    let atLeast = reach;
    for (const [i, pair] of this.#pairsOf(a, b).entries()) {
      pair.engine.contacts({ a: pair.a, b: pair.b, pose }, reach, this.#found);
      atLeast = Math.min(atLeast, this.#found.atLeast);
      for (let k = 0; k < this.#found.count; k++) {
        out.take(this.#found, k);
        out.ids[out.count - 1] += i * IDS;
      }
    }
    out.atLeast = atLeast;
  }

  freeShare(a: BodyShape, b: BodyShape, motion: PairMotion, distance: number): number {
    const shares = this.#pairsOf(a, b).map((pair) => pair.engine.freeShare(pair.a, pair.b, motion, distance));
    return Math.min(...shares);
  }

  distance({ a, b, pose }: PosedPair): number {
    return Math.min(
      ...this.#pairsOf(a, b).map((pair) => pair.engine.distance({ a: pair.a, b: pair.b, pose })),
    );
  }

  save(out: StateWriter): void {
    out.flag(this.#pairs.length > 0);
    for (const { engine } of this.#pairs) engine.save(out);
  }

  restore(from: StateReader, a: BodyShape, b: BodyShape): void {
    if (from.flag()) for (const { engine } of this.#pairsOf(a, b)) engine.restore(from);
  }

  dispose(): void {
    this.#memory.dispose();
    this.#pairs = [];
  }

  /** An engine for every two parts of the bodies that this one serves. */
  #pairsOf(a: BodyShape, b: BodyShape) {
    if (this.#pairs.length > 0) return this.#pairs;
    for (const p of partsOf(a) ?? []) {
      for (const q of partsOf(b) ?? [])
        this.#pairs.push({ a: p, b: q, engine: new PairContacts(this.#memory, p, q) });
    }
    return this.#pairs;
  }
}
