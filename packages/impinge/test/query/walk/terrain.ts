/** Places for characters to walk in, turned any way. */
import { randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import type { Vec3 } from '../../../src/math/pose.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { meetsShape, shapeDistance } from '../../../src/query/scene/ask-shapes.js';
import { CharacterController, type CharacterOptions } from '../../../src/query/walk/character-controller.js';
import { Scene, type SceneObject } from '../../../src/scene/scene.js';

const FACES = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
export const DEGREE = Math.PI / 180;

/** A box from corner to corner. */
export function boxOf(min: readonly number[], max: readonly number[]): Mesh {
  const corner = (i: number) => [0, 1, 2].map((k) => ((i >> k) & 1 ? max : min)[k]);
  const positions = Array.from({ length: 8 }, (_, i) => corner(i)).flat();
  const indices = [0, 4, 8, 12, 16, 20].flatMap((f) => [0, 1, 2, 0, 2, 3].map((k) => FACES[f + k]));
  return Mesh.from({ positions, indices });
}

/** A turn about an axis of the world, 0 to 2, row by row. */
export function turnAbout(axis: number, angle: number): number[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const out = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
  out[4 * axis] = 1;
  out[4 * j] = c;
  out[4 * k] = c;
  out[3 * j + k] = -s;
  out[3 * k + j] = s;
  return out;
}

const product = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from({ length: 9 }, (_, i) => {
    const [row, column] = [3 * Math.floor(i / 3), i % 3];
    return a[row] * b[column] + a[row + 1] * b[3 + column] + a[row + 2] * b[6 + column];
  });

/** A scene in which y is up, turned as a whole; its own directions are the caller's. */
export class Terrain {
  readonly scene = new Scene();
  readonly #turn: number[];

  /** Unturned without a seed. */
  constructor(seed?: number) {
    this.#turn =
      seed === undefined ? [1, 0, 0, 0, 1, 0, 0, 0, 1] : Array.from(randomRotation(seededRandom(seed)));
  }

  out([x, y, z]: readonly number[]): Vec3 {
    const r = this.#turn;
    return [0, 3, 6].map((k) => r[k] * x + r[k + 1] * y + r[k + 2] * z) as unknown as Vec3;
  }

  back([x, y, z]: readonly number[]): Vec3 {
    const r = this.#turn;
    return [0, 1, 2].map((k) => r[k] * x + r[k + 3] * y + r[k + 6] * z) as unknown as Vec3;
  }

  pose(translation: readonly number[] = [0, 0, 0], rotation: readonly number[] = turnAbout(0, 0)) {
    return { rotation: product(this.#turn, rotation), translation: this.out(translation) };
  }

  add(mesh: Mesh, translation?: readonly number[], rotation?: readonly number[]): SceneObject {
    return this.scene.add(mesh, { pose: this.pose(translation, rotation) });
  }

  /** The ground at height 0. */
  addFloor(size = 50): SceneObject {
    return this.add(boxOf([-size, -1, -size], [size, 0, size]));
  }
}

/** A character of such a terrain. */
export class Walker {
  readonly terrain: Terrain;
  readonly controller: CharacterController;
  readonly skin: number;

  constructor(terrain: Terrain, position: readonly number[], options: CharacterOptions = {}) {
    this.terrain = terrain;
    this.skin = options.skin ?? 0.01;
    const up = terrain.out([0, 1, 0]);
    this.controller = new CharacterController(terrain.scene, {
      up,
      ...options,
      position: terrain.out(position),
    });
  }

  get position(): Vec3 {
    return this.terrain.back(this.controller.position);
  }

  move(by: readonly number[]) {
    const move = this.controller.move(this.terrain.out(by));
    return { ...move, moved: this.terrain.back(move.moved), carried: this.terrain.back(move.carried) };
  }

  /** Walks for some steps with gravity, and makes sure that it is never in anything, and keeps its skin. */
  walk(steps: number, by: readonly number[]) {
    let last = this.move(by);
    this.expectFree();
    let flights = last.grounded ? 0 : 1;
    for (let i = 1; i < steps; i++) {
      last = this.move(by);
      this.expectFree();
      if (!last.grounded) flights++;
    }
    return { ...last, flights };
  }

  expectFree(least = 1 - 1e-6): void {
    const { shape } = this.controller;
    if (meetsShape(this.terrain.scene, shape)) throw new Error(`in something at ${this.position}`);
    const near = shapeDistance(this.terrain.scene, shape, { atMost: least * this.skin });
    if (near) throw new Error(`${near.distance} from something at ${this.position}`);
  }
}
