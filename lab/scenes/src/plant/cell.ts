/** One storey of one unit, assembly by assembly. */
import { equipmentAssembly } from './bays.js';
import { claddingAssembly, floorAssembly, frameAssembly, walkwayAssembly, wallAssembly } from './building.js';
import type { Nozzle } from './equipment.js';
import { type Assembly, type Cell, LANE_COUNT, laneY, MODULE, RACK_FIRST, RACK_PITCH } from './layout.js';
import {
  ductAssembly,
  laneAssemblies,
  RISER_COUNT,
  rackFrameAssembly,
  riserAssembly,
  TRAY_LANES,
  trayAssembly,
} from './rack.js';

/**
 * The assemblies of a cell, in coordinates of the cell. The caller answers each with whether it was accepted: pipes
 * only connect to equipment that exists.
 */
export function* assembliesOf(cell: Cell): Generator<Assembly, void, boolean> {
  const nozzles: Nozzle[] = [];
  for (let m = 0; m < cell.grade.modules; m++) {
    const rack = MODULE * m + RACK_FIRST;
    yield frameAssembly(cell, m);
    yield floorAssembly(m);
    yield wallAssembly(cell, m);
    for (let bay = 0; bay < 3; bay++) {
      yield rackFrameAssembly(rack + RACK_PITCH * bay);
      const assembly = equipmentAssembly(cell, m, bay);
      if (yield assembly) nozzles.push(...assembly.nozzles);
    }
    yield rackFrameAssembly(rack + RACK_PITCH * 3);
    yield walkwayAssembly(cell, m);
    for (let i = 0; i < RISER_COUNT; i++) yield riserAssembly(cell, m, i);
    yield claddingAssembly(cell, m);
  }
  for (let lane = 0; lane < LANE_COUNT; lane++) {
    const under = nozzles.filter((nozzle) => nozzle.y === laneY(lane)).sort((a, b) => a.x - b.x);
    yield* laneAssemblies(cell, lane, under);
  }
  for (let i = 0; i < TRAY_LANES.length; i++) yield trayAssembly(cell, i);
  yield ductAssembly(cell);
}
