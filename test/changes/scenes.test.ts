/**
 * Scenes in which anything happens between questions, against new scenes of the same objects, and against brute force.
 */
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { closestPoint } from 'impinge/internal/query/scene/ask-points.js';
import { objectsInShape } from 'impinge/internal/query/scene/ask-shapes.js';
import {
  type CollideAllOptions,
  type CollideAllResult,
  collideAll,
} from 'impinge/internal/query/scene/collide-all.js';
import { collideOne } from 'impinge/internal/query/scene/collide-one.js';
import { nearest, nearestPair } from 'impinge/internal/query/scene/nearest.js';
import { boxSweep } from 'impinge/internal/scene/box-sweep.js';
import { Scene, type SceneObject } from 'impinge/internal/scene/scene.js';
import { describe, expect } from 'vitest';
import { seededRandom } from '../../lab/scenes/index.mjs';
import { full, least, runs } from '../budget.js';
import { below, cornersOf, deform, gapOf, pairsOf, type Random, someMatrix, someMesh } from './lattice.js';

/** One that is hidden is left out by a filter. */
interface Member {
  readonly object: SceneObject;
  matrix: number[];
  hidden: boolean;
}

const DISTANCES = [0, 0, 0.3];
const RIGID = [1];
const SCALED = [1, 1, 2, 3, 5, 0.5];

/** A scene, and what is in it. */
class Life {
  readonly scene: Scene;
  members: Member[] = [];
  readonly #random: Random;
  readonly #scales: readonly number[];
  readonly #meshes: Mesh[];

  constructor(random: Random, scales: readonly number[], scene: Scene) {
    this.#random = random;
    this.#scales = scales;
    this.scene = scene;
    this.#meshes = Array.from({ length: 4 }, () => someMesh(random));
    for (let i = 0; i < 7; i++) this.#add();
  }

  change(): void {
    const random = this.#random;
    const { members } = this;
    const draw = random();
    const one = members[below(random, members.length)];
    if (draw < 0.25 || members.length < 4) this.#add();
    else if (draw < 0.4) {
      one.object.remove();
      this.members = members.filter((other) => other !== one);
    } else if (draw < 0.6) deform(one.object.mesh, random);
    else if (draw < 0.9) {
      one.matrix = someMatrix(random, this.#scales);
      one.object.move(one.matrix);
    } else one.hidden = !one.hidden;
    this.members.sort((p, q) => this.#slot(p) - this.#slot(q));
  }

  #add(): void {
    const matrix = someMatrix(this.#random, this.#scales);
    const mesh = this.#random() < 0.3 ? someMesh(this.#random) : this.#meshes[below(this.#random, 4)];
    this.members.push({ object: this.scene.add(mesh, { pose: matrix }), matrix, hidden: false });
  }

  #slot({ object }: Member): number {
    return this.scene.objects().indexOf(object);
  }

  end(): void {
    for (const { object } of this.members) object.mesh.dispose();
    for (const mesh of this.#meshes) mesh.dispose();
  }
}

type Row = readonly (number | number[])[];

function rowsOf({ pairs }: CollideAllResult, objects: readonly SceneObject[]): Row[] {
  return pairs.map(({ a, b, pairs: triangles }) => [objects.indexOf(a), objects.indexOf(b), [...triangles]]);
}

function expectAll({ scene, members }: Life, random: Random): number {
  const distance = DISTANCES[below(random, DISTANCES.length)];
  const isShown = (object: SceneObject) => !members.find((member) => member.object === object)!.hidden;
  const options: CollideAllOptions = { distance, filter: (a, b) => isShown(a) && isShown(b) };
  const objects = members.map(({ object }) => object);
  const corners = members.map(({ object, matrix }) => cornersOf(object.mesh, matrix));
  const truth: Row[] = [];
  for (let i = 0; i < members.length; i++) {
    for (let j = i + 1; j < members.length; j++) {
      if (members[i].hidden || members[j].hidden) continue;
      const pairs = pairsOf(corners[i], corners[j], distance);
      if (pairs.length > 0) truth.push([i, j, pairs]);
    }
  }
  const fresh = new Scene();
  const others = members.map(({ object, matrix }) => fresh.add(object.mesh, { pose: matrix }));
  const own = below(random, members.length);
  // asked about all, then about one, or the other way round: each may notice first what has changed
  const questions = [
    () => expect(rowsOf(collideAll(scene, options), objects)).toEqual(truth),
    () => {
      const found = rowsOf(collideOne(scene, objects[own], options), objects);
      const expected = truth.filter(([i, j]) => i === own || j === own).map(([i, j]) => (i === own ? j : i));
      expect(found.map(([, other]) => other)).toEqual(expected);
    },
    () => {
      const ids = (pairs: [SceneObject, SceneObject][], all: SceneObject[]) =>
        pairs.map((pair) => pair.map((object) => all.indexOf(object)));
      expect(ids(scene.pairs(distance), objects)).toEqual(ids(fresh.pairs(distance), others));
      expect(scene.near(objects[own], distance).map((object) => objects.indexOf(object))).toEqual(
        fresh.near(others[own], distance).map((object) => others.indexOf(object)),
      );
    },
    () => {
      const gaps = corners.map((other, i) => (i === own ? Infinity : gapOf(corners[own], other)));
      const least = Math.min(...gaps);
      expect(nearest(scene, objects[own])[0].distance).toBeCloseTo(least, 12);
      const all = corners.flatMap((a, i) => corners.slice(i + 1).map((b) => gapOf(a, b)));
      expect(nearestPair(scene)!.distance).toBeCloseTo(Math.min(...all), 12);
    },
    () => {
      const point = [0, 1, 2].map(() => 4 * random());
      expect(closestPoint(scene, point)!.distance).toBe(closestPoint(fresh, point)!.distance);
      const ball = { centre: point, radius: 0.7 };
      expect(objectsInShape(scene, ball).map((object) => objects.indexOf(object))).toEqual(
        objectsInShape(fresh, ball).map((object) => others.indexOf(object)),
      );
    },
  ];
  const first = below(random, questions.length);
  for (let i = 0; i < 3; i++) questions[(first + i) % questions.length]();
  return truth.length;
}

describe('a scene answers as a new one and as brute force do, whatever has come, gone, moved, deformed, grown or hidden', () => {
  for (const [seed, name, scales, make] of [
    [3101, 'rigid poses', RIGID, () => new Scene()],
    [3102, 'poses that scale', SCALED, () => new Scene()],
    [3103, 'a broad phase of its own', RIGID, () => new Scene({ broadPhase: boxSweep })],
  ] as const) {
    full(`${name} (seed ${seed})`, () => {
      const random = seededRandom(seed);
      let met = 0;
      for (let round = 0; round < runs(20); round++) {
        const life = new Life(random, scales, make());
        for (let step = 0; step < 12; step++) {
          met += expectAll(life, random);
          life.change();
          if (random() < 0.3) life.change();
        }
        life.end();
      }
      expect(met).toBeGreaterThan(least(500));
    });
  }
});
