/** A scene of one body beside its scenery, whose contacts come from contact levels. */
import type { RigidScene } from '@impinge/scenes/rigid';
import { rigidBody } from '../../../src/bodies/rigid-body.js';
import { fixedBody } from '../../../src/bodies/scenery.js';
import { Simulation } from '../../../src/bodies/simulation.js';
import type { SimulationOptions } from '../../../src/bodies/simulation-options.js';
import { levelsOf } from './posed-shapes.js';

/** Levels are built once; returns what makes a simulation of it. */
export function levelsScene({ dt, thickness, friction, shapes, bodies, scenery }: RigidScene) {
  const [{ turn, place, shape }] = bodies;
  const { density, ...surface } = shapes[shape];
  const [ofBody, ofScenery] = [levelsOf(surface), levelsOf(scenery[1])];
  return (contacts: SimulationOptions['contacts']): Simulation => {
    const engine = { engine: 'contact-levels', ...contacts } as const;
    const simulation = new Simulation({ dt, thickness, friction, sleeping: false, contacts: engine });
    const body = rigidBody(surface, { contactLevels: ofBody, density, orientation: turn });
    const arm = body.turned(body.shape.mass.centre);
    body.position = [place[0] + arm[0], place[1] + arm[1], place[2] + arm[2]];
    simulation.add(fixedBody(scenery[1], { contactLevels: ofScenery }));
    simulation.add(body);
    return simulation;
  };
}
