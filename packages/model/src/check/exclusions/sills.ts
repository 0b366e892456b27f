/** A sill or coping, and the frame that stands on it: frames are drawn with the joint that seals them. */
import type { ClashMeasure } from '../clash.js';
import { type ExclusionReason, eitherWay } from './exclusion.js';

/** The most that a frame overlaps its sill. */
const JOINT_MOST = 0.015;

const SILL = /^IfcCovering$/;
const FRAME = /^Ifc(Window|Door)(StandardCase)?$/;

export const sills: ExclusionReason = {
  meaning: 'a sill, and the window or door above it',
  measured: (facts) => {
    const isSill = facts.ofType(SILL);
    const isFrame = facts.ofType(FRAME);
    const most = facts.metres(JOINT_MOST);
    return (
      isSill &&
      isFrame &&
      eitherWay((sill, frame, { kind }: ClashMeasure) => {
        if (kind !== 'hard' || !isSill(sill) || !isFrame(frame)) return false;
        const [below, above] = [facts.box(sill), facts.box(frame)];
        return below[2] < above[2] && below[5] - above[2] <= most;
      })
    );
  },
};
