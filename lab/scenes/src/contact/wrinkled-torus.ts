/** A torus with wrinkles that run around its tube and fade and merge towards one side. */
import type { SceneMesh } from '../deform/scene-mesh.js';
import { circlePoint, wave } from '../deform/turning.js';
import { CellSurface } from './cells.js';

const AROUND = 200;
const ACROSS = 80;
/** Metres. */
const RING_RADIUS = 0.058;
const TUBE_RADIUS = 0.017;
const WRINKLE = 0.0016;
const WRINKLES = 14;

/**
 * 32 000 triangles, or with a coarseness c that many over c², about the y axis; its hole leaves 39 mm on every side of
 * the axis.
 */
export function wrinkledTorus(coarseness = 1): SceneMesh {
  const around = Math.round(AROUND / coarseness);
  const across = Math.round(ACROSS / coarseness);
  const surface = new CellSurface();
  const rings = Array.from({ length: around }, (_, i) => {
    const [ringX, ringZ] = circlePoint(i / around);
    return Array.from({ length: across }, (_, j) => {
      const [out, up] = circlePoint(j / across);
      const tube = TUBE_RADIUS + WRINKLE * wrinkle(i / around, j / across);
      const reach = RING_RADIUS + tube * out;
      return surface.vertex(reach * ringX, tube * up, reach * ringZ);
    });
  });
  for (let i = 0; i < around; i++) surface.belt(rings[(i + 1) % around], rings[i]);
  return surface.mesh('wrinkled torus');
}

function wrinkle(around: number, across: number): number {
  const depth = 0.55 + 0.45 * wave(around + 0.25);
  return depth * wave(WRINKLES * around + 0.15 * wave(across) + 0.4 * wave(around));
}
