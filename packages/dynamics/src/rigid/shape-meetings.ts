/** Which bodies meet where one of them is not in memory: their shapes decide. */
import { type RigidPose, relativePose } from 'impinge/internal/math/pose.js';
import type { Meeting } from '../bodies/body-surfaces.js';
import type { PairFilter } from '../bodies/pair-filter.js';
import { writeMatrix } from '../bodies/rotation.js';
import { Scenery } from '../bodies/scenery.js';
import type { Member } from './member.js';

/** Compares all that meet at all, but for scenery with scenery. */
export function meetingOfShapes(members: readonly Member[], filter: PairFilter): Meeting {
  let count = 0;
  let first: Meeting['first'];
  members.forEach((a, i) => {
    for (const b of members.slice(i + 1)) {
      if (!(a.rigid || b.rigid) || !filter.meet(a.body, b.body)) continue;
      const found =
        a.shape.meetingWith?.(b.shape, relativePose(frameOf(a), frameOf(b))) ??
        b.shape.meetingWith?.(a.shape, relativePose(frameOf(b), frameOf(a)));
      count += found?.count ?? 0;
      first ??= found?.first;
    }
  });
  return { count, first };
}

/** Where the frame about the centre of a body is. */
function frameOf({ body, rigid, shape }: Member): RigidPose {
  const frame = new Float64Array(12);
  if (rigid) {
    writeMatrix(rigid.state.rotation, 0, frame, 0);
    frame.set(rigid.state.centre, 9);
    return frame;
  }
  const [x, y, z] = shape.centre;
  frame[0] = frame[4] = frame[8] = 1;
  if (body instanceof Scenery) frame.set(body.pose);
  for (let k = 0; k < 3; k++) frame[9 + k] += frame[3 * k] * x + frame[3 * k + 1] * y + frame[3 * k + 2] * z;
  return frame;
}
