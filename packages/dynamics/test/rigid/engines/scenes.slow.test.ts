/**
 * The scenes of the CLOD paper by contact levels, with a thirty-second of their triangles: they fall into contact and
 * never meet.
 */
import { simplifiedSurfaces } from '@impinge/model/internal/levels/simplified-surfaces.js';
import { type RigidScene, spoonCup, torusPeg } from '@impinge/scenes/rigid';
import { expect, test } from 'vitest';
import { rigidBody } from '../../../src/bodies/rigid-body.js';
import { fixedBody } from '../../../src/bodies/scenery.js';
import { Simulation } from '../../../src/bodies/simulation.js';
import { disposed, wholeEnergy } from '../rigid-scenes.js';
import { levelsOf } from './posed-shapes.js';

interface Surface {
  readonly name: string;
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

/** With half the triangles, so many times. */
function coarser({ name, positions, indices }: Surface, times: number): Surface {
  const halves = simplifiedSurfaces(Float32Array.from(positions), Uint32Array.from(indices), times);
  const last = halves[times - 1];
  return { name, positions: Float32Array.from(last.positions), indices: Uint32Array.from(last.indices) };
}

function simulationOf(scene: RigidScene, times: number) {
  const { dt, thickness, friction, error = 0 } = scene;
  const contacts = { engine: 'contact-levels', error } as const;
  const simulation = new Simulation({ dt, thickness, friction, contacts });
  const [table, around] = scene.scenery;
  const below = coarser(around, times);
  simulation.add(fixedBody(table as never));
  simulation.add(fixedBody(below as never, { contactLevels: levelsOf(below) }));
  const [{ turn, place, shape }] = scene.bodies;
  const { density } = scene.shapes[shape];
  const surface = coarser(scene.shapes[shape], times);
  const body = rigidBody(surface as never, { contactLevels: levelsOf(surface), density });
  const from = body.position;
  body.orientation = turn as never;
  const arm = body.turned(from);
  body.position = place.map((x, k) => x + arm[k]) as never;
  simulation.add(body);
  return { simulation, body, triangles: surface.indices.length / 3 };
}

test.each([
  ['spoon-cup', spoonCup(), 45],
  ['torus-peg', torusPeg(), 65],
] as const)('%s', (_, scene, steps) => {
  const { simulation, body, triangles } = simulationOf(scene, 5);
  disposed(simulation, () => {
    expect(triangles).toBeGreaterThan(800);
    const most = wholeEnergy([body]);
    let [touched, shortened] = [0, 0];
    for (let step = 1; step <= steps; step++) {
      const report = simulation.step();
      if (report.events > 0) touched++;
      shortened += report.shortened;
      expect(wholeEnergy([body])).toBeLessThan(most * (1 + 1e-5));
      if (step % 10 === 0) expect(simulation.intersections()).toBe(0);
    }
    expect(touched).toBeGreaterThan(5);
    expect(shortened).toBe(0);
  });
});
