/**
 * Walking with collisions: each step is limited by levels within the size of a pixel at arm's length, which are drawn
 * around the person; by exact pieces where these leave it open, or where the model has no levels.
 */
import type { Picture } from '../picture/picture.js';
import type { Point } from '../picture/types.js';
import { add } from '../picture/vectors.js';
import type { Viewer } from './viewer.js';

/** In metres: a person, and the steps they can climb. */
const EYE = 1.65;
const BODY = { radius: 0.25, height: 1.75, ledge: 0.3 };
/** Fall per step without a floor, in metres. */
const FALL = 0.25;
/** What a step may meet, in metres around the eye. */
const REACH = 2;

export function letWalk(viewer: Viewer, picture: Picture): void {
  picture.walkLimit = async (from, towards) => {
    const unit = viewer.metresPerUnit.peek();
    const feet = ([x, y, z]: Point): Point => [x, y, z - EYE / unit];
    const hasLevels = viewer.manifest.peek().levels === 'ready';
    const beside = add(from, [1, 0, 0], BODY.radius / unit);
    const error = hasLevels ? picture.pixelAt({ min: beside, max: beside }) : 0;
    const reach = REACH / unit;
    if (hasLevels)
      picture.refine({ box: { min: add(from, [1, 1, 1], -reach), max: add(from, [1, 1, 1], reach) }, error });
    const { at } = await viewer.exact.walk(feet(from), feet(towards), {
      radius: BODY.radius / unit,
      height: BODY.height / unit,
      ledge: BODY.ledge / unit,
      fall: FALL / unit,
      error,
    });
    return [at[0], at[1], at[2] + EYE / unit];
  };
}
