/** The summary of a flight, for people and for programs. */

import { intervalText } from '@impinge/cli/internal/sides.js';
import {
  count,
  counted,
  fileSize,
  milliseconds,
  pathEnd,
  point,
  table,
} from '@impinge/cli/internal/terminal.js';
import type { Flight, FlightHit, FlightStep } from '../jobs/flight.js';

/** Number of objects printed; --json lists every hit of every step. */
const ROWS = 20;

export type FlightSummary = ReturnType<typeof flightSummary>;

/** An object that was hit, in how many steps, and its nearest point. */
interface HitObject {
  readonly object: string;
  readonly steps: number;
  readonly nearest: FlightHit;
}

export function flightSummary(flight: Flight, error: number) {
  const { steps, hits, nearest, seconds, cut } = flight;
  const { loads, bytesRead, peakBytes, waits } = flight.reading;
  const mean = (of: (step: FlightStep) => number) =>
    steps.reduce((sum, step) => sum + of(step), 0) / steps.length;
  const sorted = steps.map(({ collideMs, prefetchMs }) => collideMs + prefetchMs).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return {
    steps: steps.length,
    error,
    meanMs: mean(({ collideMs, prefetchMs }) => collideMs + prefetchMs),
    collideMeanMs: mean(({ collideMs }) => collideMs),
    prefetchMeanMs: mean(({ prefetchMs }) => prefetchMs),
    medianMs: at(0.5),
    p99Ms: at(0.99),
    maxMs: sorted[sorted.length - 1],
    stepsWithContact: steps.filter((step) => step.hits.length > 0).length,
    /** Number of steps, after the first, that needed data not in memory. */
    stepsThatWaited: steps.slice(1).filter((step) => step.waits > 0).length,
    /** Number of pieces not in memory, including the first step. */
    waits,
    ...(cut && { cut }),
    pagesRead: loads,
    bytesRead,
    peakBytes,
    seconds,
    ...(nearest && { nearest }),
    hits,
  };
}

/** Objects in the order of their first hit. */
function objectsOf(hits: readonly FlightHit[]): HitObject[] {
  const found = new Map<string, HitObject & { readonly last: number }>();
  for (const hit of hits) {
    const { object, step, distance } = hit;
    const before = found.get(object);
    const steps = (before?.steps ?? 0) + (before?.last === step ? 0 : 1);
    const nearest = before && before.nearest.distance[1] <= distance[1] ? before.nearest : hit;
    found.set(object, { object, steps, nearest, last: step });
  }
  return [...found.values()];
}

export function printedFlight(summary: FlightSummary, isWithin: boolean): string {
  const { cut, nearest } = summary;
  const rows = [
    ['steps', count(summary.steps)],
    [isWithin ? 'near something' : 'with contact', count(summary.stepsWithContact)],
    ...(nearest
      ? [
          [
            'nearest',
            `${intervalText(nearest.distance)} from ${pathEnd(nearest.object, 40)}, in step ${count(nearest.step)}`,
          ],
        ]
      : []),
    [
      'mean',
      `${milliseconds(summary.meanMs)} per step: collide ${milliseconds(summary.collideMeanMs)}, ` +
        `prefetch ${milliseconds(summary.prefetchMeanMs)}`,
    ],
    ['median', milliseconds(summary.medianMs)],
    ['99 % within', milliseconds(summary.p99Ms)],
    ['slowest', milliseconds(summary.maxMs)],
    ...(cut && cut.pairs > 0
      ? [
          [
            'cut',
            `${counted(cut.pairs, 'pair')}; ${count(cut.split)} split, ${count(cut.merged)} merged on the way`,
          ],
        ]
      : []),
    ['waited for the disk', `${counted(summary.stepsThatWaited, 'step')} after the first`],
    ['read', `${counted(summary.pagesRead, 'page')}, ${fileSize(summary.bytesRead)}`],
    ['memory for geometry', fileSize(summary.peakBytes)],
  ];
  const objects = objectsOf(summary.hits);
  if (objects.length === 0) return table(rows);
  const list = objects
    .slice(0, ROWS)
    .map(({ object, steps, nearest: { distance, point: at, step } }) => [
      pathEnd(object, 40),
      count(steps),
      intervalText(distance),
      point(at),
      count(step),
    ]);
  const head = [isWithin ? 'near' : 'hit', 'steps', 'nearest', 'at', 'in step'];
  const left = objects.length - ROWS;
  const more =
    left > 0 ? `  … and ${counted(left, 'object')} more; --json lists every hit of every step\n` : '';
  return `${table(rows)}\n${table([head, ...list], [1, 4])}${more}`;
}
