/** Pairs of closed objects of two buildings: `contains` and `contacts` agree with a check. */
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { bruteForce } from 'impinge/internal/volumes/broad-phase.js';
import { expect, test } from 'vitest';
import { LONG, turn } from '../../../../test/budget.js';
import { sharedData } from '../../../../test/shared-data.js';
import { worldObjects } from '../../../../test/world-objects.js';
import { verdictsOn } from './agreement.js';

/** Some pairs from all over will do, as storeys repeat; --mode long takes all. */
const BUILDINGS: readonly [path: string, stride: number, least: number][] = [
  ['plants/duplex.glb', LONG ? 1 : 3, LONG ? 1500 : 500],
  ['plants/schependomlaan.glb', LONG ? 1 : 10, LONG ? 10_000 : 1500],
];

for (const [path, stride, least] of turn(BUILDINGS)) {
  const file = sharedData(path);
  test.skipIf(!file)(
    path,
    async () => {
      const objects = (await worldObjects(file!)).filter(({ mesh }) => isClosed(mesh));
      const boxes = Float64Array.from(objects.flatMap(({ mesh: { box } }) => [...box.min, ...box.max]));
      const near = bruteForce.pairs(boxes, 0);
      const quarrels: string[] = [];
      let pairs = 0;
      for (let p = 0; p < near.length; p += 2 * stride) {
        const [a, b] = [objects[near[p]], objects[near[p + 1]]];
        pairs++;
        for (const quarrel of verdictsOn(a.mesh, b.mesh).quarrels) {
          quarrels.push(`${a.name} and ${b.name}: ${quarrel}`);
        }
      }
      expect(quarrels).toEqual([]);
      expect(pairs).toBeGreaterThan(least);
    },
    900_000,
  );
}
