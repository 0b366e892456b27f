/** A peg that winds upwards like a corkscrew, on a round foot. */
import type { SceneMesh } from '../deform/scene-mesh.js';
import { circlePoint } from '../deform/turning.js';
import { CellSurface } from './cells.js';

const AROUND = 60;
const RINGS = 268;
/** Metres. */
const FOOT_RADIUS = 0.07;
const FOOT_HEIGHT = 0.012;
const HEIGHT = 0.3;
const PEG_RADIUS = 0.019;
const OFFSET = 0.011;
const TURNS = 3;
/** Rings of the foot: its underside, its border, its upper side with the rounding into the peg. */
const FOOT_RINGS = 38;

/**
 * 32 160 triangles, or with a coarseness c that many over c²; stands on y = 0, 300 mm high, and stays within 31 mm of
 * the y axis above its foot.
 */
export function spiralPeg(coarseness = 1): SceneMesh {
  const around = Math.round(AROUND / coarseness);
  const count = Math.floor(RINGS / coarseness);
  const surface = new CellSurface();
  const rings = Array.from({ length: count }, (_, k) => {
    const [radius, y, winding] = ringAt(coarseness * k);
    const [ox, oz] = circlePoint((TURNS * (y - FOOT_HEIGHT)) / (HEIGHT - FOOT_HEIGHT));
    return Array.from({ length: around }, (_, i) => {
      const [x, z] = circlePoint(i / around);
      return surface.vertex(radius * x + winding * ox, y, radius * z + winding * oz);
    });
  });
  surface.fan(surface.vertex(0, 0, 0), rings[0], true);
  for (let k = 0; k + 1 < count; k++) surface.belt(rings[k], rings[k + 1]);
  surface.fan(surface.vertex(OFFSET, HEIGHT, 0), rings[count - 1], false);
  return surface.mesh('spiral peg');
}

/** Radius, height and distance from the axis of a ring. */
function ringAt(r: number): [radius: number, y: number, winding: number] {
  if (r < 12) return [(FOOT_RADIUS * (r + 1)) / 12.5, 0, 0];
  if (r < 20) {
    const [out, up] = circlePoint((r - 11.5) / 16 - 0.25);
    return [FOOT_RADIUS - 0.003 + 0.006 * 0.5 * out, (FOOT_HEIGHT * (1 + up)) / 2, 0];
  }
  if (r < FOOT_RINGS) {
    const t = (r - 19) / (FOOT_RINGS - 19);
    const rise = t * t * t;
    return [
      FOOT_RADIUS - 0.003 - (FOOT_RADIUS - 0.003 - PEG_RADIUS - 0.004) * t,
      FOOT_HEIGHT + 0.004 * rise,
      0.0005 * rise,
    ];
  }
  const t = (r - FOOT_RINGS) / (RINGS - FOOT_RINGS);
  const y = FOOT_HEIGHT + 0.005 + (HEIGHT - 0.0005 - FOOT_HEIGHT - 0.005) * t;
  const start = Math.min(1, t / 0.1);
  const root = 0.0035 * (1 - start) * (1 - start);
  const cap = Math.max(0, (y - HEIGHT + PEG_RADIUS) / PEG_RADIUS);
  return [(PEG_RADIUS + root) * Math.sqrt(1 - cap * cap), y, OFFSET * start * start * (3 - 2 * start)];
}
