/** A spoon: loops across its length, each a crescent about a hollow middle line. */
import type { SceneMesh } from '../deform/scene-mesh.js';
import { circlePoint } from '../deform/turning.js';
import { CellSurface } from './cells.js';

const AROUND = 128;
const LOOPS = 336;
/** Metres. */
const LENGTH = 0.16;
const BOWL_LENGTH = 0.05;
const BOWL_WIDTH = 0.016;
const BOWL_DEPTH = 0.009;
const HANDLE_WIDTH = 0.0045;
const HALF_THICKNESS = 0.0016;

/**
 * 86 016 triangles, or with a coarseness c that many over c²; 160 mm long along x, its bowl at the near end hollow
 * towards +y, 32 mm wide along z.
 */
export function spoon(coarseness = 1): SceneMesh {
  const around = Math.round(AROUND / coarseness);
  const count = Math.round(LOOPS / coarseness);
  const surface = new CellSurface();
  const loops = Array.from({ length: count }, (_, k) => {
    // closer together at the ends, where the loops shrink
    const x = (LENGTH * (1 - circlePoint((k + 1) / (count + 1) / 2)[0])) / 2;
    return Array.from({ length: around }, (_, i) => {
      const [across, up] = circlePoint(i / around);
      const [y, z] = point(x, across, up);
      return surface.vertex(x, y, z);
    });
  });
  surface.fan(surface.vertex(0, spine(0), 0), loops[0], true);
  for (let k = 0; k + 1 < count; k++) surface.belt(loops[k], loops[k + 1]);
  surface.fan(surface.vertex(LENGTH, spine(LENGTH), 0), loops[count - 1], false);
  return surface.mesh('spoon');
}

/** Height and width of a point of the loop at x: `across` from side to side, `up` from below to above. */
function point(x: number, across: number, up: number): [y: number, z: number] {
  const end = Math.sqrt(Math.max(0, 1 - square(Math.max(0, (x - LENGTH + 0.006) / 0.006))));
  const tip = Math.sqrt(Math.max(0, 1 - square(Math.max(0, 1 - x / 0.006))));
  const inBowl = (2 * x) / BOWL_LENGTH - 1;
  const bowl = Math.max(0, 1 - square(inBowl));
  const neck = smooth((x - 0.6 * BOWL_LENGTH) / (0.55 * BOWL_LENGTH));
  const round = x < BOWL_LENGTH ? Math.sqrt(bowl) * BOWL_WIDTH : 0;
  const width = Math.max(round * (1 - neck) + (HANDLE_WIDTH + 0.02 * (x - BOWL_LENGTH)) * neck, 0) * end;
  const depth = BOWL_DEPTH * bowl * bowl * (1 - neck);
  const thick = HALF_THICKNESS * tip * end;
  return [spine(x) - depth * (1 - across * across) + thick * up, width * across];
}

/** The height of the middle line: the handle rises in a slight curve behind the bowl. */
function spine(x: number): number {
  const t = x / LENGTH;
  return 0.03 * t * t;
}

function smooth(t: number): number {
  const s = Math.max(0, Math.min(1, t));
  return s * s * (3 - 2 * s);
}

function square(value: number): number {
  return value * value;
}
