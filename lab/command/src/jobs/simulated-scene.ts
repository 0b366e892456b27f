/** A scene that can be simulated: bodies, how they are stepped, and how they look. */
import type { Body, JointOptions, SimulationOptions } from '@impinge/dynamics';
import type { BodyLook } from './simulation-recorder.js';

export interface SimulatedScene {
  readonly name: string;
  readonly title: string;
  readonly bodies: readonly Body[];
  readonly joints?: readonly JointOptions[];
  readonly options: SimulationOptions;
  /** As many as show what happens. */
  readonly steps: number;
  /** Of a recording of all of them. */
  readonly frames: number;
  /** Triangles of bodies that are not in memory. */
  readonly storedTriangles?: number;
  readonly lookOf: (body: Body) => BodyLook;
  /** Closes files. */
  readonly dispose?: () => Promise<void>;
}

export interface SceneChoice {
  readonly seed: number;
  /** A file to take the place of the bunny; the store that is the statue. */
  readonly model?: string;
  /** The store that the statue falls on. */
  readonly on?: string;
  /** How many bodies, where that can be chosen. */
  readonly count?: number;
  /** What contacts of rigid bodies may be off, in metres; what the scene proposes unless given. */
  readonly error?: number;
  /** Whether it is recorded: what is not in memory is then read to be drawn. */
  readonly drawn?: boolean;
  /** Before contact levels of a model are built, which may take half a minute. */
  readonly onBuild?: (model: string) => void;
  /** Where they are kept. */
  readonly contactLevels?: string;
}
