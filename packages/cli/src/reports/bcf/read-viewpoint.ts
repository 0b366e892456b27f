/** Reads the camera and the clipping box of a viewpoint that `viewpoint.ts` wrote. */
import type { Vec3 } from 'impinge';
import { SaxesParser } from 'saxes';
import type { IssueView } from '../picture.js';

const CAMERA = ['CameraViewPoint', 'CameraDirection', 'CameraUpVector'] as const;

/** Undefined if the text has no perspective camera or is not XML. */
export function readViewpoint(text: string): IssueView | undefined {
  const path: string[] = [];
  const vectors = new Map<string, number[]>();
  const min: number[] = [];
  const max: number[] = [];
  let fieldOfView = Number.NaN;
  let content = '';
  let planes = 0;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    path.push(name);
    content = '';
  });
  parser.on('text', (more) => {
    content += more;
  });
  parser.on('closetag', () => {
    const name = path.pop()!;
    const parent = path.at(-1) ?? '';
    if (/^[XYZ]$/.test(name)) vectors.set(parent, [...(vectors.get(parent) ?? []), Number(content)]);
    else if (name === 'FieldOfView') fieldOfView = Number(content);
    else if (name === 'ClippingPlane') {
      // two for each axis: the sides of a box
      (planes % 2 === 0 ? min : max).push(vectors.get('Location')?.[planes >> 1] ?? Number.NaN);
      planes++;
      vectors.delete('Location');
    }
  });
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  const [eye, direction, up] = CAMERA.map((name) => vectors.get(name));
  const all = [eye, direction, up, min, max];
  if (!all.every((one) => one?.length === 3 && one.every(Number.isFinite)) || !Number.isFinite(fieldOfView))
    return undefined;
  return {
    camera: {
      eye: eye as unknown as Vec3,
      direction: direction as unknown as Vec3,
      up: up as unknown as Vec3,
      fieldOfViewDegrees: fieldOfView,
    },
    section: { min: min as unknown as Vec3, max: max as unknown as Vec3 },
  };
}
