/** The ten digits as solids. */
import { extrudedOutline } from '../deform/extruded-outline.js';
import type { SceneMesh } from '../deform/scene-mesh.js';

/** As the outlines of letters: hundredths of the height, `h` and `v` for quarters of ellipses. */
const DIGITS: readonly string[] = [
  'M74 50 v37 100 h0 50 v37 0 h74 50 M53 50 v37 20 h21 50 v37 80 h53 50',
  'M20 0 L42 0 L42 100 L24 100 L0 78 L0 58 L20 74',
  'M0 0 L72 0 L72 20 L30 20 L58 46 h72 71 v36 100 h0 70 L21 70 v36 81 h50 70 L46 61 L0 18',
  'M0 30 v36 0 h72 28 v58 51 h70 73 v35 100 h2 74 L23 74 v35 81 h49 72 v36 61 L26 61 L26 42 L37 42 h51 30 v36 19 h21 30',
  'M46 0 L67 0 L67 22 L80 22 L80 41 L67 41 L67 100 L44 100 L0 40 L0 22 L46 22 M22 41 L46 74 L46 41',
  'M0 30 v35 0 h72 32 v36 65 L24 64 L26 80 L66 80 L66 100 L8 100 L3 46 L22 46 L34 47 h51 32 v35 19 h21 30',
  'M72 73 v38 100 h0 48 L0 36 v37 0 h73 33 v38 65 h20 56 L20 60 v38 81 h51 73 M52 33 v37 19 h21 33 v37 47 h52 33',
  'M14 0 L38 0 L70 82 L70 100 L0 100 L0 80 L46 80',
  'M36 0 h74 28 v60 52 h70 73 v36 100 h2 73 v12 52 h0 28 v36 0 M36 19 h21 30 v36 43 h53 30 v36 19 M36 61 h22 72 v36 82 h51 72 v36 61',
  'M1 27 v35 0 h73 52 L73 64 v36 100 h0 67 v35 35 h53 44 L53 40 v35 19 h22 27 M21 67 v36 81 h52 67 v36 53 h21 67',
];

/** 0 to 9, about 1 080 triangles each, 80 mm high, centred on the origin with z out of their fronts. */
export function numbers(): SceneMesh[] {
  return DIGITS.map((path, digit) =>
    extrudedOutline(String(digit), path, { scale: 0.0008, depth: 22, rows: 3, triangles: 1100 }),
  );
}
