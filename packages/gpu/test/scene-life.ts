/** Scenes in which anything happens, asked with a culler and without: the answers are to be the same. */
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import {
  type CollideAllOptions,
  type CollideAllResult,
  collideAll,
} from 'impinge/internal/query/scene/collide-all.js';
import { Scene, type SceneObject } from 'impinge/internal/scene/scene.js';
import { expect } from 'vitest';
import { randomRotation, seededRandom } from '../../../lab/scenes/index.mjs';
import { ball, cube, mesh, moved, sphere, torus } from '../../impinge/test/query/solid/solids.js';
import { SceneCuller, type SceneCullerOptions } from '../src/index.js';
import type { CullingDevice } from '../src/types.js';

export const at = (x: number, y = 0, z = 0) => ({ translation: [x, y, z] });
export const plain = ({ pairs: objects }: CollideAllResult) =>
  objects.map(({ a, b, pairs, ...rest }) => ({ ...rest, a: a.id, b: b.id, pairs: [...pairs] }));

/** A scene in which anything may happen from step to step. */
export class Life {
  readonly scene = new Scene();
  readonly #random: () => number;
  readonly #shapes = [ball(0.6, 3), cube(0.8), mesh(torus(0.5, 0.2, 9, 6)), mesh(moved(sphere(0.4, 2), 1e4))];
  readonly #own: Mesh[] = [];
  readonly #ids: SceneObject[] = [];
  readonly #far = new Set<SceneObject>();

  constructor(seed: number, objects: number) {
    this.#random = seededRandom(seed);
    for (let i = 0; i < objects; i++) this.#arrive();
  }

  step(): void {
    for (let i = 0; i < 5; i++) {
      const id = this.#any();
      id.move(this.#pose(this.#far.has(id)));
    }
    for (const soft of this.#own) {
      if (this.#random() < 0.5) continue;
      const shift = 0.1 * this.#random();
      // nobody is told: scene and culler notice
      soft.setPositions(soft.positions.map((x, i) => x + shift * Math.sin(7 * x + i)));
    }
    const departures = Math.floor(3 * this.#random());
    for (let i = 0; i < departures; i++) {
      const id = this.#any();
      this.#ids.splice(this.#ids.indexOf(id), 1);
      id.remove();
    }
    const arrivals = Math.floor(4 * this.#random());
    for (let i = 0; i < arrivals; i++) this.#arrive();
  }

  end(): void {
    for (const shape of [...this.#shapes, ...this.#own]) shape.dispose();
  }

  #any(): SceneObject {
    return this.#ids[Math.floor(this.#ids.length * this.#random())];
  }

  #arrive(): void {
    const kind = Math.floor(5 * this.#random());
    let shape = this.#shapes[kind];
    if (!shape) {
      shape = cube(0.7);
      this.#own.push(shape);
    }
    const id = this.scene.add(shape, { pose: this.#pose(kind === 3) });
    if (kind === 3) this.#far.add(id);
    this.#ids.push(id);
  }

  /** Some on a grid, so that faces touch; shapes that lie far from their zero are brought back. */
  #pose(far: boolean) {
    const place = [0, 1, 2].map(() => 4 * this.#random());
    if (far) return at(place[0] - 1e4, place[1], place[2]);
    if (this.#random() < 0.4) return { translation: place.map((x) => 0.4 * Math.round(x / 0.4)) };
    return { translation: place, rotation: randomRotation(this.#random) };
  }
}

const QUERIES: CollideAllOptions[] = [
  { mode: 'all' },
  { distance: 0.05 },
  { mode: 'all', filter: (a, b) => (a.id + b.id) % 3 !== 0 },
  { distance: 0.3, filter: (a, b) => a.id < b.id },
  { distance: 0 },
];

/** Returns the number of pairs of objects that met. */
export async function live(
  devices: CullingDevice,
  seed: number,
  steps: number,
  options: SceneCullerOptions,
  objects = 16,
) {
  const life = new Life(seed, objects);
  const culler = new SceneCuller(life.scene, devices, options);
  let met = 0;
  for (let step = 0; step < steps; step++) {
    const request = QUERIES[step % QUERIES.length];
    const found = await culler.collideAll(request);
    const expected = collideAll(life.scene, request);
    expect(plain(found), `step ${step}`).toEqual(plain(expected));
    met += expected.count;
    life.step();
  }
  culler.dispose();
  life.end();
  return met;
}

export const loudly = { onFallback: (message: string) => expect.fail(message) };
