/**
 * Services in the hollow layers of a wall: a stud wall is drawn as a solid, and pipes and cables run in it.
 *
 * The label `cavities` says where a wall is hollow, as `16-108 of 124 mm` from its side of least own y. It holds only
 * if the wall is as thick as that, and stands along an axis of the model: its box is then its own. A service has to lie
 * in one cavity as a whole; one that comes out through a board is a clash.
 */
import type { ClashMeasure } from '../clash.js';
import { SERVICE_CLASSES } from '../openings/services.js';
import { type ExclusionReason, eitherWay } from './exclusion.js';
import type { ObjectFacts } from './object-facts.js';

/** Services, and what sits in their lines without going through an opening of its own. */
const SERVICE = new RegExp(`${SERVICE_CLASSES.source}|^Ifc(Valve|Damper|JunctionBox)`);
const LABEL = /^([\d., -]+) of ([\d.]+) mm$/;
/** How far an own axis may be from one of the model, and a thickness from the sum of its layers, in metres. */
const STRAIGHT = 1e-9;
const SLACK = 0.001;

interface Cavities {
  readonly axis: number;
  /** Along the axis, in the model's unit. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

export const cavities: ExclusionReason = {
  meaning: 'a pipe, duct or cable, and the wall in whose hollow layer it is',
  measured: (facts) => {
    const labels = facts.labels('cavities');
    const isService = facts.ofType(SERVICE);
    if (!labels || !isService) return undefined;
    const known = new Map<number, Cavities | undefined>();
    const cavitiesOf = (wall: number) => {
      if (!known.has(wall)) known.set(wall, cavitiesAt(facts, wall, labels.get(wall)?.[0] ?? ''));
      return known.get(wall);
    };
    const slack = facts.metres(SLACK);
    return eitherWay((wall, service, { kind }: ClashMeasure) => {
      if ((kind !== 'hard' && kind !== 'inside') || !isService(service)) return false;
      const hollow = cavitiesOf(wall);
      if (!hollow) return false;
      const box = facts.box(service);
      const [low, high] = [box[hollow.axis] + slack, box[3 + hollow.axis] - slack];
      return hollow.ranges.some(([from, to]) => from <= low && high <= to);
    });
  },
};

function cavitiesAt(facts: ObjectFacts, wall: number, label: string): Cavities | undefined {
  const said = LABEL.exec(label);
  if (!said) return undefined;
  const across = facts.ownAxis(wall, 1);
  const axis = across.findIndex((x) => Math.abs(x) >= 1 - STRAIGHT);
  const total = facts.metres(Number(said[2]) / 1000);
  if (axis < 0 || !(Math.abs(facts.extent(wall, axis as 0 | 1 | 2) - total) <= facts.metres(SLACK)))
    return undefined;
  const box = facts.box(wall);
  const isAlong = across[axis] > 0;
  const ranges = said[1].split(',').map((range) => {
    const [from, to] = range.split('-').map((mm) => facts.metres(Number(mm) / 1000));
    return isAlong
      ? ([box[axis] + from, box[axis] + to] as const)
      : ([box[3 + axis] - to, box[3 + axis] - from] as const);
  });
  return { axis, ranges };
}
