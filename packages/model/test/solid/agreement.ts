/** Two façades, one target: what a check says of a pair and what the pair queries say of it. */
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { contacts } from 'impinge/internal/query/solid/contacts.js';
import { contains, type SolidRelation } from 'impinge/internal/query/solid/containment.js';
import { expect } from 'vitest';
import type { ClashMeasure } from '../../src/check/clash.js';
import { measurePair } from '../../src/check/measure-pair.js';
import { ask, identity, placedMesh } from '../check/support.js';

/**
 * What `contains` may say where a check finds a kind. `inside` means that space is shared though no surface passes
 * through another, so solids that lie partly in each other between common faces, or by some of their components, are
 * among it.
 */
const RELATIONS: Record<string, readonly SolidRelation[]> = {
  hard: ['crossing'],
  inside: ['a-inside-b', 'b-inside-a', 'equal', 'crossing'],
  duplicate: ['equal'],
  touch: ['touching'],
  nothing: ['disjoint'],
};

export interface Verdicts {
  readonly measure: ClashMeasure | undefined;
  readonly relation: SolidRelation;
  /** What does not fit together, in words; empty where all does. */
  readonly quarrels: readonly string[];
}

/**
 * A check poses either of two objects into the other's numbers: by rounding, a touch may be there in one of them only.
 */
const BLURRED: Record<string, readonly SolidRelation[]> = {
  ...RELATIONS,
  touch: ['touching', 'disjoint'],
  nothing: ['disjoint', 'touching'],
};

/** Asks both about closed meshes. `whole`: each is one component, so that its contact regions tell all of its depth. */
export function verdictsOn(a: Mesh, b: Mesh, pose: RigidPose = identity(), whole = false): Verdicts {
  const placement = { pose };
  const measure = measurePair(placedMesh(a), placedMesh(b, pose), ask);
  const { relation, touching } = contains(a, b, placement);
  const { regions } = contacts(a, b, placement);
  const kind = measure?.kind ?? 'nothing';
  const quarrels: string[] = [];
  const demand = (holds: boolean, what: string) => {
    if (!holds) quarrels.push(what);
  };
  const posed = pose.some((x, i) => x !== IDENTITY[i]);
  demand((posed ? BLURRED : RELATIONS)[kind].includes(relation), `${kind}, but ${relation}`);
  demand(touching === regions.length > 0, `touching ${touching}, but ${regions.length} regions`);
  const depth = Math.max(0, ...regions.map((region) => region.depth));
  const bound = Math.max(0, ...regions.map((region) => region.depthBound));
  const crossing = regions.some((region) => region.kind === 'crossing');
  if (kind === 'hard') demand(crossing, 'hard, but no region crosses');
  if (kind === 'touch' || kind === 'nothing') demand(!crossing, `${kind}, but a region crosses`);
  if (measure && kind !== 'duplicate') {
    const slack = 1e-9 * measure.depthBound + 1e-12 * scaleOf(a, b, pose);
    const pairs = regions.reduce((sum, { count }) => sum + count, 0);
    demand(posed || measure.trianglePairs === pairs, `${measure.trianglePairs} pairs, but ${pairs}`);
    demand(depth <= measure.depthBound + slack, `region depth ${depth} beyond ${measure.depthBound}`);
    if (whole && regions.length > 0) {
      demand(measure.depth <= bound + slack, `depth ${measure.depth} beyond the regions' ${bound}`);
    }
  }
  return { measure, relation, quarrels };
}

export function expectAgreement(a: Mesh, b: Mesh, pose?: RigidPose, whole = false): Verdicts {
  const verdicts = verdictsOn(a, b, pose, whole);
  expect(verdicts.quarrels).toEqual([]);
  return verdicts;
}

function scaleOf(a: Mesh, b: Mesh, pose: RigidPose): number {
  let scale = Math.abs(pose[9]) + Math.abs(pose[10]) + Math.abs(pose[11]);
  for (const { box } of [a, b]) {
    for (let k = 0; k < 3; k++) scale += Math.abs(box.min[k]) + Math.abs(box.max[k]);
  }
  return scale;
}
