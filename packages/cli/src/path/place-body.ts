/** Puts a body at the nearest free place of a stored model; what is found is looked at again as it is written down. */
import { motionFree, type PlaceOptions, type PlaceResult, place } from '@impinge/motion';
import { ImpingeError } from 'impinge';
import { CommandError } from '../command-error.js';
import { aroundPoints, grown, type Region, scaled } from '../wire/path-region.js';
import { bodyMiddle, bodyRadius, type PathBody } from './path-body.js';
import { bodyPose, meshPose, type PlacedPose, placedPose, transformed } from './path-poses.js';
import { regionTooLarge, type StandingModel } from './standing-model.js';

export interface PlaceQuestion extends Pick<PlaceOptions, 'turn' | 'rest' | 'signal' | 'onProgress'> {
  /** A rigid matrix of the body's own point, in metres. */
  readonly near: Float64Array;
  /** Metres. */
  readonly clearance: number;
  /** Where the middle of the body may be, in metres (default: four times the body's radius around the wish). */
  readonly region?: Region;
  /** Metres. */
  readonly accuracy?: number;
}

/** Lengths in metres, angles in radians. */
export type PlaceAnswer =
  | {
      readonly found: true;
      readonly pose: PlacedPose;
      readonly moved: number;
      readonly turned: number;
      readonly atLeast: number;
      /** Infinity: nothing is near. */
      readonly clearance: number;
      /** The object it stands on. */
      readonly floor: number | undefined;
      readonly region: Region;
    }
  | (Omit<Extract<PlaceResult, { found: false }>, 'stats'> & { readonly region: Region });

/** As of `place`. */
const AROUND = 4;
/** Boxes of places that are looked at. */
export const MOST_CELLS = 20_000;

export async function placeBody(
  standing: StandingModel,
  body: PathBody,
  { near, clearance: asked, region: given, accuracy, ...options }: PlaceQuestion,
): Promise<PlaceAnswer> {
  const { model } = standing;
  const unit = model.meta.metresPerUnit;
  const wish = meshPose(placedPose(near), body.frame, unit);
  const radius = bodyRadius(body);
  const clearance = asked / unit;
  const around = aroundPoints([transformed(wish, bodyMiddle(body))]);
  const inUnits = given ? scaled(given, 1 / unit) : grown(around, AROUND * radius);
  const surroundings = await standing.near(grown(inUnits, radius + clearance));
  if (!surroundings) throw regionTooLarge(standing, given ? '--region' : '--near', '--region');
  try {
    const found = await place(body.mesh, surroundings.obstacles, {
      ...{ ...options, near: wish, clearance, region: inUnits },
      limits: { cells: MOST_CELLS },
      ...(accuracy !== undefined && { accuracy: accuracy / unit }),
    });
    const region = scaled(inUnits, unit);
    if (!found.found) return { found: false, reason: found.reason, region };
    const pose = bodyPose(found.pose, body.frame, unit);
    const written = meshPose(pose, body.frame, unit);
    const { verdict } = motionFree(body.mesh, surroundings.obstacles, {
      from: written,
      to: written,
      clearance,
    });
    if (verdict !== 'free')
      throw new ImpingeError('unsupported', 'a place was found that rounding its pose makes touch');
    const inside = await standing.enclosing(body.mesh, written);
    if (inside !== undefined)
      throw new CommandError(
        `the place that is free of surfaces is inside of ${model.text(inside, 'path')}: give another --near or --region`,
      );
    const { floor } = found;
    return {
      ...{ found: true, pose, region, turned: found.turned },
      ...{ moved: found.moved * unit, atLeast: found.atLeast * unit, clearance: found.clearance * unit },
      floor: floor && 'id' in floor.obstacle ? surroundings.objectOf(floor.obstacle) : undefined,
    };
  } finally {
    surroundings.dispose();
  }
}
