/** Small bodies, and motions among them. */
import { Mesh, type Motion } from 'impinge';
import { box, icosphere, randomDirection, randomRotation, torus } from '../../../lab/scenes/index.mjs';

export type Random = () => number;

/** Triangles anywhere in a cube of side 1.4 about zero: open, crossing each other. */
function scattered(random: Random, count: number): Mesh {
  const positions: number[] = [];
  for (let t = 0; t < count; t++) {
    const middle = [0, 1, 2].map(() => 1.4 * (random() - 0.5));
    for (let i = 0; i < 9; i++) positions.push(middle[i % 3] + 0.5 * (random() - 0.5));
  }
  return Mesh.from({ positions, name: 'scattered' });
}

/** One of a few kinds, about as large as 1. */
export function randomBody(random: Random): Mesh {
  const kind = Math.floor(4 * random());
  if (kind === 0) return Mesh.from(box(0.3 + random(), 0.3 + random(), 0.1 + random()));
  if (kind === 1) return Mesh.from(icosphere(2, 0.4 + 0.4 * random()));
  if (kind === 2) return Mesh.from(torus(0.7, 0.1 + 0.2 * random(), 12, 6));
  return scattered(random, 12);
}

/** Translations of about `way`, any turns, of either kind. */
export function randomMotion(random: Random, way = 2): Motion {
  const pose = () => {
    const length = way * (0.3 + random());
    return {
      rotation: randomRotation(random),
      translation: randomDirection(random).map((x: number) => length * x),
    };
  };
  const kind = random() < 0.5 ? 'linear' : 'screw';
  const centre = [random() - 0.5, random() - 0.5, random() - 0.5];
  return { from: pose(), to: pose(), kind, centre };
}
