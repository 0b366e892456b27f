/** Characters in a simulation: carried by its scenery and bodies, stopped by them, pushing them. */
import { fixedBody, kinematicBody, pushBodies, rigidBody, Simulation } from '@impinge/dynamics';
import { CharacterController, meetsShape } from 'impinge';
import { describe, expect, test } from 'vitest';

const DT = 1 / 60;
const FLOOR = { name: 'floor', min: [-9, -1, -9], max: [9, 0, 9] };

function make(...bodies: Parameters<Simulation['add']>[0][]) {
  const simulation = new Simulation({ dt: DT, thickness: 0.002, friction: 0.5 });
  for (const body of bodies) simulation.add(body);
  return simulation;
}

describe('a character', () => {
  test('rides a lift and a turntable', () => {
    const lift = kinematicBody({ min: [-1, -0.2, -1], max: [1, 0, 1] }, (time) => ({
      rotation: [0, Math.sin(0.5 * time), 0, Math.cos(0.5 * time)],
      translation: [0, Math.sin(time), 0],
    }));
    const simulation = make(lift);
    const character = new CharacterController(simulation, { position: [0.5, 0.02, 0] });
    character.move([0, -0.02, 0]);
    const [x, y] = character.position;
    let turned = 0;
    for (let step = 1; step <= 120; step++) {
      simulation.step();
      const move = character.move([0, -9.81 * DT * DT, 0]);
      expect(move.grounded).toBe(true);
      expect(move.ground!.object.userData).toBe(lift);
      expect(meetsShape(simulation.scene, character.shape)).toBe(false);
      turned += move.turned;
    }
    expect(turned).toBeCloseTo(2, 9);
    const at = [x * Math.cos(2), y + Math.sin(2), -x * Math.sin(2)];
    character.position.forEach((p, k) => {
      expect(p).toBeCloseTo(at[k], 9);
    });
    simulation.dispose();
  });

  test('is stopped by a body, and pushes it no faster than it walks', () => {
    const crate = rigidBody(
      { name: 'crate', min: [-0.3, -0.3, -0.3], max: [0.3, 0.3, 0.3] },
      {
        position: [1.5, 0.301, 0],
        density: 100,
      },
    );
    const wall = fixedBody({ min: [4, -1, -9], max: [5, 3, 9] });
    const simulation = make(fixedBody(FLOOR), wall, crate);
    const character = new CharacterController(simulation, { position: [0, 0.011, 0], stepHeight: 0.1 });
    const walks = (pushes: boolean, steps: number) => {
      for (let step = 0; step < steps; step++) {
        const { hits } = character.move([1.5 * DT, -9.81 * DT * DT, 0]);
        if (pushes) pushBodies(hits, 80, DT);
        simulation.step();
        expect(crate.velocity[0]).toBeLessThan(1.6);
        character.move([0, 0, 0]);
        expect(meetsShape(simulation.scene, character.shape)).toBe(false);
      }
    };
    walks(false, 90);
    expect(crate.position[0]).toBeCloseTo(1.5, 3);
    expect(character.position[0]).toBeLessThan(1.2 - 0.31 + 1e-6);
    walks(true, 60);
    expect(crate.position[0]).toBeGreaterThan(2.2);
    // until the crate is at the wall
    walks(true, 180);
    expect(crate.position[0]).toBeLessThan(4 - 0.3);
    expect(simulation.intersections()).toBe(0);
    simulation.dispose();
  });

  test('takes part as scenery that follows it, which it ignores itself', () => {
    const { character, own, simulation, crate } = (() => {
      const world = make(fixedBody(FLOOR));
      const mover = new CharacterController(world, {
        position: [0, 0.011, 0],
        ignores: ({ userData }) => userData === body || userData === box,
      });
      const capsule = { from: [0, 0.3, 0], to: [0, 1.5, 0], radius: 0.3 };
      const body = kinematicBody(capsule, () => ({ translation: mover.position }));
      const box = rigidBody({ min: [-0.3, -0.3, -0.3], max: [0.3, 0.3, 0.3] }, { position: [1.5, 0.301, 0] });
      for (const one of [body, box]) world.add(one);
      return { character: mover, own: body, simulation: world, crate: box };
    })();
    for (let step = 0; step < 120; step++) {
      character.move([1.2 * DT, -9.81 * DT * DT, 0]);
      simulation.step();
    }
    expect(crate.position[0]).toBeGreaterThan(2);
    expect(simulation.bodies).toContain(own);
    expect(simulation.intersections()).toBe(0);
    simulation.dispose();
  });
});
