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
  const frames = members.map(frameOf);
  members.forEach((a, i) => {
    for (let j = i + 1; j < members.length; j++) {
      const b = members[j];
      if (!(a.rigid || b.rigid) || areFar(a, frames[i], b, frames[j]) || !filter.meet(a.body, b.body))
        continue;
      const found =
        a.shape.meetingWith?.(b.shape, relativePose(frames[i], frames[j])) ??
        b.shape.meetingWith?.(a.shape, relativePose(frames[j], frames[i]));
      count += found?.count ?? 0;
      first ??= found?.first;
    }
  });
  return { count, first };
}

/** Whether balls around two bodies are apart. */
function areFar(a: Member, p: RigidPose, b: Member, q: RigidPose): boolean {
  return (
    Math.hypot(q[9] - p[9], q[10] - p[10], q[11] - p[11]) > (a.shape.radius + b.shape.radius) * (1 + 1e-9)
  );
}

/** Where the frame about the centre of a body is. */
export function frameOf({ body, rigid, shape }: Member): RigidPose {
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
