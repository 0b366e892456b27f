/**
 * The first contact of two moving elements: the fast certified test, and exact arithmetic where that leaves it open.
 *
 * Layout: 24 numbers, four points at T0, then the same at T1, moving linearly between: v f0 f1 f2, or a0 a1 b0 b1.
 * Errs: at distance 0 never: contact is reported if and only if the numbers given touch. At a greater distance
 * towards reporting: no contact is missed, and elements that stay a rounding error farther apart may be reported.
 */
import { ImpingeError } from '../../base/errors.js';
import { readKnown, readLength } from '../../base/options.js';
import { exactEdgeEdge } from './exact-edge-edge.js';
import { exactVertexFace } from './exact-vertex-face.js';
import { fastEdgeEdge, fastVertexFace } from './fast-contact.js';
import { DOUBT, MISS, type Verdict } from './verdict.js';

export interface ElementImpactOptions {
  /** The distance from which elements count as touching; 0, or greater, in the unit of the coordinates. */
  distance?: number;
}

export interface ElementImpact {
  /** When they first come as close as the distance: a part of the step, 0 … 1, never later than the true time. */
  time: number;
  /** Vertex and face: the weight of f1. Edges: the parameter along a. */
  u: number;
  /** Vertex and face: the weight of f2. Edges: the parameter along b. */
  v: number;
  /** The unit normal from the second element to the first, on the side from which the first comes. */
  normal: [x: number, y: number, z: number];
  /** Whether rounding left the decision open, and exact arithmetic took it. */
  exact: boolean;
}

/** When the vertex v first touches the closed face f0 f1 f2, or comes as close as `distance`. */
export function timeOfImpactVertexFace(
  points: Float64Array,
  options: ElementImpactOptions = {},
): ElementImpact | undefined {
  return timeOfImpact(points, options, fastVertexFace, exactVertexFace);
}

/** When the closed edges a0 a1 and b0 b1 first touch, or come as close as `distance`. */
export function timeOfImpactEdgeEdge(
  points: Float64Array,
  options: ElementImpactOptions = {},
): ElementImpact | undefined {
  return timeOfImpact(points, options, fastEdgeEdge, exactEdgeEdge);
}

function timeOfImpact(
  points: Float64Array,
  options: ElementImpactOptions,
  fast: (p: Float64Array, distance: number, out: Float64Array) => Verdict,
  exact: (p: Float64Array, out: Float64Array) => boolean,
): ElementImpact | undefined {
  const { distance = 0 } = readKnown('time of impact', options, { distance: true });
  validate(points, distance);
  const out = new Float64Array(6);
  const verdict = fast(points, distance, out);
  if (verdict === MISS || (verdict === DOUBT && !exact(points, out))) return undefined;
  return {
    time: out[0],
    u: out[1],
    v: out[2],
    normal: [out[3], out[4], out[5]],
    exact: verdict === DOUBT,
  };
}

function validate(points: Float64Array, distance: number): void {
  if (!(points instanceof Float64Array) || points.length !== 24) {
    const message = 'the elements need a Float64Array of 24 numbers, 4 points at either end of the step';
    throw new ImpingeError('bad-input', message, { length: (points as Float64Array | undefined)?.length });
  }
  const at = points.findIndex((x) => !Number.isFinite(x));
  if (at >= 0) {
    const vertex = Math.trunc((at % 12) / 3);
    const end = at < 12 ? 'T0' : 'T1';
    const message = `vertex ${vertex} of the elements has a coordinate ${points[at]} at ${end}`;
    throw new ImpingeError('non-finite', message, { vertex, end });
  }
  readLength('distance', distance);
}
