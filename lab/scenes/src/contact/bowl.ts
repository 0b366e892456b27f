/** A round bowl on a foot ring. */
import type { SceneMesh } from '../deform/scene-mesh.js';
import { circlePoint } from '../deform/turning.js';
import { CellSurface } from './cells.js';
import { arc, evenly, type ProfilePoint } from './profile.js';

const AROUND = 96;
const RINGS = 64;

/** Metres. */
const PROFILE: readonly ProfilePoint[] = [
  [0, 0],
  [0.06, 0],
  ...arc([0, 0.2], 0.2, -0.18, -0.03),
  ...arc([0.1902, 0.1639], 0.006, -0.03, 0.47),
  ...arc([0, 0.2], 0.188, -0.03, -0.25),
];

/** 12 288 triangles; stands on y = 0, 170 mm high, its opening 369 mm wide. */
export function bowl(): SceneMesh {
  const surface = new CellSurface();
  const rings = evenly(PROFILE, RINGS).map(([radius, height]) =>
    Array.from({ length: AROUND }, (_, i) => {
      const [x, z] = circlePoint(i / AROUND);
      return surface.vertex(radius * x, height, radius * z);
    }),
  );
  surface.fan(surface.vertex(0, 0, 0), rings[0], true);
  for (let r = 0; r + 1 < RINGS; r++) surface.belt(rings[r], rings[r + 1]);
  surface.fan(surface.vertex(0, 0.012, 0), rings[RINGS - 1], false);
  return surface.mesh('bowl');
}
