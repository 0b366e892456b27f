/** What to draw in each frame of a flight: how long choosing it takes, and how much it is. */
import { Drawing } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { count, milliseconds } from '../measure/figures.mjs';
import { mean, quantile } from './asking.mjs';

const FRAMES = 300;
/** Radians from frame to frame. */
const TURN = 0.002;
const [WIDTH, HEIGHT] = [1920, 1080];

export async function drawRow({ figures, models, repetitions }) {
  figures.begin('draw', `levels chosen frame by frame, within a pixel of ${WIDTH} × ${HEIGHT}, one thread`);
  const stores = {
    [`${models.millions} M, one object`]: await models.store(models.lucy(models.millions)),
    [`plant of ${models.plantTriangles / 1e6} M`]: await models.plantStore(),
  };
  for (const [name, store] of Object.entries(stores)) {
    const model = await openStoreFile(store);
    for (const [where, away] of Object.entries({ around: 1.5, within: 0.3 })) {
      const runs = Array.from({ length: repetitions }, () => fly(model, away));
      figures.add(`${name}, ${where}`, {
        mean: milliseconds(runs.map(({ ms }) => mean(ms))),
        p99: milliseconds(runs.map(({ ms }) => quantile(ms, 0.99))),
        triangles: count(runs[0].triangles),
        pieces: count(runs[0].pieces),
      });
    }
    await model.dispose();
  }
}

/** Around the middle of the model, looking at it; the first frame, which has nothing to go by, does not count. */
function fly(model, away) {
  const drawing = new Drawing(model, { allLoaded: true });
  const ms = [];
  let last;
  for (let frame = 0; frame <= FRAMES; frame++) {
    const camera = cameraAt(model, away, TURN * frame);
    const before = performance.now();
    last = drawing.selectLevels({ camera });
    if (frame > 0) ms.push(performance.now() - before);
  }
  return { ms, triangles: last.triangles, pieces: last.count };
}

function cameraAt({ directory: { objectBox } }, away, angle) {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  objectBox.forEach((x, i) => {
    box[i % 6] = i % 6 < 3 ? Math.min(box[i % 6], x) : Math.max(box[i % 6], x);
  });
  const radius = Math.hypot(...[0, 1, 2].map((k) => (box[k + 3] - box[k]) / 2));
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const back = [c, s, 0];
  const f = 1 / Math.tan(Math.PI / 8);
  return {
    pose: {
      rotation: [-s, 0, c, c, 0, s, 0, 1, 0],
      translation: back.map((x, k) => (box[k] + box[k + 3]) / 2 + away * radius * x),
    },
    projection: [(f * HEIGHT) / WIDTH, 0, 0, 0, 0, f, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0],
    width: WIDTH,
    height: HEIGHT,
  };
}
