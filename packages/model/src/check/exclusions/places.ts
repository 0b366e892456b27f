/** Places, which have a shape in some files: a storey, the terrain of a site. */
import type { ExclusionReason } from './exclusion.js';

const PLACE =
  /^Ifc(Site|Building|BuildingStorey|((Facility|Bridge|Road|Railway|Marine)(Part(Common)?)?)|MarineFacility)$/;

export const places: ExclusionReason = {
  meaning: 'a storey, a site or another place, which is no element, and anything',
  beforehand: (facts) => {
    const isPlace = facts.ofType(PLACE);
    return isPlace && ((a, b) => isPlace(a) || isPlace(b));
  },
};
