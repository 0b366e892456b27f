/** A scene for simulation: bodies, time steps, and appearance. */
import type { Body, BodyLook, JointOptions, SimulationOptions } from '@impinge/dynamics';

export interface SimulatedScene {
  readonly name: string;
  readonly title: string;
  readonly bodies: readonly Body[];
  readonly joints?: readonly JointOptions[];
  /** Pushes bodies, before every step. */
  readonly act?: () => void;
  readonly options: SimulationOptions;
  /** Enough to show what happens. */
  readonly steps: number;
  /** Of a recording of all steps. */
  readonly frames: number;
  /** Triangles of bodies that are not in memory. */
  readonly storedTriangles?: number;
  readonly lookOf: (body: Body) => BodyLook;
  /** Closes files. */
  readonly dispose?: () => Promise<void>;
}

export interface SceneChoice {
  readonly seed: number;
  /** A file that replaces the bunny; the store of the statue. */
  readonly model?: string;
  /** The store that the statue falls on. */
  readonly on?: string;
  /** Number of bodies, for scenes with a choice. */
  readonly count?: number;
  /** Permitted error of rigid contacts, in metres; the scene's default unless given. */
  readonly error?: number;
  /** And seconds, times the speed at which bodies touch, where that is more. */
  readonly speedError?: number;
  /** How contacts of rigid bodies are found. */
  readonly engine?: NonNullable<SimulationOptions['contacts']>['engine'];
  /** Whether it is recorded: stored bodies are then read for drawing. */
  readonly drawn?: boolean;
  /** Called before contact levels of a model are built, which may take half a minute. */
  readonly onBuild?: (model: string) => void;
  /** Their folder. */
  readonly contactLevels?: string;
}
