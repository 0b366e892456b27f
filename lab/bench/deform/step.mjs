/** One step of a scene, detected repeatedly. */
import { Deformables } from '@impinge/dynamics';

/** Unmeasured detections first: the compiler takes a few to optimise. */
export const WARM_UPS = 5;

/**
 * The medians of `repetitions` detections, the total time of each, and the findings of the last.
 * @param {(detector: Deformables) => void} fill adds the surfaces and their motion; called before every detection, so
 *   that only fixed surfaces are kept
 */
export function measureStep(fill, { repetitions, warmUps = WARM_UPS, broadPhase = 'hash' }) {
  const detector = new Deformables({ broadPhase, now: () => performance.now() });
  try {
    const update = fill(detector);
    const runs = [];
    let events;
    for (let r = -warmUps; r < repetitions; r++) {
      update();
      const started = performance.now();
      events = detector.continuous();
      if (r >= 0) runs.push({ total: performance.now() - started, ...events.stats.ms });
    }
    return { ms: medians(runs), totals: runs.map(({ total }) => total), events };
  } finally {
    detector.dispose();
  }
}

/** Of every quantity separately. */
function medians(runs) {
  return Object.fromEntries(
    Object.keys(runs[0]).map((key) => {
      const values = runs.map((run) => run[key]).sort((a, b) => a - b);
      return [key, values[values.length >> 1]];
    }),
  );
}

/** The stages before the exact tests. */
export const cullingMs = (ms) => ms.sweep + ms.grid + ms.primitives + ms.elements;
