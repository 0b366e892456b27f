import { expect, test } from 'vitest';
import { encodePng } from '../../cli/src/reports/png.js';
import { sentPictures } from '../../cli/src/server/bcf-requests.js';
import type { View } from '../src/picture/types.js';
import { exportBody } from '../src/review/bcf-exchange.js';

test('pictures and cameras arrive as they were sent, in metres', async () => {
  const view: View = {
    eye: [1000, 2000, 3000],
    target: [1000, 5000, 3000],
    up: [0, 0, 1],
    fieldOfView: 50,
    height: 1,
  };
  const picture = (colour: number) =>
    encodePng({ width: 2, height: 2, pixels: new Uint8Array(4), palette: [colour] });
  const pictures = ['g1', 'g2'].map((of, i) => ({ of, view, png: picture(i) }));
  const body = exportBody(pictures, 0.001);
  const sent = sentPictures(Buffer.from(await body.arrayBuffer()));
  expect([...sent.keys()]).toEqual(['g1', 'g2']);
  for (const { of, png } of pictures) {
    const { bytes, camera } = sent.get(of)!;
    expect(Buffer.from(bytes).equals(Buffer.from(png))).toBe(true);
    expect(camera).toEqual({ eye: [1, 2, 3], direction: [0, 1, 0], up: [0, 0, 1], fieldOfViewDegrees: 50 });
  }
});
