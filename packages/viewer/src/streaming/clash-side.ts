/** Reads the surroundings of a clash, and finds the best side to look from. */
import type { StoredModel } from '@impinge/model';
import { type ClashSide, clashSide } from '../picture/clash-frame.js';
import { nearTriangles } from './near-triangles.js';
import type { ClashQuestion } from './protocol.js';

/** Maximum number of other objects considered. */
const MOST_OTHERS = 200;

export async function sideOfClash(
  model: StoredModel,
  { objects, contact, others, sections, from, away }: ClashQuestion,
): Promise<ClashSide> {
  const middle = contact.min.map((x, k) => (x + contact.max[k]) / 2);
  const half = contact.max.map((x, k) => x - middle[k]);
  // includes everything between the eye and the contact
  const radius = Math.hypot(...half) + away;
  const all = others === 'all' ? Array.from({ length: model.objectCount }, (_, i) => i) : others;
  const near = all
    .filter((other) => !objects.includes(other) && isNear(model.box(other), middle, radius))
    .slice(0, MOST_OTHERS);
  const solids = await Promise.all(
    [...objects, ...near].map((object) => nearTriangles(model, object, middle, radius)),
  );
  return clashSide({
    contact: [...half.map((x) => -x), ...half],
    solids,
    from,
    away,
    sections: sections.map(({ normal, offset }) => ({
      normal,
      offset: offset - normal.reduce((sum, n, k) => sum + n * middle[k], 0),
    })),
  });
}

function isNear(box: Float64Array, middle: readonly number[], radius: number): boolean {
  const away = middle.map((x, k) => Math.max(0, box[k] - x, x - box[k + 3]));
  return Math.hypot(...away) <= radius;
}
