/** Walking with collisions: exact queries limit each step. */
import type { Picture } from '../picture/picture.js';
import type { Point } from '../picture/types.js';
import type { Viewer } from './viewer.js';

/** In metres: a person, and the steps they can climb. */
const EYE = 1.65;
const BODY = { radius: 0.25, height: 1.75, ledge: 0.3 };
/** Fall per step without a floor, in metres. */
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
