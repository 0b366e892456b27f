/** Which classes go through openings, and which have them. */

/** Pipes, ducts, cables and their carriers. */
export const SERVICE =
  /^Ifc(Pipe|Duct|CableCarrier|CableSegment|CableFitting|Flow(Segment|Fitting|Controller)|DistributionFlowElement)/;
/** Walls, floors and the frame. */
export const HOST =
  /^Ifc(Wall|Slab|Roof|Beam|Column|Member|Plate|Footing|CurtainWall|BuildingElementPart|Covering)/;
