/** Walking with a body that cannot pass through things: exact answers say how far it gets. */
import type { Picture } from '../picture/picture.js';
import type { Point } from '../picture/types.js';
import type { Viewer } from './viewer.js';

/** Metres: of a person, and of what they step over. */
const EYE = 1.65;
const BODY = { radius: 0.25, height: 1.75, ledge: 0.3 };
/** In a step of the walk, where there is no floor. */
const FALL = 0.25;

export function letWalk(viewer: Viewer, picture: Picture): void {
  picture.walkLimit = async (from, towards) => {
    const unit = viewer.metresPerUnit.peek();
    const feet = ([x, y, z]: Point): Point => [x, y, z - EYE / unit];
    const { at } = await viewer.exact.walk(feet(from), feet(towards), {
      radius: BODY.radius / unit,
      height: BODY.height / unit,
      ledge: BODY.ledge / unit,
      fall: FALL / unit,
    });
    return [at[0], at[1], at[2] + EYE / unit];
  };
}
