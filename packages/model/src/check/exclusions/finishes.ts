/**
 * Elements that stand in the finish of a floor, and ceilings that run into walls: models draw both through each other.
 *
 * A slab or covering so flat that it carries nothing is a finish. What stands in it ends within its thickness: a chair
 * that goes deeper is in the floor below, which is told, and so is a pipe, which needs a way through.
 */
import type { ClashMeasure } from '../clash.js';
import { type ExclusionReason, eitherWay } from './exclusion.js';
import type { ObjectFacts } from './object-facts.js';

/** Nothing this thin carries a floor. */
const FINISH_MOST = 0.06;
const CEILING_MOST = 0.15;
/** A flat element is at least this many times as wide as it is high. */
const FLAT = 4;
/** Placements are drawn with this much care. */
const SLACK = 0.001;

const LAYER = /^Ifc(Slab|SlabStandardCase|Covering)$/;
const STANDING =
  /^Ifc(Furniture|FurnishingElement|SystemFurnitureElement|SanitaryTerminal|Door.*|Stair.*|Railing|Ramp.*|Wall.*|CurtainWall|Column.*|Member.*|ElectricAppliance|TransportElement)$/;
const CEILING = /^IfcCovering$/;
const WALL = /^Ifc(Wall.*|CurtainWall|Column.*)$/;

/** Whether an element is a horizontal layer, at most so thick. */
function isFlat(facts: ObjectFacts, object: number, most: number): boolean {
  const height = facts.extent(object, 2);
  return height <= most && Math.min(facts.extent(object, 0), facts.extent(object, 1)) >= FLAT * height;
}

const isOverlap = ({ kind }: ClashMeasure) => kind === 'hard' || kind === 'inside';

export const finishes: ExclusionReason = {
  meaning: 'furniture, a door, a stair or a wall that stands in the finish of a floor',
  measured: (facts) => {
    const isLayer = facts.ofType(LAYER);
    const mayStand = facts.ofType(STANDING);
    const [most, slack] = [facts.metres(FINISH_MOST), facts.metres(SLACK)];
    return (
      isLayer &&
      mayStand &&
      eitherWay((finish, element, clash: ClashMeasure) => {
        if (!isOverlap(clash) || !isLayer(finish) || !mayStand(element)) return false;
        if (!isFlat(facts, finish, most)) return false;
        const [floor, bottom] = [facts.box(finish), facts.box(element)[2]];
        return bottom >= floor[2] - slack && bottom <= floor[5] + slack;
      })
    );
  },
};

export const ceilings: ExclusionReason = {
  meaning: 'a ceiling, and the wall or column that it runs into',
  measured: (facts) => {
    const isCeiling = facts.ofType(CEILING);
    const isWall = facts.ofType(WALL);
    const most = facts.metres(CEILING_MOST);
    return (
      isCeiling &&
      isWall &&
      eitherWay((ceiling, wall, clash: ClashMeasure) => {
        if (!isOverlap(clash) || !isCeiling(ceiling) || !isWall(wall)) return false;
        // a wall that lies in the layer as a whole is no wall beside it
        return isFlat(facts, ceiling, most) && facts.extent(wall, 2) > facts.extent(ceiling, 2);
      })
    );
  },
};
