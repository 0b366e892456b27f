/** A real step: 92 230 triangles of a cloth on a turning ball, all contacts, compared with brute force. */
import { VERTEX_FACE } from '@impinge/dynamics';
import { count, milliseconds, times } from '../measure/figures.mjs';
import { countHashedPairs } from './hashing-alone.mjs';
import { clothBallStep, edgeKey, faceKey, hasReference } from './reference.mjs';
import { cullingMs, measureStep } from './step.mjs';

export async function clothBallRow({ figures, quick, repetitions }) {
  figures.begin('cloth-ball', 'frames 92 → 93, 92 230 triangles, all continuous contacts, one thread');
  if (!hasReference(figures, 'deform/')) return;
  const step = clothBallStep();
  const fill = (detector) => {
    const surface = detector.add({ positions: step.start, indices: step.indices, name: 'cloth and ball' });
    return () => surface.setStep(step.start, step.end);
  };
  const runs = { repetitions: 5 * repetitions };
  const hash = measureStep(fill, runs);
  const { stats } = hash.events;
  const hashingAlone = countHashedPairs([step]);
  figures.add('hash', {
    total: milliseconds(hash.totals, 200),
    'before the exact tests': milliseconds(cullingMs(hash.ms), 60),
    ...stageFigures(hash.ms),
  });
  figures.add('pairs', {
    'hashing alone, as the paper': count(hashingAlone),
    'by our grid': count(stats.candidates),
    boxes: count(stats.boxPairs),
    DOPs: count(stats.dopPairs),
    'after primitive culling': count(stats.primitivePairs),
    'elements tested': count(stats.testedPairs),
    'decided exactly': count(stats.exactPairs),
    events: count(stats.events),
    'fewer pairs after primitive culling': times(hashingAlone / stats.primitivePairs),
    'fewer elements tested': times((15 * hashingAlone) / stats.testedPairs),
  });
  figures.add('exact test', {
    'element pairs per second': {
      value: (1000 * stats.testedPairs) / hash.ms.exact,
      unit: '/s',
      asked: { least: 500_000 },
    },
  });
  compareWithPublished(figures, hash.events, step.hits);

  if (quick) return figures.note('brute force left out (--quick)');
  const brute = measureStep(fill, { repetitions: 1, warmUps: 0, broadPhase: 'brute' });
  figures.add('brute force', { events: count(brute.events.count) });
  figures.assert(sameEvents(hash.events, brute.events), 'hash and brute force disagree');
}

function stageFigures(ms) {
  return Object.fromEntries(
    ['sweep', 'grid', 'primitives', 'elements', 'exact', 'sort'].map((s) => [s, milliseconds(ms[s])]),
  );
}

/** Every pair known to meet must be among ours. */
function compareWithPublished(figures, events, hits) {
  const left = new Set(hits);
  for (let i = 0; i < events.count; i++) {
    const [a, b, c, d] = events.vertices.subarray(4 * i, 4 * i + 4);
    left.delete(events.kinds[i] === VERTEX_FACE ? faceKey(a, b, c, d) : edgeKey(a, b, c, d));
  }
  figures.add('published hits', { found: count(hits.size - left.size), missing: count(left.size, 0) });
  figures.assert(left.size === 0, `${left.size} published hits were not found`);
}

function sameEvents(a, b) {
  if (a.count !== b.count) return false;
  for (let i = 0; i < a.count; i++) {
    if (a.kinds[i] !== b.kinds[i] || a.times[i] !== b.times[i]) return false;
    for (let k = 0; k < 4; k++) if (a.vertices[4 * i + k] !== b.vertices[4 * i + k]) return false;
  }
  return true;
}
