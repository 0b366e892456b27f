/**
 * Import and export of decisions for other tools. Uploaded archives and pictures are untrusted; both are limited, and
 * nothing in them names a place on this computer.
 *
 * Layout of an export request: the length of a list (u32, little endian), the list as JSON, and the pictures one after
 * the other, with the lengths in the list.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { CommandError } from '../command-error.js';
import { FormatError } from '../formats/format-error.js';
import { issueView } from '../reports/bcf/bcf-view.js';
import type { IssueViews } from '../reports/bcf/write-bcf.js';
import type { Camera } from '../reports/camera.js';
import type { Issues } from '../reports/issue-summary.js';
import type { ReportBox } from '../reports/report-box.js';
import { type ImportedTopic, readBcf } from '../reports/review/bcf-import.js';
import { plainView } from '../reports/view.js';
import type { SentCamera, SentPicture } from '../wire/review.js';
import { pngProblem } from './png-check.js';
import { RequestError } from './request-error.js';

export const ARCHIVE_BYTES_MAX = 64 << 20;
export const PICTURES_BYTES_MAX = 128 << 20;

const LIST_BYTES_MAX = 4 << 20;
const PICTURES_MAX = 2000;
const PICTURE_BYTES_MAX = 4 << 20;
/** The topics of an archive; throws a RequestError that says what is wrong with it. */
export async function importedTopics(archive: Uint8Array, withViews = false): Promise<ImportedTopic[]> {
  const folder = await mkdtemp(join(tmpdir(), 'impinge-bcf-'));
  const path = join(folder, 'archive.bcfzip');
  try {
    await writeFile(path, archive);
    return await readBcf(path, withViews);
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof CommandError)) throw error;
    throw new RequestError(400, error.message.replaceAll(path, 'the archive'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const vector = v.tuple([
  v.pipe(v.number(), v.finite()),
  v.pipe(v.number(), v.finite()),
  v.pipe(v.number(), v.finite()),
]);

const pictureList = v.strictObject({
  pictures: v.pipe(
    v.array(
      v.strictObject({
        of: v.string(),
        byteLength: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(PICTURE_BYTES_MAX)),
        camera: v.optional(
          v.strictObject({
            eye: vector,
            direction: vector,
            up: vector,
            fieldOfView: v.pipe(v.number(), v.finite()),
          }),
        ),
      }),
    ),
    v.maxLength(PICTURES_MAX),
  ),
});

interface Picture {
  readonly bytes: Uint8Array;
  readonly camera: Camera | undefined;
}

/** The pictures in the body of a request, by their subject. */
export function sentPictures(body: Buffer): Map<string, Picture> {
  const fail = (why: string) => new RequestError(400, why);
  const listBytes = body.length >= 4 ? body.readUInt32LE(0) : Infinity;
  if (listBytes > LIST_BYTES_MAX || 4 + listBytes > body.length)
    throw fail('the list of pictures is cut off');
  let list: readonly SentPicture[];
  try {
    list = v.parse(pictureList, JSON.parse(body.toString('utf8', 4, 4 + listBytes))).pictures;
  } catch {
    throw fail('the list of pictures is invalid');
  }
  const pictures = new Map<string, Picture>();
  let at = 4 + listBytes;
  for (const { of, byteLength, camera } of list) {
    const bytes = body.subarray(at, at + byteLength);
    const problem = bytes.length < byteLength ? 'is cut off' : pngProblem(bytes);
    if (problem !== undefined) throw fail(`the picture of ${of.slice(0, 40)} ${problem}`);
    pictures.set(of, { bytes, camera: camera && orthogonal(camera) });
    at += byteLength;
  }
  if (at !== body.length) throw fail('there are more pictures than the list declares');
  return pictures;
}

/** Orthogonal unit vectors; undefined if the input gives none. */
function orthogonal(given: SentCamera): Camera | undefined {
  const direction = unit(given.direction);
  if (!direction) return undefined;
  const along = dot(given.up, direction);
  const up = unit([0, 1, 2].map((k) => given.up[k] - along * direction[k]));
  return up && { eye: given.eye, direction, up, fieldOfViewDegrees: given.fieldOfView };
}

function unit(p: readonly number[]): Camera['eye'] | undefined {
  const length = Math.hypot(...p);
  return length > 1e-9 && length < Infinity ? [p[0] / length, p[1] / length, p[2] / length] : undefined;
}

function dot(p: readonly number[], q: readonly number[]): number {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

/** The views of issues with pictures and their cameras; the other issues have no picture. */
export function picturedViews(
  pictures: ReadonlyMap<string, Picture>,
  { open, approved, closed }: Issues,
  box: ReportBox,
): IssueViews {
  const byIssue = new Map<string, Picture>();
  for (const { id, clashes } of [...open, ...approved, ...closed]) {
    const names = [id, ...clashes.map((clash) => clash.id)];
    const found = names.find((name) => pictures.has(name));
    if (found !== undefined) byIssue.set(id, pictures.get(found)!);
  }
  return (issue) => {
    const view = plainView(issue.box, box);
    const picture = byIssue.get(issue.id);
    if (!picture) return { view: issueView(issue, view), picture: undefined };
    const { camera = view.camera, bytes } = picture;
    return { view: issueView(issue, { ...view, camera }), picture: async () => bytes };
  };
}
