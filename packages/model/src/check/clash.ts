/** The findings of a check. */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { ObjectInfo } from '../store/source.js';
import type { ClashKind } from './clash-kinds.js';

/** `protruding`: one reaches into the other. `piercing`: it comes out again. */
export type ClashForm = 'protruding' | 'piercing';

/** The measures of a clash between two objects, in the unit and the frame of the model. */
export interface ClashMeasure {
  readonly kind: ClashKind;
  /** The form of a hard clash. */
  readonly form: ClashForm | undefined;
  /** The distance of the surfaces; 0 where they meet. Of a touch, no more than rounding. */
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

export interface Clash extends ClashMeasure {
  /** The same in every run: made of the objects' ids and the rule's name. */
  readonly id: string;
  readonly a: ObjectInfo;
  readonly b: ObjectInfo;
  /** The name of the rule that applies. */
  readonly rule: string;
}
