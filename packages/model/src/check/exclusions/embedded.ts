/** Bars in their concrete, and bolts, welds and anchors in the elements that they hold. */
import { type ExclusionReason, eitherWay } from './exclusion.js';

const BAR = /^Ifc(Reinforcing(Bar|Mesh|Element)|Tendon|TendonAnchor|TendonConduit)$/;
const ALWAYS_CONCRETE = /^Ifc(Footing|Pile)$/;
const MAY_BE_CONCRETE =
  /^Ifc(Wall|WallStandardCase|WallElementedCase|Slab.*|Beam.*|Column.*|Member.*|Roof|Stair|StairFlight|Ramp|RampFlight|Plate.*|BuildingElementPart)$/;
const FASTENER = /^Ifc(Fastener|MechanicalFastener|DiscreteAccessory)$/;
const HELD =
  /^Ifc(Beam|Column|Plate|Member|Slab|Wall|Footing|BuildingElementPart|DiscreteAccessory|ElementAssembly)/;
const CONCRETE =
  /concrete|beton|béton|calcestruzzo|hormig[oó]n|concreto|\bC\d\d\/\d\d|\bB[ -]?\d\d\b|cast[ -]in[ -]/i;

/** An element whose material does not say that it is concrete may be steel, through which no bar goes. */
export const reinforcement: ExclusionReason = {
  meaning: 'reinforcement, and the concrete that it is in',
  beforehand: (facts) => {
    const isBar = facts.ofType(BAR);
    const isConcrete = facts.ofType(ALWAYS_CONCRETE);
    const mayBe = facts.ofType(MAY_BE_CONCRETE);
    return (
      isBar &&
      eitherWay((bar, host) => {
        if (!isBar(bar)) return false;
        if (isConcrete?.(host)) return true;
        return mayBe?.(host) === true && facts.materials(host).some((name) => CONCRETE.test(name));
      })
    );
  },
};

export const fasteners: ExclusionReason = {
  meaning: 'a bolt, a weld or an anchor, and the element that it holds',
  beforehand: (facts) => {
    const isFastener = facts.ofType(FASTENER);
    const isHeld = facts.ofType(HELD);
    return isFastener && isHeld && eitherWay((a, b) => isFastener(a) && isHeld(b));
  },
};
