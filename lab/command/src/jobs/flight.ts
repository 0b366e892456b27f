/** A flight: a body moves along a path through a model; records its hits and times at each step. */

import { scaledBounds } from '@impinge/cli/internal/asked-sides.js';
import { scaledPoint } from '@impinge/cli/internal/sides.js';
import type { LevelsTarget, Session, SessionBody, StoredModel } from '@impinge/model';
import type { Hit, Vec3 } from 'impinge';
import type { FlightStep } from '../reports/flight-plot.js';
import type { FlightPath } from './flight-path.js';

/** An object near the body in a step; lengths in metres. */
export interface FlightHit {
  readonly step: number;
  readonly object: string;
  readonly distance: Hit['bounds'];
  /** On the object. */
  readonly point: Vec3;
}

export interface Flight {
  readonly steps: readonly FlightStep[];
  readonly hits: readonly FlightHit[];
  /** With --distance: the nearest of all steps, hit or not. */
  readonly nearest: FlightHit | undefined;
  readonly seconds: number;
  readonly reading: Reading;
  /** Pieces of the fronts, and how many were exchanged after the first step; undefined without levels. */
  readonly front: { readonly pieces: number; readonly split: number; readonly merged: number } | undefined;
}

export interface Reading {
  readonly loads: number;
  readonly bytesRead: number;
  readonly waits: number;
  readonly peakBytes: number;
}

export interface FlightQuestion {
  /** In metres. */
  readonly within: number | undefined;
  readonly error: number;
  readonly distance: boolean;
}

/** The moving body and its surroundings. */
export interface Flying {
  readonly session: Session;
  readonly bodies: readonly SessionBody[];
  readonly model: StoredModel;
  /** Targets with levels: the surroundings, and the body, if any. */
  readonly targets: readonly LevelsTarget[];
}

export function poseOf(step: readonly number[], metresPerUnit: number) {
  return { rotation: step.slice(0, 9), translation: step.slice(9).map((x) => x / metresPerUnit) };
}

export async function replay(flying: Flying, path: FlightPath, question: FlightQuestion): Promise<Flight> {
  const { bodies, model, targets } = flying;
  const unit = model.meta.metresPerUnit;
  const error = question.error / unit;
  const steps: FlightStep[] = [];
  const hits: FlightHit[] = [];
  let nearest: FlightHit | undefined;
  let atFirst: ReturnType<typeof frontsOf>;
  const record = (step: number, object: number, bounds: Hit['bounds'], point: Vec3): FlightHit => ({
    step,
    object: model.object(object).path,
    distance: scaledBounds(bounds, unit),
    point: scaledPoint(point, unit),
  });
  const started = performance.now();
  for (const [i, step] of path.steps.entries()) {
    const waitedBefore = readingOf(flying).waits;
    const pose = poseOf(step, unit);
    const from = performance.now();
    let met = 0;
    for (const body of bodies) {
      body.move(pose);
      const distance = (question.within ?? 0) / unit;
      const found = await body.hits({ distance, mode: 'any', error });
      for (const { object, bounds, pointB } of found.hits) {
        if (object === undefined) continue; // another object of the same body
        met++;
        hits.push(record(i, object, bounds, pointB));
      }
      if (!question.distance) continue;
      const near = await body.distance({ error });
      const { object, bounds, pointB } = near;
      if (object === undefined || !pointB) continue;
      if (!nearest || unit * bounds[1] < nearest.distance[1]) nearest = record(i, object, bounds, pointB);
    }
    steps.push({ ms: performance.now() - from, hits: met, waits: readingOf(flying).waits - waitedBefore });
    if (!atFirst?.pieces) atFirst = frontsOf(targets); // distant targets are not queried at first
    // a program does other work between two steps; pending reads proceed meanwhile
    await new Promise((resolve) => setImmediate(resolve));
  }
  const seconds = (performance.now() - started) / 1000;
  const atLast = frontsOf(targets);
  const front = atLast &&
    atFirst && {
      pieces: atLast.pieces,
      split: atLast.split - atFirst.split,
      merged: atLast.merged - atFirst.merged,
    };
  return { steps, hits, nearest, seconds, reading: readingOf(flying), front };
}

/** Total of all reads so far. */
function readingOf({ session, targets }: Flying): Reading {
  const all = [session.stats, ...targets.map(({ stats }) => stats)];
  const sum = (of: (stats: Reading) => number) => all.reduce((total, stats) => total + of(stats), 0);
  return {
    loads: sum(({ loads }) => loads),
    bytesRead: sum(({ bytesRead }) => bytesRead),
    waits: sum(({ waits }) => waits),
    peakBytes: Math.max(...all.map(({ peakBytes }) => peakBytes)),
  };
}

function frontsOf(targets: readonly LevelsTarget[]) {
  if (targets.length === 0) return undefined;
  const sum = { pieces: 0, split: 0, merged: 0 };
  for (const { stats } of targets) {
    sum.pieces += stats.front;
    sum.split += stats.split;
    sum.merged += stats.merged;
  }
  return sum;
}
