/** Two models in contact: the patches that stand for their surfaces there, coloured by their level. */
import { buildContactLevels, ContactPair, fixedBody, rigidBody, Simulation } from '@impinge/dynamics';
import { type RigidScene, spoonCup, torusPeg } from '@impinge/scenes/rigid';
import { Mesh, within } from 'impinge';
import type { Demo, Look } from '../protocol.js';
import { PaintedModel, patchFigures } from './painted-model.js';

/** Patches are shown where the models are this near, in metres. */
const NEAR = 0.002;
const BODY = 0x8d99a6;
const TABLE = 0xe3e7eb;
const GLASS = 0x9fb4c7;
/** Opacity of scenery where nothing is near. */
const OPACITY = 0.3;

export const spoonCupDemo = settling(spoonCup, { centre: [0.01, 0.07, 0], radius: 0.1 });
export const torusPegDemo = settling(torusPeg, { centre: [0, 0.15, 0], radius: 0.18 });

function settling(sceneOf: (options: { coarseness: number }) => RigidScene, look: Look): Demo {
  return {
    start({ detail, error }, tell) {
      const { shapes, bodies, scenery, dt, thickness, friction } = sceneOf({ coarseness: 6 - detail });
      const [{ place, turn }] = bodies;
      const [table, still] = scenery;
      const { density, ...moved } = shapes[0];
      const began = performance.now();
      const meshes = [Mesh.from(still), Mesh.from(moved)] as const;
      const levels = meshes.map((mesh, i) => {
        tell(`Building contact levels of the ${mesh.name}, ${i + 1} of 2 …`);
        return buildContactLevels(mesh);
      });
      const built = performance.now() - began;
      const contacts = { engine: 'contact-levels', error: error / 1000 } as const;
      const simulation = new Simulation({ dt, thickness, friction, contacts });
      const body = rigidBody(moved, { density, orientation: turn, contactLevels: levels[1] });
      const centre = body.shape.mass.centre;
      const fromOrigin = (axis: number) => body.turned(centre)[axis];
      body.position = [place[0] + fromOrigin(0), place[1] + fromOrigin(1), place[2] + fromOrigin(2)];
      simulation.add(fixedBody(table));
      simulation.add(fixedBody(still, { contactLevels: levels[0] }));
      simulation.add(body);
      const pair = new ContactPair(levels[0], levels[1]);
      const [stillPainted, movedPainted] = [
        new PaintedModel(1, still, levels[0], GLASS, OPACITY),
        new PaintedModel(2, moved, levels[1], BODY, 1),
      ];
      return {
        step({ error }) {
          const isFirst = simulation.steps === 0;
          const allowed = error / 1000;
          simulation.contactError = allowed;
          const start = performance.now();
          simulation.step();
          const stepped = performance.now();
          const { position, orientation: rotation } = body;
          const translation = [0, 1, 2].map((k) => position[k] - fromOrigin(k)) as [number, number, number];
          const at = { poseB: { rotation, translation }, distance: NEAR };
          const asked = performance.now();
          const { contacts } = pair.contacts({ ...at, allowed });
          const found = performance.now();
          const { count } = within(...meshes, at);
          const compared = performance.now();
          const counts = [
            stillPainted.paint(contacts.map(({ nodeA }) => nodeA)),
            movedPainted.paint(contacts.map(({ nodeB }) => nodeB)),
          ];
          return {
            surfaces: [
              ...(isFirst
                ? [
                    {
                      id: 0,
                      positions: Float32Array.from(table.positions),
                      indices: Uint32Array.from(table.indices),
                      colour: TABLE,
                    },
                  ]
                : []),
              stillPainted.surface(isFirst ? still.positions : undefined),
              movedPainted.surface(body.positions),
            ],
            gone: [],
            look,
            stages: [
              ['simulation', stepped - start],
              ['near patches', found - asked],
              ['near triangles', compared - found],
            ],
            figures: [
              ['Time', `${(simulation.steps * dt).toFixed(2)} s`],
              ['Near pairs: patches', contacts.length.toLocaleString('en')],
              ['triangles', count.toLocaleString('en')],
              ...patchFigures(counts),
              ['Contact levels built in', `${(built / 1000).toFixed(1)} s`],
            ],
          };
        },
        dispose() {
          simulation.dispose();
          pair.dispose();
          for (const used of [...levels, ...meshes]) used.dispose();
        },
      };
    },
  };
}
