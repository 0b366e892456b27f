/** What a check finds. */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { ObjectInfo } from '../store/source.js';
import type { ClashKind } from './clash-kinds.js';

/** `protruding`: one reaches into the other. `piercing`: it comes out again. */
export type ClashForm = 'protruding' | 'piercing';

/** What is measured at a pair of objects, in the unit and the frame of the model. */
export interface ClashMeasure {
  readonly kind: ClashKind;
  /** Of hard clashes. */
  readonly form: ClashForm | undefined;
  /** How far apart the surfaces are; 0 where they meet. Of a touch, no more than rounding. */
  readonly distance: number;
  /** How far the innermost part of one lies inside the other; 0 where they only touch. */
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
  /** The name of the rule that asked. */
  readonly rule: string;
}
