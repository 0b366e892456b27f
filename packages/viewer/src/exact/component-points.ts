/** A point of every connected part of a mesh: what is needed to ask whether one lies inside something. */
import type { Mesh, Vec3 } from 'impinge';

const known = new WeakMap<Mesh, readonly Vec3[]>();

/** In the mesh's frame. Corners at equal positions are one. */
export function componentPoints(mesh: Mesh): readonly Vec3[] {
  let points = known.get(mesh);
  if (!points) known.set(mesh, (points = findComponents(mesh)));
  return points;
}

function findComponents({ positions, indices, origin }: Mesh): Vec3[] {
  const parent = new Uint32Array(positions.length / 3).map((_, i) => i);
  const rootOf = (vertex: number): number => {
    let v = vertex;
    while (parent[v] !== v) v = parent[v] = parent[parent[v]];
    return v;
  };
  const join = (a: number, b: number) => {
    const [p, q] = [rootOf(a), rootOf(b)];
    parent[Math.max(p, q)] = Math.min(p, q);
  };
  const first = new Map<string, number>();
  for (let v = 0; v < parent.length; v++) {
    const key = `${positions[3 * v]},${positions[3 * v + 1]},${positions[3 * v + 2]}`;
    const same = first.get(key);
    if (same === undefined) first.set(key, v);
    else join(v, same);
  }
  for (let i = 0; i < indices.length; i += 3) {
    join(indices[i], indices[i + 1]);
    join(indices[i], indices[i + 2]);
  }
  const roots = new Set<number>();
  for (let i = 0; i < indices.length; i += 3) roots.add(rootOf(indices[i]));
  return [...roots].map((v) => {
    const at = (k: number) => positions[3 * v + k] + origin[k];
    return [at(0), at(1), at(2)];
  });
}
