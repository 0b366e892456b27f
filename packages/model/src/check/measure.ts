/**
 * The clash of two meshes, as `check` reports it for two objects with these meshes and poses, with the same defaults.
 * Poses, boxes and bounds on rounding are those that a store would hold.
 *
 * Errs: as `measurePair`. A store holds triangles in the order of its trees; with these meshes and trees the answer is
 * that of the check bit for bit. In another order kind, form and counts are the same, and depths lie within the same
 * bounds; of several places equally near or deep, another one may be found.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { type OptionNames, readKnown } from 'impinge/internal/base/options.js';
import { IDENTITY, type Pose, type RigidPose } from 'impinge/internal/math/pose.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { assertMesh, type Mesh } from 'impinge/internal/mesh/mesh.js';
import { FARTHEST, reachOf } from 'impinge/internal/mesh/reach.js';
import { assertOnePlacement, POSE_NAMES, type PoseOptions } from 'impinge/internal/query/pair/context.js';
import { requireKernel } from 'impinge/internal/query/solid/depth.js';
import type { PlacedParts } from 'impinge/internal/query/solid/placed-pair.js';
import { writePlacedBox } from '../store/placed-box.js';
import { keptPose } from '../store/placed-objects.js';
import { objectRounding } from '../store/rounding.js';
import { CHECK_DEFAULTS, type CheckOptions } from './check.js';
import type { ClashMeasure } from './clash.js';
import { measurePair } from './measure-pair.js';
import { askOfAll } from './rules/rule-table.js';

export interface MeasureOptions
  extends PoseOptions,
    Pick<CheckOptions, 'clearance' | 'tolerance' | 'kinds'> {}

const NAMES: OptionNames<MeasureOptions> = { ...POSE_NAMES, clearance: true, tolerance: true, kinds: true };

/**
 * The kind of clash of two meshes, their depth of overlap or distance, and its place; undefined where they have none of
 * the requested kinds. Swapping a and b together with their poses changes nothing. Points and boxes are in the world
 * (in a's frame when only `pose` is given). Poses must be rigid.
 */
export function measure(a: Mesh, b: Mesh, options: MeasureOptions = {}): ClashMeasure | undefined {
  assertMesh(a);
  assertMesh(b);
  const { pose, poseA, poseB = pose, ...asked } = readKnown('measure', options, NAMES);
  assertOnePlacement(options);
  const { clearance, tolerance, kinds } = CHECK_DEFAULTS;
  const ask = askOfAll({
    clearance: asked.clearance ?? clearance,
    tolerance: asked.tolerance ?? tolerance,
    kinds: asked.kinds ?? kinds,
  });
  requireKernel('measure');
  return measurePair(placed(a, poseA), placed(b, poseB), ask);
}

/** A mesh as a store of it has it: one object that is one piece. */
function placed(mesh: Mesh, given: Pose | undefined): PlacedParts {
  const own = Float64Array.of(...mesh.box.min, ...mesh.box.max);
  const kept = given === undefined ? undefined : keptPose(given);
  if (!(reachOf(own, kept) < FARTHEST))
    throw new ImpingeError(
      'bad-pose',
      `mesh "${mesh.name}" reaches farther than ${FARTHEST.toExponential()} from zero`,
    );
  const box = new Float64Array(6);
  writePlacedBox(mesh, kept, box, 0);
  return {
    parts: { meshes: [mesh], closed: isClosed(mesh) },
    pose: kept ?? (IDENTITY as RigidPose),
    box,
    triangleCount: mesh.triangleCount,
    rounding: objectRounding({}, { box: own, isExact: true }, mesh.origin, { pose: given }, kept),
    curveError: 0,
  };
}
