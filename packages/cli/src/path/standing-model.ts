/**
 * What a body may meet on its way: the pieces of a stored model near a region, in memory under a cap, and the solids
 * around the body where it starts.
 *
 * A path within bounds meets nothing that is farther from them than the body reaches, so nothing else is read.
 */
import { Session, type SessionSurroundings, type StoredModel } from '@impinge/model';
import { ImpingeError, type Mesh, type Pose, Scene } from 'impinge';
import { CommandError } from '../command-error.js';
import { fileSize } from '../terminal.js';
import type { Region } from '../wire/path-region.js';

/** The pieces of a region, in memory until it is disposed of. */
export interface Surroundings {
  readonly obstacles: Scene;
  /** The object that an obstacle is a piece of. */
  objectOf(obstacle: { readonly id: number }): number;
  dispose(): void;
}

export class StandingModel {
  readonly model: StoredModel;
  readonly memory: number;
  readonly #session: Session;

  /** `without`: objects that are not in the way. */
  constructor(model: StoredModel, memory: number, without: readonly number[] = []) {
    this.model = model;
    this.memory = memory;
    this.#session = new Session(model, { memory });
    for (const object of without) this.#session.hide(object);
  }

  /** Takes an object out of the way while something is done. */
  async without<T>(object: number, work: () => Promise<T>): Promise<T> {
    this.#session.hide(object);
    try {
      return await work();
    } finally {
      this.#session.show(object);
    }
  }

  /** Undefined where the pieces of the region do not fit into memory together. */
  async near(region: Region): Promise<Surroundings | undefined> {
    let held: SessionSurroundings;
    try {
      held = await this.#session.within(region);
    } catch (error) {
      if (error instanceof ImpingeError && error.code === 'out-of-memory') return undefined;
      throw error;
    }
    const obstacles = new Scene();
    const objects = new Map<number, number>();
    for (const { mesh, pose, object } of held.pieces) {
      const { id } = obstacles.add(mesh, { pose, name: this.model.text(object, 'path') });
      objects.set(id, object);
    }
    return { obstacles, objectOf: ({ id }) => objects.get(id)!, dispose: () => held.dispose() };
  }

  /** The first object that a part of the body is inside of, where their surfaces do not meet. */
  async enclosing(mesh: Mesh, pose: Pose): Promise<number | undefined> {
    return (await this.#session.enclosing(mesh, { pose }))[0];
  }

  async dispose(): Promise<void> {
    await this.#session.dispose();
  }
}

/** What lies around `where` does not fit; `option` would make it less. */
export function regionTooLarge({ memory }: StandingModel, where: string, option: string): CommandError {
  return new CommandError(
    `what lies around ${where} does not fit into --memory ${fileSize(memory)}: allow more, or limit with ${option} ` +
      'where the body may be',
  );
}
