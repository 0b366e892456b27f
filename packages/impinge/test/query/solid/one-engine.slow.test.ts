/** Every pair of closed objects of two buildings: `contains` and `contacts` agree with a check. */
import { expect, test } from 'vitest';
import { isClosed } from '../../../src/mesh/closed.js';
import { sharedData } from '../../shared-data.js';
import { worldObjects } from '../../world-objects.js';
import { verdictsOn } from './agreement.js';

const BUILDINGS: readonly [path: string, least: number][] = [
  ['plants/duplex.glb', 1500],
  ['plants/schependomlaan.glb', 10_000],
];

for (const [path, least] of BUILDINGS) {
  const file = sharedData(path);
  test.skipIf(!file)(
    path,
    async () => {
      const objects = (await worldObjects(file!)).filter(({ mesh }) => isClosed(mesh));
      const quarrels: string[] = [];
      let pairs = 0;
      for (let i = 0; i < objects.length; i++) {
        const { min, max } = objects[i].mesh.box;
        for (let j = i + 1; j < objects.length; j++) {
          const other = objects[j].mesh.box;
          if (![0, 1, 2].every((k) => min[k] <= other.max[k] && other.min[k] <= max[k])) continue;
          pairs++;
          for (const quarrel of verdictsOn(objects[i].mesh, objects[j].mesh).quarrels) {
            quarrels.push(`${objects[i].name} and ${objects[j].name}: ${quarrel}`);
          }
        }
      }
      expect(quarrels).toEqual([]);
      expect(pairs).toBeGreaterThan(least);
    },
    900_000,
  );
}
