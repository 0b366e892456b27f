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

/** Triangles of about a size, some without area: segments and points. */
function writeTriangles(random: Random, count: number, size: number, out: number[]): void {
  for (let t = 0; t < count; t++) {
    const middle = [0, 1, 2].map(() => 1.5 * (random() - 0.5));
    const at = out.length;
    for (let i = 0; i < 9; i++) out.push(middle[i % 3] + size * (random() - 0.5));
    const flat = random();
    for (let k = 0; k < 3; k++) {
      if (flat < 0.1) out[at + 6 + k] = 0.5 * (out[at + k] + out[at + 3 + k]);
      if (flat < 0.05) out[at + 6 + k] = out[at + 3 + k] = out[at + k];
    }
  }
}

/** What is hard to get right, about a place: large faces, tiny ones, ones without area, a solid in a solid. */
export function roughBody(random: Random, about: readonly number[]): Mesh {
  const kind = Math.floor(4 * random());
  const triangles: number[] = [];
  if (kind === 0) writeTriangles(random, 3, random() < 0.5 ? 3 : 100, triangles);
  if (kind === 1) {
    writeTriangles(random, 1, 30, triangles);
    writeTriangles(random, 20, 0.02, triangles);
  }
  if (kind === 2) writeTriangles(random, 12, 0.6, triangles);
  const at = (positions: ArrayLike<number>) => Float64Array.from(positions, (x, i) => x + about[i % 3]);
  if (kind < 3) return Mesh.from({ positions: at(triangles), name: 'rough' });
  const [outer, inner] = [box(1.2, 1, 0.8), icosphere(1, 0.3)];
  const first = outer.positions.length / 3;
  return Mesh.from({
    positions: at([...outer.positions, ...inner.positions]),
    indices: [...outer.indices, ...inner.indices.map((i: number) => i + first)],
    name: 'a ball in a box',
  });
}
