/** The report of a step. */
import type { DeformStats } from '../deform/types.js';
import type { ContactLevelsReport } from '../rigid/engines/step-levels.js';
import type { JointHandle } from '../rigid/joint.js';
import type { ContactEvent } from './contact-report.js';

/** The events of a step. */
export interface StepReport {
  /** The number of the step, from 1. */
  readonly step: number;
  /** Pairs of elements that came within the thickness, and contacts of rigid bodies that pushed. */
  readonly events: number;
  /** Number of sweeps over the contacts. */
  readonly iterations: number;
  /**
   * Of soft bodies on springs: force left unbalanced per mass, m/s², root mean square over the mass; that of the worst
   * one awake, 0 without any.
   */
  readonly residual: number;
  /** Rounds of stopping, and vertices that were kept from going where contacts let them. */
  readonly rollbacks: number;
  readonly rolledBackVertices: number;
  /** Rigid bodies whose motion was cut short. */
  readonly shortened: number;
  /** Bodies that sleep. */
  readonly asleep: number;
  /** Kinematic bodies that had to wait. */
  readonly waiting: readonly string[];
  /** Bodies that broke, and bodies that could not because their pieces were not free. */
  readonly broken: readonly string[];
  readonly heldTogether: readonly string[];
  /** Joints that broke. */
  readonly brokenJoints: readonly JointHandle[];
  /** With the option `contactEvents`: bodies that begin to touch, touch or no longer do, in the order of adding. */
  readonly contactEvents?: readonly ContactEvent[];
  /** Of contacts by contact levels, where any were looked for in this step. */
  readonly contactLevels?: ContactLevelsReport;
  /**
   * One entry per detection: one or two for proximity, then those for touching, of bodies not found free yet. None
   * where all soft bodies sleep.
   */
  readonly detections: readonly DeformStats[];
  /** Milliseconds, if there is a clock. */
  readonly ms?: StepTimes;
}

export interface StepTimes {
  readonly solver: number;
  readonly detection: number;
  readonly response: number;
}

/** Adds up the time between laps, by activity; without a clock, it does nothing. */
export class StepClock {
  readonly #now: (() => number) | undefined;
  #last = 0;
  #ms = { solver: 0, detection: 0, response: 0 };

  constructor(now: (() => number) | undefined) {
    this.#now = now;
  }

  begin(): void {
    this.#ms = { solver: 0, detection: 0, response: 0 };
    this.#last = this.#now?.() ?? 0;
  }

  lap(what: keyof StepTimes): void {
    const time = this.#now?.() ?? 0;
    this.#ms[what] += time - this.#last;
    this.#last = time;
  }

  get times(): StepTimes | undefined {
    return this.#now && this.#ms;
  }
}
