/** The ways out that a check with rules about access found: kept in `access.json`, and played by the viewer. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredModel } from '@impinge/model';
import * as v from 'valibot';
import { bodyRecording } from './body-recording.js';
import { readMotionFile, timedPoseSchema, vector } from './motion-file.js';
import { bodyOfObject } from './path-body.js';
import { pathRecording } from './path-recording.js';
import type { WrittenPath } from './search-path.js';

/** Of every object that must be removable, the path or that none was found. */
export const ACCESS_NAME = 'access.json';

/** Lengths in metres. */
export interface FoundWay {
  readonly rule: string;
  readonly object: { readonly id: string; readonly path: string; readonly file: string };
  readonly length: number;
  readonly clearance: number;
  readonly path: WrittenPath;
}

const about = {
  rule: v.string(),
  object: v.object({ id: v.string(), path: v.string(), file: v.optional(v.string(), '') }),
};
const SCHEMA = v.array(
  v.variant('found', [
    v.object({ ...about, found: v.literal(false) }),
    v.object({
      ...about,
      found: v.literal(true),
      length: v.number(),
      certificate: v.object({ clearance: v.number() }),
      centre: vector(3),
      poses: v.pipe(v.array(timedPoseSchema), v.minLength(1)),
    }),
  ]),
);

/** Of the report in a folder; none if it has no rules about access. */
export async function readFoundWays(folder: string): Promise<FoundWay[]> {
  const name = join(folder, ACCESS_NAME);
  if (!existsSync(name)) return [];
  const ways: FoundWay[] = [];
  for (const one of await readMotionFile(name, SCHEMA, 'impinge check')) {
    if (!one.found) continue;
    const { rule, object, length, certificate, centre, poses } = one;
    const path = { centre, poses, times: poses.map(({ time }) => time) };
    ways.push({ rule, object, length, clearance: certificate.clearance, path });
  }
  return ways;
}

/** A way as a GLB of the object that goes it. */
export async function wayRecording(model: StoredModel, object: number, way: FoundWay): Promise<Uint8Array> {
  const body = await bodyOfObject(model, object);
  try {
    return Buffer.concat(bodyRecording(pathRecording(body, way.path, way, model)));
  } finally {
    body.mesh.dispose();
  }
}
