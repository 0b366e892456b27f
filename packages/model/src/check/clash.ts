/** The findings of a check. */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { StoredModel } from '../store/model.js';
import type { ObjectInfo } from '../store/source.js';
import type { ClashKind } from './clash-kinds.js';

/** `protruding`: one reaches into the other. `piercing`: it comes out again. */
export type ClashForm = 'protruding' | 'piercing';

/** The measures of a clash between two objects, in the unit and the frame of the model. */
export interface ClashMeasure {
  readonly kind: ClashKind;
  /** The form of a hard clash. */
  readonly form: ClashForm | undefined;
  /** The distance of the surfaces; 0 where they meet. Of a touch, no more than rounding. Of an excess, how much. */
  readonly distance: number;
  /** The depth of the innermost part of one inside the other; 0 where they only touch. */
  readonly depth: number;
  /** Nothing lies deeper than this. */
  readonly depthBound: number;
  /** The innermost point; the middle between the closest points; a point of contact. */
  readonly point: Vec3;
  /** Around the contact: where the surfaces meet, or the inner object, or the closest points. */
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  /** Triangle pairs that meet. */
  readonly trianglePairs: number;
}

/** An object of a clash, and the box around it. */
export interface ClashObject extends ObjectInfo {
  readonly box: ClashMeasure['box'];
}

export function clashObject(model: StoredModel, object: number): ClashObject {
  const [x, y, z, farX, farY, farZ] = model.box(object);
  return { ...model.object(object), box: { min: [x, y, z], max: [farX, farY, farZ] } };
}

export interface Clash extends ClashMeasure {
  /** The same in every run: made of the objects' ids and the rule's name. */
  readonly id: string;
  readonly a: ClashObject;
  readonly b: ClashObject;
  /** The name of the rule that applies. */
  readonly rule: string;
}

/** A clash, with zeros for what is not said. */
export function clashOf(
  kind: ClashKind,
  {
    form,
    distance = 0,
    depth = 0,
    depthBound = 0,
    point,
    box,
    trianglePairs = 0,
  }: Partial<ClashMeasure> & Pick<ClashMeasure, 'point' | 'box'>,
): ClashMeasure {
  return { kind, form, distance, depth, depthBound, point, box, trianglePairs };
}

/** The space that two boxes share, of no extent along axes on which they are apart. */
export function commonBox(a: Float64Array, b: Float64Array): ClashMeasure['box'] {
  const low = (k: number) => Math.max(a[k], b[k]);
  const high = (k: number) => Math.max(low(k), Math.min(a[3 + k], b[3 + k]));
  return { min: [low(0), low(1), low(2)], max: [high(0), high(1), high(2)] };
}
