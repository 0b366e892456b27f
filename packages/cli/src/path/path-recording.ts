/** A path, or a single place, as a recording of its body. */
import type { StoredModel } from '@impinge/model';
import { type BodyRecording, FRAME_SECONDS } from './body-recording.js';
import type { PathBody } from './path-body.js';
import { momentsOf } from './path-motion.js';
import type { Certified, WrittenPath } from './search-path.js';

const MOST_FRAMES = 5000;

export function pathRecording(
  body: PathBody,
  path: WrittenPath,
  { clearance }: Pick<Certified, 'clearance'>,
  model: StoredModel,
): BodyRecording {
  const { object } = body;
  const moments = momentsOf(path, FRAME_SECONDS, MOST_FRAMES);
  return {
    ways: [{ body, centre: path.centre, from: 0, moments }],
    times: moments.map(({ time }) => time),
    metresPerUnit: model.meta.metresPerUnit,
    path: { clearance, ...(object !== undefined && { object, name: model.text(object, 'name') }) },
  };
}
