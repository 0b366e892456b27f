/** BCF export and import by the server, with pictures that the viewer takes of each issue. */
import type { Vec3 } from 'impinge';
import type { ImportAnswer, SentPicture } from '../../../cli/src/wire/review.js';
import type { Saving } from '../../../cli/src/wire/view-manifest.js';
import { csrfHeader } from '../../../ui/src/saving-keeper.js';
import type { Picture } from '../picture/picture.js';
import type { View } from '../picture/types.js';

/** A picture of an issue and its view. */
export interface IssuePicture {
  /** The id of the issue. */
  readonly of: string;
  readonly view: View;
  readonly png: Uint8Array;
}

/**
 * The body of an export: the length of a list (u32, little endian), the list as JSON, and the pictures one after the
 * other. Cameras are in metres.
 */
export function exportBody(pictures: readonly IssuePicture[], metresPerUnit: number): Blob {
  const list = pictures.map(
    ({ of, view, png }): SentPicture => ({
      of,
      byteLength: png.length,
      camera: {
        eye: vector((axis) => view.eye[axis] * metresPerUnit),
        direction: vector((axis) => view.target[axis] - view.eye[axis]),
        up: view.up,
        fieldOfView: view.fieldOfView,
      },
    }),
  );
  const text = new TextEncoder().encode(JSON.stringify({ pictures: list }));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, text.length, true);
  return new Blob([length, text, ...pictures.map(({ png }) => png as Uint8Array<ArrayBuffer>)]);
}

function vector(of: (axis: number) => number): Vec3 {
  return [of(0), of(1), of(2)];
}

/** The archive; throws an `Error` with a one-line message. */
export async function exportBcf(version: '2.1' | '3.0', body: Blob, saving?: Saving): Promise<Blob> {
  const given = { method: 'POST', body, headers: csrfHeader(saving) };
  const response = await fetch(`bcf/export?version=${version}`, given);
  if (!response.ok) throw new Error(await reasonOf(response));
  return response.blob();
}

export async function importBcf(file: Blob, saving?: Saving): Promise<ImportAnswer> {
  const response = await fetch('bcf', { method: 'POST', body: file, headers: csrfHeader(saving) });
  if (!response.ok) throw new Error(await reasonOf(response));
  return response.json();
}

/** The server's error message. */
async function reasonOf(response: Response): Promise<string> {
  const { error } = await response.json().catch(() => ({}));
  return typeof error === 'string' ? error : `the server responded ${response.status}`;
}

/** Small, as lists of issues show them. */
const [WIDTH, HEIGHT] = [640, 480];
/** Pieces not loaded by then are drawn coarser. */
const WITHIN_MS = 4000;

export async function takePicture(picture: Picture, of: string): Promise<IssuePicture> {
  const view = picture.view;
  const png = await picture.snapshot(view, WIDTH, HEIGHT, WITHIN_MS);
  return { of, view, png: new Uint8Array(await png.arrayBuffer()) };
}
