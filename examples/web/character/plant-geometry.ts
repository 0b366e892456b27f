/** All objects of a plant, and the ground, as one geometry, each discipline in a colour of its own. */
import type { Plant } from '@impinge/scenes/plant';
import { BufferAttribute, BufferGeometry, Color } from 'three';

const COLORS: Readonly<Record<string, number>> = {
  piping: 0x4c8bf5,
  structure: 0x9aa5b1,
  mechanical: 0x2f9e77,
  electrical: 0xf2b705,
  hvac: 0x9775fa,
  boiler: 0xb5654a,
  civil: 0xd8dde3,
};

export function geometryOf(plant: Plant): BufferGeometry {
  const positions: number[] = [];
  const colors: number[] = [];
  const indices: number[] = [];
  for (const { geometry, objects } of plant.shapes()) {
    for (const { pose = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], discipline } of objects) {
      const first = positions.length / 3;
      const color = new Color(COLORS[discipline] ?? 0x888888).toArray();
      for (let i = 0; i < geometry.positions.length; i += 3) {
        const [x, y, z] = geometry.positions.subarray(i, i + 3);
        for (let k = 0; k < 3; k++) {
          positions.push(pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k]);
        }
        colors.push(...color);
      }
      for (const index of geometry.indices) indices.push(first + index);
    }
  }
  // the ground that it stands on
  const first = positions.length / 3;
  positions.push(-20, -20, 0, 60, -20, 0, 60, 60, 0, -20, 60, 0);
  for (let i = 0; i < 4; i++) colors.push(...new Color(0xc3cad2).toArray());
  indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  const merged = new BufferGeometry();
  merged.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  merged.setAttribute('color', new BufferAttribute(Float32Array.from(colors), 3));
  merged.setIndex(new BufferAttribute(Uint32Array.from(indices), 1));
  return merged;
}
