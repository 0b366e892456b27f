/**
 * Finds the best side to look at a clash from.
 *
 * All solid objects are drawn, small and orthographic, from a few directions, and the pixels are counted in which
 * surfaces within the contact are in front. A side that shows both objects is better than one that shows only one: the
 * contact is where they meet.
 */
import { axesOf } from './camera-state.js';
import type { Box, Point, SectionPlane } from './types.js';
import { dot } from './vectors.js';

/** Triangles of an object, nine numbers each, in model coordinates relative to a point near the contact. */
export type Triangles = Float64Array;

export interface ClashScene {
  /** Minimum and maximum of the contact, relative to the same point. */
  readonly contact: readonly number[];
  /** The two clashing objects, then all others that may hide them. */
  readonly solids: readonly Triangles[];
  readonly sections?: readonly SectionPlane[];
  /** The current direction; among equally good sides, a near one is preferred. */
  readonly from?: Point;
  /** Distance of the eye from the contact: objects behind the eye hide nothing. */
  readonly away?: number;
}

export interface ClashSide {
  /** Towards the contact. */
  readonly direction: Point;
  /** Shares of the contact's pixels that show the first and the second object. */
  readonly seen: readonly [number, number];
}

/** Width and height of the small pictures, in pixels. */
const SIZE = 40;
/** Size of a picture relative to the contact. */
const WINDOW = 1.3;
const YAWS = 8;
const PITCHES = [-0.4, -0.9, 0.25];
/** Additional weight of pixels that show both objects. */
const BOTH = 6;
/** Bonus of a usual pitch and of a near direction. */
const USUAL = 0.03;
const NEAR = 0.02;

/** The side that shows most of the contact. */
export function clashSide(scene: ClashScene): ClashSide {
  let best: (ClashSide & { readonly worth: number }) | undefined;
  for (const direction of candidates()) {
    const seen = seenFrom(scene, direction);
    const [a, b] = seen;
    const turn = scene.from ? dot(scene.from, direction) : 0;
    const usual = Math.abs(direction[2] + Math.sin(0.4)) < 0.1 ? USUAL : 0;
    const worth = a + b + BOTH * Math.min(a, b) + usual + NEAR * turn;
    if (!best || worth > best.worth) best = { direction, seen, worth };
  }
  return { direction: best!.direction, seen: best!.seen };
}

function candidates(): Point[] {
  const directions: Point[] = [];
  for (const pitch of PITCHES) {
    for (let i = 0; i < YAWS; i++) {
      directions.push(axesOf({ yaw: (2 * Math.PI * (i + 0.5)) / YAWS, pitch }).forward);
    }
  }
  return directions;
}

/** The shares of pixels within the contact that show the first and the second object. */
function seenFrom(
  { contact, solids, sections = [], away = Infinity }: ClashScene,
  direction: Point,
): [number, number] {
  const yaw = Math.atan2(direction[1], direction[0]);
  const { right, up, forward } = axesOf({ yaw, pitch: Math.asin(direction[2]) });
  const middle = [0, 1, 2].map((k) => (contact[k] + contact[k + 3]) / 2);
  const half = [0, 1, 2].map((k) => (contact[k + 3] - contact[k]) / 2);
  const reach = Math.hypot(...half) || 1e-6;
  const scale = SIZE / (2 * WINDOW * reach);
  const depth = new Float64Array(SIZE * SIZE).fill(Infinity);
  const shown = new Uint8Array(SIZE * SIZE);
  const point = new Float64Array(3);
  /** Whether a pixel's point, relative to the centre, is not cut away. */
  const isShown = (column: number, row: number, deep: number): boolean => {
    const u = (column + 0.5 - SIZE / 2) / scale;
    const v = (row + 0.5 - SIZE / 2) / scale;
    for (let k = 0; k < 3; k++) point[k] = u * right[k] + v * up[k] + deep * forward[k];
    for (const { normal: n, offset } of sections) {
      const along =
        n[0] * (middle[0] + point[0]) + n[1] * (middle[1] + point[1]) + n[2] * (middle[2] + point[2]);
      if (along > offset) return false;
    }
    return true;
  };
  const isInContact = () => {
    for (let k = 0; k < 3; k++) if (Math.abs(point[k]) > half[k] + 0.02 * reach) return false;
    return true;
  };
  const corner = new Float64Array(9);
  solids.forEach((triangles, solid) => {
    const id = solid < 2 ? solid + 1 : 3;
    for (let t = 0; t < triangles.length; t += 9) {
      for (let k = 0; k < 9; k += 3) {
        const x = triangles[t + k] - middle[0];
        const y = triangles[t + k + 1] - middle[1];
        const z = triangles[t + k + 2] - middle[2];
        corner[k] = (right[0] * x + right[1] * y + right[2] * z) * scale + SIZE / 2;
        corner[k + 1] = (up[0] * x + up[1] * y + up[2] * z) * scale + SIZE / 2;
        corner[k + 2] = forward[0] * x + forward[1] * y + forward[2] * z;
      }
      const [ax, ay, ad, bx, by, bd, cx, cy, cd] = corner;
      const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
      if (area === 0) continue;
      const left = Math.max(0, Math.floor(Math.min(ax, bx, cx)));
      const end = Math.min(SIZE - 1, Math.ceil(Math.max(ax, bx, cx)));
      const low = Math.max(0, Math.floor(Math.min(ay, by, cy)));
      const high = Math.min(SIZE - 1, Math.ceil(Math.max(ay, by, cy)));
      for (let row = low; row <= high; row++) {
        for (let column = left; column <= end; column++) {
          const [x, y] = [column + 0.5, row + 0.5];
          const b = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area;
          const c = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area;
          if (b < 0 || c < 0 || b + c > 1) continue;
          const at = row * SIZE + column;
          const deep = ad + b * (bd - ad) + c * (cd - ad);
          if (deep >= depth[at] || deep < -away || !isShown(column, row, deep)) continue;
          depth[at] = deep;
          shown[at] = isInContact() ? id : 3;
        }
      }
    }
  });
  let [first, second] = [0, 0];
  for (const id of shown) {
    if (id === 1) first++;
    if (id === 2) second++;
  }
  return [first / shown.length, second / shown.length];
}

/** Enlarges a contact to a visible size: a point has no pixels. */
export function visibly({ min, max }: Box, shown: Box): Box {
  const room = 0.04 * Math.hypot(...shown.max.map((x, k) => x - shown.min[k]));
  return { min: min.map((x) => x - room), max: max.map((x) => x + room) } as unknown as Box;
}
