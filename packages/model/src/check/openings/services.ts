/** Which classes go through openings, which have them, and how exactly these are cut. */

/** Openings are cut with this much care, in metres. */
export const OPENING_SLACK = 0.002;

/** Pipes, ducts, cables and their carriers. */
export const SERVICE_CLASSES =
  /^Ifc(Pipe|Duct|CableCarrier|CableSegment|CableFitting|Flow(Segment|Fitting|Controller)|DistributionFlowElement)/;
/** Walls, floors and the frame. */
export const HOST_CLASSES =
  /^Ifc(Wall|Slab|Roof|Beam|Column|Member|Plate|Footing|CurtainWall|BuildingElementPart|Covering)/;
