/** The parts of an assembly: objects of a model, each where it stands, as a scene. */
import type { StoredModel } from '@impinge/model';
import { Scene, type SceneObject } from 'impinge';
import { CommandError } from '../command-error.js';
import { bodyOfObject, objectsOf, type PathBody } from './path-body.js';
import { meshPose, type PlacedPose, placedPose, scaledTranslation } from './path-poses.js';

export interface AssemblyPart {
  readonly source: SceneObject;
  readonly body: PathBody;
  /** Of the model. */
  readonly object: number;
  readonly path: string;
  /** Where it stands, as it is written down. */
  readonly stands: PlacedPose;
}

export class AssemblyParts {
  readonly scene = new Scene();
  readonly parts: readonly AssemblyPart[];
  readonly model: StoredModel;
  readonly #ofSource: ReadonlyMap<SceneObject, AssemblyPart>;

  /** Throws where there are fewer than two: nothing comes apart. */
  static async open(model: StoredModel, selector: string | undefined): Promise<AssemblyParts> {
    const objects =
      selector === undefined ? [...Array(model.objectCount).keys()] : await objectsOf(selector, model);
    if (objects.length < 2) {
      const what = selector === undefined ? 'the model has' : `--parts ${selector}: selects`;
      throw new CommandError(
        `${what} ${objects.length === 0 ? 'no object' : 'one object'}, and an assembly has two or more`,
      );
    }
    const bodies: PathBody[] = [];
    for (const object of objects) bodies.push(await bodyOfObject(model, object));
    return new AssemblyParts(model, bodies);
  }

  private constructor(model: StoredModel, bodies: readonly PathBody[]) {
    this.model = model;
    const unit = model.meta.metresPerUnit;
    this.parts = bodies.map((body) => {
      const stands = placedPose(scaledTranslation(body.stands!, unit));
      const path = body.name;
      const source = this.scene.add(body.mesh, { pose: meshPose(stands, body.frame, unit), name: path });
      return { source, body, path, stands, object: body.object! };
    });
    this.#ofSource = new Map(this.parts.map((part) => [part.source, part]));
  }

  of(source: unknown): AssemblyPart {
    return this.#ofSource.get(source as SceneObject)!;
  }

  /** The parts that selectors name. */
  async select(selectors: readonly string[], option: string): Promise<AssemblyPart[]> {
    const found = new Set<AssemblyPart>();
    for (const selector of selectors) {
      const objects = new Set(await objectsOf(selector, this.model));
      const parts = this.parts.filter(({ object }) => objects.has(object));
      if (parts.length === 0) throw new CommandError(`${option} ${selector}: selects no part`);
      for (const part of parts) found.add(part);
    }
    return [...found];
  }

  dispose(): void {
    for (const { body } of this.parts) body.mesh.dispose();
  }
}
