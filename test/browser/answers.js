/** Two wavy sheets and what the library says about them: run in Node, in a page and in a worker, and compared. */
import { collide, distance, Mesh, within } from 'impinge';
import { readMeshes } from 'impinge/formats';

/** 2 n² triangles over the unit square. Only products: sines may differ between engines. */
function sheet(n, height) {
  const positions = [];
  const indices = [];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) {
      const x = i / n;
      const y = j / n;
      const wave = x * (1 - x) * (x - 0.4) + y * (1 - y) * (y - 0.6) + 0.001 * ((i * 7 + j * 13) % 11);
      positions.push(x, y, height + wave);
    }
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const a = i * (n + 1) + j;
      indices.push(a, a + 1, a + n + 2, a, a + n + 2, a + n + 1);
    }
  }
  return Mesh.from({ positions, indices });
}

/** Everything the queries returned, as plain data. */
export function answers() {
  const a = sheet(60, 0);
  const b = sheet(50, 0);
  const turned = { rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], translation: [1, 0, 0.004] };
  const above = { translation: [0.1, 0.05, 0.2] };
  const crossing = collide(a, b, { pose: turned });
  const apart = distance(a, b, { pose: above });
  const near = within(a, b, { pose: above, distance: 0.15, mode: 'all' });
  const big = sheet(300, 0.5); // the memory has to grow
  return {
    crossing: { pairs: [...crossing.pairs], stats: crossing.stats },
    any: collide(a, b, { pose: turned, mode: 'any' }).colliding,
    apart: { distance: apart.distance, points: [apart.pointA, apart.pointB] },
    near: { pairs: [...near.pairs] },
    big: distance(a, big).distance,
    again: collide(a, b, { pose: turned }).count,
    read: readMeshes(new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0.1\nf 1 2 3\n')).map(
      ({ name, positions }) => [name, ...positions],
    ),
  };
}
