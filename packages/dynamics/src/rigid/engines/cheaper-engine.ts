/**
 * Contacts of two bodies by contact levels or by triangles, whichever takes less. Holds the state of one pair.
 *
 * Work is estimated from what searches have compared and found, not from a clock, so that equal input gives equal
 * output. Now and then a search is made by the engine that is not in use: seldom enough that this adds little.
 * Switching: triangles that take over let bodies sink onto them (held-contacts.ts). In the other direction nothing has
 * to be done: levels take only pairs that neither stop nor push when they come.
 */
import type { ContactSettings, PairMotion, PosedPair } from '../contact-engine.js';
import type { PlacedPair } from '../contact-error.js';
import { ContactSet } from '../contact-set.js';
import type { ContactShape } from '../contact-shape.js';
import type { BatchedEngine } from '../exact/batched-engine.js';
import { P } from '../exact/layout.generated.js';
import type { OwnedMemory } from '../exact/owned-memory.js';
import type { PairBlock } from '../exact/pair-block.js';
import { PairContacts } from '../exact/pair-contacts.js';
import { PatchContacts } from '../exact/patch-contacts.js';
import { ContactLevelsEngine } from './contact-levels-engine.js';
import type { DualShape } from './dual-shape.js';
import { HeldContacts } from './held-contacts.js';

/** Work of a search by triangles, as measured: microseconds for a pair of leaves, a contact, and two contacts. */
const WORK_LEAVES = 0.4;
const WORK_CONTACTS = 5;
const WORK_REDUCTION = 0.05;
/** Work with one engine before the other is tried, in searches of that. */
const TRIED_AFTER = 24;
/** The other engine must take less than this share. */
const CHEAPER = 0.75;
/** Minimum distance of bodies in thicknesses for contact levels: nearer ones would be divided down to triangles. */
const LOOSE = 1.5;

export class CheaperEngine implements BatchedEngine {
  readonly #levels: ContactLevelsEngine;
  readonly #exact: PairContacts;
  readonly #all = new ContactSet();
  readonly #patches = new PatchContacts();
  readonly #thickness: number;
  #by: 'levels' | 'triangles' = 'levels';
  /** Whether that engine is tried, after the other took `#other`; else the work since the last trial. */
  #isTrial = false;
  #since = 0;
  #other = 0;
  /** Contacts of the last search are those of the other engine. */
  #isNew = false;
  /** What triangles must hold for now. */
  #held: HeldContacts | undefined;

  constructor(memory: OwnedMemory, a: DualShape, b: DualShape, settings: ContactSettings) {
    this.#levels = new ContactLevelsEngine(a, b, settings);
    this.#exact = new PairContacts(memory, a, b);
    this.#thickness = settings.thickness;
  }

  get block(): PairBlock | undefined {
    return this.#by === 'triangles' && !this.#held ? this.#exact.block : undefined;
  }

  get restless(): boolean {
    if (this.#by === 'levels') return this.#isNew || this.#levels.restless;
    return this.#held !== undefined || this.#exact.block.number(P.reach) === 0;
  }

  prepare(): void {
    if (this.#by === 'levels' || this.#held) return;
    const work = this.#workOfTriangles;
    if (this.#isTrial) {
      // nothing near yet, nothing learnt
      if (work === 0) return;
      this.#isTrial = false;
      if (work < CHEAPER * this.#other) return;
      this.#other = work;
      this.#turnTo('levels');
    } else if (this.#isDue(work) && this.#exact.block.length(P.atLeast) > LOOSE * this.#thickness) {
      this.#other = work;
      this.#isTrial = true;
      this.#levels.forget();
      this.#turnTo('levels');
    }
  }

  contacts(pair: PosedPair<DualShape>, reach: number, out: ContactSet, placed?: () => PlacedPair): void {
    this.#isNew = false;
    if (this.#by === 'triangles') this.#byTriangles(pair, reach, out);
    else this.#byLevels(pair, reach, out, placed);
  }

  errorAt(id: number): number {
    return this.#by === 'levels' ? this.#levels.errorAt(id) : 0;
  }

  freeShare(a: DualShape, b: DualShape, motion: PairMotion, distance: number): number {
    if (this.#by === 'levels') return this.#levels.freeShare(a, b, motion, distance);
    return this.#exact.planesHold(motion, distance) ? 1 : this.#exact.freeShare(a, b, motion, distance);
  }

  distance(pair: PosedPair<ContactShape>): number {
    return this.#exact.distance(pair);
  }

  dispose(): void {
    this.#levels.dispose();
    this.#exact.dispose();
    this.#patches.dispose();
  }

  #byLevels(pair: PosedPair<DualShape>, reach: number, out: ContactSet, placed?: () => PlacedPair): void {
    const levels = this.#levels;
    if (this.#isTrial) {
      this.#isTrial = false;
      const expected = levels.expected(pair, reach, placed);
      if (!(expected < CHEAPER * this.#other)) {
        this.#other = expected;
        this.#turnTo('triangles');
        this.#exact.contacts(pair, reach, out);
        return;
      }
    }
    levels.contacts(pair, reach, out, placed);
    const { work } = levels;
    if (out.count > 0 && this.#isDue(work)) {
      const held = levels.held();
      if (held.size === 0) {
        this.#other = work;
        this.#isTrial = true;
        this.#turnTo('triangles');
        return;
      }
      this.#exact.contacts(pair, reach, this.#all);
      this.#other = this.#workOfTriangles;
      this.#since = 0;
      if (!(this.#other < CHEAPER * work)) return;
      this.#other = work;
      this.#turnTo('triangles');
      this.#held = new HeldContacts(pair.a, pair.b, held, this.#thickness);
    }
  }

  /** While there is something to be held; else kernels do it. */
  #byTriangles(pair: PosedPair<DualShape>, reach: number, out: ContactSet): void {
    const [exact, held, all] = [this.#exact, this.#held, this.#all];
    const room = held?.room ?? 0;
    exact.findAll(pair, reach + room, all);
    held?.hold(all, pair.pose);
    this.#patches.reduce(all, reach, out);
    out.atLeast = Math.min(reach, all.atLeast);
    if (held?.room === 0) this.#held = undefined;
  }

  /** Whether the other engine should be tried, after a search that took so much. */
  #isDue(work: number): boolean {
    this.#since += work;
    return this.#since > TRIED_AFTER * this.#other;
  }

  get #workOfTriangles(): number {
    const { block } = this.#exact;
    const found = block.word(P.found);
    return WORK_LEAVES * block.word(P.listCount) + (WORK_CONTACTS + WORK_REDUCTION * found) * found;
  }

  #turnTo(by: 'levels' | 'triangles'): void {
    this.#by = by;
    this.#since = 0;
    this.#isNew = true;
    this.#held = undefined;
    this.#exact.block.forgetContacts();
  }
}
