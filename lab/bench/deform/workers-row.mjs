/** The same step on one worker thread and on two. The answers must be identical. */
import { createHash } from 'node:crypto';
import { Deformables } from '@impinge/dynamics';
import { growth } from '@impinge/scenes/deform';
import { nodePool } from 'impinge/node';
import { median, milliseconds, times } from '../measure/figures.mjs';
import { clothBallStep, hasReference } from './reference.mjs';
import { WARM_UPS } from './step.mjs';

const ASKED = 1.7;

export async function workersRow({ figures, quick }) {
  figures.begin('workers', 'the stages of one step on one and two worker threads');
  const layers = growth(quick ? 1e5 : 1e6, 1);
  const { positionsT0: start, positionsT1: end, indices } = layers;
  await compare(figures, `layers, ${indices.length / 3} triangles`, { start, end, indices });
  if (hasReference(figures, 'deform/')) await compare(figures, 'cloth-ball', clothBallStep());
}

async function compare(figures, name, step) {
  const one = await measure(step, 1);
  const two = await measure(step, 2);
  figures.assert(one.hash === two.hash, `${name}: two workers give another answer than one`);
  figures.add(name, {
    'one worker': milliseconds(one.ms),
    'two workers': milliseconds(two.ms),
    faster: times(median(one.ms) / median(two.ms), ASKED),
  });
}

async function measure({ start, end, indices }, size) {
  const pool = nodePool(size);
  const detector = new Deformables();
  try {
    const surface = detector.add({ positions: start, indices });
    const ms = [];
    let events;
    for (let r = -WARM_UPS; r < 9; r++) {
      surface.setStep(start, end);
      const started = performance.now();
      events = await detector.continuousParallel({ pool });
      if (r >= 0) ms.push(performance.now() - started);
    }
    const hash = createHash('sha256');
    for (const array of [events.kinds, events.vertices, events.times, events.weights, events.normals]) {
      hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    }
    return { ms, hash: hash.digest('hex') };
  } finally {
    detector.dispose();
    await pool.dispose();
  }
}
