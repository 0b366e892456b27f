/**
 * The detector of deforming surfaces: holds them, and answers for each step where they come into contact.
 *
 * One step is one pass through stages.ts, or through brute-force.ts; events.ts turns the hits into an answer. Nothing
 * is kept from step to step but buffers and the grid of static surfaces.
 */
import { DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readChoice, readKnown, readLength } from 'impinge/internal/base/options.js';
import { runHere, runOn, type Work } from 'impinge/internal/kernel/schedule.js';
import { findContactsBrute } from './brute-force.js';
import { findCloseAmong, findCloseBrute, PairList } from './discrete.js';
import { EventBuffers } from './events.js';
import { HitList } from './hit-list.js';
import { deformKernels } from './kernels.generated.js';
import { NO_STATS, Stages } from './stages.js';
import { Stopwatch } from './stopwatch.js';
import { DeformableSurface } from './surface.js';
import { SurfaceTable } from './surface-table.js';
import type {
  CandidateSource,
  CloseOptions,
  ContactEvents,
  DeformablesOptions,
  Detector,
  ParallelContactsOptions,
  StandingSurface,
  StepOptions,
  Surface,
  SurfaceBroadPhase,
  SurfaceInput,
  TrianglePairs,
} from './types.js';

const BROAD_PHASES: readonly SurfaceBroadPhase[] = ['hash', 'brute'];
/** Tasks per thread and stage: enough to balance, few enough that messages cost nothing. */
const TASKS_PER_THREAD = 4;

const STEP_NAMES = { thickness: true, of: true, without: true } as const;

export class Deformables implements Detector {
  readonly thickness: number;
  readonly broadPhase: SurfaceBroadPhase;
  readonly #now: (() => number) | undefined;
  readonly #surfaces: DeformableSurface[] = [];
  readonly #pairs = new PairList();
  readonly #events = new EventBuffers();
  /** One for the step, one for its end alone. */
  readonly #stages = new Stages();
  readonly #endStages = new Stages();
  #table: SurfaceTable | undefined;
  #changed = true;
  #nextId = 0;
  /** The name of the call under way, if any. */
  #busy = '';
  #disposed = false;

  constructor(options: DeformablesOptions = {}) {
    this.thickness = readLength(
      'thickness',
      readKnown('Deformables', options, { thickness: true, broadPhase: true, now: true }).thickness ?? 0,
    );
    this.broadPhase = readChoice('broadPhase', options.broadPhase ?? 'hash', BROAD_PHASES);
    this.#now = options.now;
  }

  add(input: SurfaceInput): Surface {
    this.#beforeChange();
    const surface = new DeformableSurface(this.#nextId, input, {
      beforeChange: () => this.#beforeChange(),
      layOutAgain: () => {
        this.#changed = true;
      },
      drop: (gone) => {
        this.#surfaces.splice(this.#surfaces.indexOf(gone), 1);
        this.#changed = true;
      },
    });
    this.#nextId++;
    this.#surfaces.push(surface);
    this.#changed = true;
    return surface;
  }

  /** As they stand, in the order of adding. */
  get surfaces(): readonly StandingSurface[] {
    return this.#surfaces;
  }

  continuous(options: StepOptions = {}): ContactEvents {
    const { table, thickness } = this.#ask(readKnown('continuous', options, STEP_NAMES));
    if (this.#isBrute(table)) return this.#bruteContacts(table, thickness);
    const { columns, stats } = this.#run(this.#stages.contacts(table, thickness, 1, this.#now));
    return this.#events.copy(columns, stats);
  }

  async continuousParallel(options: ParallelContactsOptions): Promise<ContactEvents> {
    const names = { ...STEP_NAMES, pool: true, signal: true } as const;
    const { pool, signal, ...asked } = readKnown('continuousParallel', options, names);
    const { table, thickness } = this.#ask(asked);
    if (signal?.aborted) throw new ImpingeError('aborted', 'the step was aborted');
    if (this.#isBrute(table)) return this.#bruteContacts(table, thickness);
    const parts = TASKS_PER_THREAD * Math.max(1, pool.size);
    this.#busy = 'a parallel step';
    try {
      const work = this.#stages.contacts(table, thickness, parts, this.#now);
      const { columns, stats } = await runOn(pool, work, signal);
      return this.#events.copy(columns, stats);
    } catch (error) {
      this.#changed = true; // as in #run
      throw error;
    } finally {
      this.#busy = '';
    }
  }

  intersecting(): TrianglePairs {
    return this.#close(0);
  }

  within(options: CloseOptions = {}): TrianglePairs {
    const { distance = this.thickness } = readKnown('within', options, { distance: true });
    return this.#close(readLength('distance', distance));
  }

  async withinBy(source: CandidateSource, options: CloseOptions = {}): Promise<TrianglePairs> {
    const { distance = this.thickness } = readKnown('withinBy', options, { distance: true });
    readLength('distance', distance);
    const table = this.#prepare();
    const clock = new Stopwatch(this.#now);
    this.#busy = 'candidates of another source';
    try {
      const candidates = await source.candidates(table.surfaces, distance);
      clock.lap('primitives');
      const found = this.#pairs;
      found.begin(table);
      const counts = findCloseAmong(table, distance, candidates, found);
      clock.lap('exact');
      found.sort();
      clock.lap('sort');
      return found.answer(table, clock.stamp({ ...NO_STATS, ...trianglesOf(table), ...counts }));
    } finally {
      this.#busy = '';
    }
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#beforeChange();
    this.#disposed = true;
    this.#surfaces.length = 0;
    this.#stages.dispose();
    this.#endStages.dispose();
    this.#table?.dispose();
    this.#table = undefined;
  }

  [DISPOSE](): void {
    this.dispose();
  }

  #run<T>(work: Work<T>): T {
    try {
      return runHere(work);
    } catch (error) {
      this.#changed = true; // the state of stages may be half done: a new layout discards it
      throw error;
    }
  }

  #isBrute(table: SurfaceTable): boolean {
    return this.broadPhase === 'brute' || table.triangleCount === 0 || !deformKernels.supported();
  }

  #bruteContacts(table: SurfaceTable, thickness: number): ContactEvents {
    const clock = new Stopwatch(this.#now);
    const [vertexFace, edgeEdge] = [new HitList(), new HitList()];
    const counts = findContactsBrute(table, thickness, vertexFace, edgeEdge);
    clock.lap('exact');
    const stats = {
      ...NO_STATS,
      ...trianglesOf(table),
      ...counts,
      events: vertexFace.count + edgeEdge.count,
    };
    return this.#events.write(table, vertexFace, edgeEdge, clock.stamp(stats));
  }

  #close(distance: number): TrianglePairs {
    const table = this.#prepare();
    const found = this.#pairs;
    found.begin(table);
    if (!this.#isBrute(table)) {
      const stats = this.#run(this.#endStages.closePairs(table, distance, found, 1, this.#now));
      return found.answer(table, stats);
    }
    const counts = findCloseBrute(table, distance, found);
    found.sort();
    return found.answer(table, { ...NO_STATS, ...trianglesOf(table), ...counts });
  }

  /** The scope of a query about the step. */
  #ask({ thickness, of, without }: StepOptions) {
    const table = this.#prepare();
    table.attendTo(of, without);
    return { table, thickness: readLength('thickness', thickness ?? this.thickness) };
  }

  /** The table as it is now, laid out anew if surfaces changed; all pairs count. */
  #prepare(): SurfaceTable {
    this.#beforeChange();
    if (!this.#table || this.#changed) {
      const table = new SurfaceTable(this.#surfaces);
      table.adopt();
      this.#table?.dispose();
      this.#table = table;
      this.#changed = false;
    }
    this.#table.attendTo(undefined, undefined);
    return this.#table;
  }

  #beforeChange(): void {
    if (this.#disposed) throw new ImpingeError('disposed', 'the detector was disposed');
    if (this.#busy) throw new ImpingeError('busy', `the detector is busy with ${this.#busy}`);
  }
}

function trianglesOf({ triangleCount }: SurfaceTable) {
  return { triangles: triangleCount, activeTriangles: triangleCount };
}
