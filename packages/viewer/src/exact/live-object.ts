/**
 * A moved object asked while it moves: what it is near, from levels, within an error. Nothing within the distance is
 * missed, and the true distances lie within the bounds.
 */
import { LevelsTarget, Session, type SessionBody, type StoredModel } from '@impinge/model';
import { oneObject } from './one-object.js';
import { poseOf } from './poses.js';
import type { LiveNear } from './types.js';

export class LiveObject {
  readonly #object: number;
  readonly #own: LevelsTarget;
  readonly #session: Session;
  readonly #body: SessionBody;

  /** `levels` is all of the model. */
  constructor(levels: LevelsTarget, model: StoredModel, object: number, memory: number) {
    this.#object = object;
    this.#own = new LevelsTarget(oneObject(model, object), { memory });
    this.#session = new Session(levels, { memory });
    this.#body = this.#session.add(this.#own, { pose: poseOf(model.pose(object)) });
  }

  /** Other objects at most `distance` away at a pose, the nearest first. */
  async near(pose: Float64Array, distance: number, error: number): Promise<LiveNear[]> {
    this.#body.move(poseOf(pose));
    const { hits } = await this.#body.hits({ distance, mode: 'any', error });
    return hits
      .filter(({ object }) => object !== this.#object)
      .map(({ object, bounds, pointA, pointB }) => {
        return { object: object!, bounds, point: pointA, pointOther: pointB };
      })
      .sort((p, q) => p.bounds[0] - q.bounds[0] || p.bounds[1] - q.bounds[1] || p.object - q.object);
  }

  async dispose(): Promise<void> {
    await this.#session.dispose();
    await this.#own.dispose();
  }
}
