/** Outlets, switches and the like that are let into the face of a wall: nobody draws the hole that their box needs. */
import type { ClashMeasure } from '../clash.js';
import { type ExclusionReason, eitherWay } from './exclusion.js';

/** The largest device, along any axis, and the deepest box. */
const DEVICE_MOST = 0.2;
const DEEP_MOST = 0.08;

const FACED = /^Ifc(Wall.*|CurtainWall|Covering)$/;
const DEVICE =
  /^Ifc(Outlet|SwitchingDevice|JunctionBox|CommunicationsAppliance|Alarm|Sensor|Controller|UnitaryControlElement)$/;
/** Classes of all trades, which mean such a device where they are electrical. */
const GENERAL = /^Ifc(FlowTerminal|FlowController|FlowFitting|DistributionControlElement)$/;
const ELECTRICAL = 'electrical';

export const recessed: ExclusionReason = {
  meaning: 'an outlet, a switch or another small device, and the face of the wall that it is let into',
  measured: (facts) => {
    const isFaced = facts.ofType(FACED);
    const isDevice = facts.ofType(DEVICE);
    const isGeneral = facts.ofType(GENERAL);
    const [size, deep] = [facts.metres(DEVICE_MOST), facts.metres(DEEP_MOST)];
    const isSmall = (object: number) => ([0, 1, 2] as const).every((k) => facts.extent(object, k) <= size);
    const isElectrical = (object: number) =>
      isDevice?.(object) || (isGeneral?.(object) && facts.discipline(object) === ELECTRICAL);
    return (
      isFaced &&
      (isDevice ?? isGeneral) &&
      eitherWay((wall, device, { form, depthBound }: ClashMeasure) => {
        // what comes out again, or is in the wall as a whole, is told
        if (form !== 'protruding' || depthBound > deep || !isFaced(wall)) return false;
        return isSmall(device) && isElectrical(device) === true;
      })
    );
  },
};
