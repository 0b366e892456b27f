/** Cullers in which anything happens between questions, against new ones and against brute force. */
import { VisibilityCuller } from '@impinge/gpu/internal/culler.js';
import { SceneCuller } from '@impinge/gpu/internal/scene-culler.js';
import type { CulledObject, CulledPairs } from '@impinge/gpu/internal/types.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { Scene, type SceneObject } from 'impinge/internal/scene/scene.js';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../lab/scenes/index.mjs';
import { least, runs } from '../budget.js';
import { below, cornersOf, deform, gapOf, pairsOf, type Random, someMatrix, someMesh } from './lattice.js';

interface Member<Handle> {
  readonly handle: Handle;
  mesh: Mesh;
  matrix: number[];
}

interface Handle {
  move(matrix: number[]): void;
  remove(): void;
}

/** What both kinds of culler have happen to them. */
function change<One extends Handle>(
  members: Member<One>[],
  random: Random,
  add: (mesh: Mesh, matrix: number[]) => One,
): void {
  const draw = random();
  const at = below(random, members.length);
  if (draw < 0.25 || members.length < 3) {
    // some meshes are shared
    const mesh = random() < 0.5 || members.length === 0 ? someMesh(random) : members[at].mesh;
    const matrix = someMatrix(random);
    members.push({ handle: add(mesh, matrix), mesh, matrix });
  } else if (draw < 0.4) {
    members[at].handle.remove();
    members.splice(at, 1);
  } else if (draw < 0.7) deform(members[at].mesh, random);
  else {
    members[at].matrix = someMatrix(random);
    members[at].handle.move(members[at].matrix);
  }
}

/** Object, triangle, object, triangle. */
function truthOf(members: readonly Member<unknown>[], distance: number): number[][] {
  const corners = members.map(({ mesh, matrix }) => cornersOf(mesh, matrix));
  const rows: number[][] = [];
  for (let i = 0; i < corners.length; i++) {
    for (let j = i + 1; j < corners.length; j++) {
      const pairs = pairsOf(corners[i], corners[j], distance);
      for (let k = 0; k < pairs.length; k += 2) rows.push([i, pairs[k], j, pairs[k + 1]]);
    }
  }
  return sorted(rows);
}

const sorted = (rows: number[][]) =>
  rows.sort((p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2] || p[3] - q[3]);

function rowsOf(
  { count, objects, triangles }: CulledPairs,
  members: readonly Member<CulledObject>[],
): number[][] {
  const numbers = new Map(members.map(({ handle }, i) => [handle.id, i]));
  return sorted(
    Array.from({ length: count }, (_, k) => [
      numbers.get(objects[2 * k])!,
      triangles[2 * k],
      numbers.get(objects[2 * k + 1])!,
      triangles[2 * k + 1],
    ]),
  );
}

describe('a culler', () => {
  test('answers as brute force does, whatever has come, gone, moved or deformed (seed 3151)', async () => {
    const random = seededRandom(3151);
    let met = 0;
    for (let round = 0; round < runs(6); round++) {
      const culler = new VisibilityCuller('cpu');
      const members: Member<CulledObject>[] = [];
      const add = (mesh: Mesh, matrix: number[]) => culler.add(mesh, { pose: matrix });
      for (let step = 0; step < 20; step++) {
        change(members, random, add);
        if (step < 5) continue;
        const distance = random() < 0.5 ? 0 : 0.3;
        const found = await (distance === 0 ? culler.collide() : culler.within({ distance }));
        const truth = truthOf(members, distance);
        expect(rowsOf(found, members)).toEqual(truth);
        met += truth.length;
        if (members.length < 2) continue;
        const corners = members.map(({ mesh, matrix }) => cornersOf(mesh, matrix));
        const gaps = corners.flatMap((a, i) => corners.slice(i + 1).map((b) => gapOf(a, b)));
        expect((await culler.distance())!.distance).toBeCloseTo(Math.min(...gaps), 12);
      }
      culler.dispose();
    }
    expect(met).toBeGreaterThan(least(300));
  });

  test('of a scene does, too, by either engine (seed 3152)', async () => {
    const random = seededRandom(3152);
    let met = 0;
    for (let round = 0; round < runs(6); round++) {
      const scene = new Scene();
      const culler = new SceneCuller(scene, 'cpu', { engine: random() < 0.7 ? 'culler' : 'cpu' });
      const members: Member<SceneObject>[] = [];
      const add = (mesh: Mesh, matrix: number[]) => scene.add(mesh, { pose: matrix });
      for (let step = 0; step < 20; step++) {
        change(members, random, add);
        // in the order of the scene: a new object may be where one was removed
        const order = scene.objects();
        members.sort((p, q) => order.indexOf(p.handle) - order.indexOf(q.handle));
        if (step < 5) continue;
        const distance = random() < 0.5 ? 0 : 0.3;
        const { pairs } = await culler.collideAll({ distance });
        const rows = pairs.flatMap(({ a, b, pairs: triangles }) =>
          Array.from({ length: triangles.length / 2 }, (_, k) => [
            order.indexOf(a),
            triangles[2 * k],
            order.indexOf(b),
            triangles[2 * k + 1],
          ]),
        );
        const truth = truthOf(members, distance);
        expect(sorted(rows)).toEqual(truth);
        met += truth.length;
      }
      culler.dispose();
    }
    expect(met).toBeGreaterThan(least(300));
  });
});
