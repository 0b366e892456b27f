/**
 * Simulations whose bodies come, go and are put elsewhere between steps: a start that is not free is refused as by a
 * new one of the same bodies, nothing meets after a step, and what is far from everything moves as it does in a new
 * one, whatever it touched or slept on.
 */
import { type BodyHandle, fixedBody, type RigidBody, rigidBody, Simulation } from '@impinge/dynamics';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { distance } from 'impinge/internal/query/pair/distance.js';
import { describe, expect } from 'vitest';
import { box, seededRandom } from '../../lab/scenes/index.mjs';
import { full, least, runs } from '../budget.js';

const FAR = 0.3;
const OPTIONS = { dt: 1 / 60, thickness: 0.005 };
type Random = () => number;

interface Member {
  readonly body: RigidBody;
  readonly handle: BodyHandle;
}

/** Where it may be put: above a floor, in a room small enough to meet others. */
const somewhere = (random: Random) => ({
  position: [2 * random() - 1, 0.5 + 1.5 * random(), 2 * random() - 1] as const,
  orientation: [0, 0, 0, 0].map(() => random() - 0.5) as [number, number, number, number],
  velocity: [0, 0, 0].map(() => random() - 0.5) as [number, number, number],
});

/** How far each is from all others and from the floor. */
function gaps(members: readonly Member[], floor: Mesh): number[] {
  const meshes = [
    ...members.map(({ body }) => Mesh.from({ positions: body.positions, indices: body.indices })),
    floor,
  ];
  const all = meshes
    .slice(0, -1)
    .map((mesh, i) =>
      Math.min(...meshes.filter((_, j) => j !== i).map((other) => distance(mesh, other).distance)),
    );
  for (const mesh of meshes.slice(0, -1)) mesh.dispose();
  return all;
}

describe('a simulation', () => {
  full('goes on as a new one would, whatever has come, gone or been put elsewhere (seed 3161)', () => {
    const random = seededRandom(3161);
    const ground = { ...box(4, 0.2, 4), name: 'floor' };
    const floorMesh = Mesh.from(ground);
    const source = Mesh.from(box(0.3, 0.2, 0.4));
    const shape = rigidBody(source);
    let [free, refused, slept] = [0, 0, 0];
    for (let round = 0; round < runs(3); round++) {
      const kept = new Simulation(OPTIONS);
      kept.add(fixedBody(ground));
      let members: Member[] = [];
      for (let step = 0; step < 40; step++) {
        const draw = random();
        const one = members[Math.floor(members.length * random())];
        if (members.length < 2 || draw < 0.08) {
          const body = shape.copy({ ...somewhere(random), name: `body ${step}` });
          members.push({ body, handle: kept.add(body) });
        } else if (draw < 0.14) {
          one.handle.remove();
          members = members.filter((other) => other !== one);
        } else if (draw < 0.22) Object.assign(one.body, somewhere(random));
        else if (draw < 0.25) source.setPositions(source.positions.map((x) => 1.1 * x)); // bodies have copies
        const before = gaps(members, floorMesh);
        const fresh = new Simulation(OPTIONS);
        fresh.add(fixedBody(ground));
        const copies = members.map(({ body }) => {
          const { position, orientation, velocity, spin, name } = body;
          const copy = shape.copy({ position, orientation, velocity, spin, name });
          fresh.add(copy);
          return copy;
        });
        if (before.some((gap) => gap === 0)) {
          for (const simulation of [kept, fresh]) expect(() => simulation.step()).toThrowError(/not free/);
          refused++;
          const at = before.indexOf(0);
          members[at].handle.remove();
          members.splice(at, 1);
        } else {
          kept.step();
          fresh.step();
          expect(Math.min(Infinity, ...gaps(members, floorMesh))).toBeGreaterThan(0);
          members.forEach(({ body }, i) => {
            if (before[i] < FAR) return;
            free++;
            for (let k = 0; k < 3; k++) expect(body.position[k]).toBeCloseTo(copies[i].position[k], 9);
          });
        }
        fresh.dispose();
        // now and then long enough that some fall asleep
        for (let rest = random() < 0.1 ? 60 : 0; rest > 0 && before.every((gap) => gap > 0); rest--) {
          slept += kept.step().asleep;
        }
      }
      kept.dispose();
    }
    expect(free).toBeGreaterThan(least(20));
    expect(refused).toBeGreaterThan(least(1));
    expect(slept).toBeGreaterThan(least(5));
  });
});
