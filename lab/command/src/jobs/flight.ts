/** A flight: a body moves along a path through a model; records its hits and times at each step. */

import { scaledBounds } from '@impinge/cli/internal/asked-sides.js';
import { scaledPoint } from '@impinge/cli/internal/sides.js';
import type { FlightRecordHit, FlightRecordStep } from '@impinge/cli/internal/wire/recording.js';
import type { LevelsTarget, Session, SessionBody, StoredModel } from '@impinge/model';
import type { Hit, Vec3 } from 'impinge';
import type { FlightPath } from './flight-path.js';

export interface FlightStep extends FlightRecordStep {
  /** Of the body: rotation (nine numbers, row by row), then translation (three). */
  readonly pose: readonly number[];
  /** Pieces the step had to wait for. */
  readonly waits: number;
}

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
  /** Pairs in the cut of the last walk, and how it moved after the first step; undefined without levels. */
  readonly cut: Cut | undefined;
}

export interface Cut {
  readonly pairs: number;
  readonly split: number;
  readonly merged: number;
}

export interface Reading {
  readonly loads: number;
  readonly bytesRead: number;
  readonly waits: number;
  readonly readMs: number;
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
  let nearest: FlightHit | undefined;
  let atFirst: Cut | undefined;
  const described = (step: number, { object, distance, point }: FlightRecordHit): FlightHit => ({
    step,
    object: model.object(object).path,
    distance: scaledBounds(distance, unit),
    point: scaledPoint(point, unit),
  });
  const started = performance.now();
  for (const [i, step] of path.steps.entries()) {
    const before = readingOf(flying);
    const pose = poseOf(step, unit);
    const from = performance.now();
    for (const body of bodies) body.move(pose);
    const moved = performance.now();
    const asked = readingOf(flying).readMs;
    const hits: FlightRecordHit[] = [];
    for (const body of bodies) {
      const distance = (question.within ?? 0) / unit;
      const found = await body.hits({ distance, mode: 'any', error });
      for (const { object, bounds, pointB } of found.hits) {
        // else another object of the same body
        if (object !== undefined) hits.push({ object, point: pointB, distance: bounds });
      }
      if (!question.distance) continue;
      const { object, bounds, pointB } = await body.distance({ error });
      if (object === undefined || !pointB) continue;
      if (nearest && unit * bounds[1] >= nearest.distance[1]) continue;
      nearest = described(i, { object, point: pointB, distance: bounds });
    }
    const answered = performance.now();
    const { waits, readMs } = readingOf(flying);
    const readingMs = Math.min(answered - moved, readMs - asked); // two targets may wait at the same time
    steps.push({
      pose: [...pose.rotation, ...pose.translation],
      hits,
      collideMs: answered - moved - readingMs,
      prefetchMs: moved - from + readingMs,
      waits: waits - before.waits,
    });
    if (!atFirst?.pairs) atFirst = cutOf(targets); // distant targets are not queried at first
    // a program does other work between two steps; pending reads proceed meanwhile
    await new Promise((resolve) => setImmediate(resolve));
  }
  const seconds = (performance.now() - started) / 1000;
  const atLast = cutOf(targets);
  const cut = atLast &&
    atFirst && {
      pairs: atLast.pairs,
      split: atLast.split - atFirst.split,
      merged: atLast.merged - atFirst.merged,
    };
  const hits = steps.flatMap((step, i) => step.hits.map((hit) => described(i, hit)));
  return { steps, hits, nearest, seconds, reading: readingOf(flying), cut };
}

/** Total of all reads so far. */
function readingOf({ session, targets }: Flying): Reading {
  const all = [session.stats, ...targets.map(({ stats }) => stats)];
  const sum = (of: (stats: Reading) => number) => all.reduce((total, stats) => total + of(stats), 0);
  return {
    loads: sum(({ loads }) => loads),
    bytesRead: sum(({ bytesRead }) => bytesRead),
    waits: sum(({ waits }) => waits),
    readMs: sum(({ readMs }) => readMs),
    peakBytes: Math.max(...all.map(({ peakBytes }) => peakBytes)),
  };
}

function cutOf(targets: readonly LevelsTarget[]): Cut | undefined {
  if (targets.length === 0) return undefined;
  const sum = { pairs: 0, split: 0, merged: 0 };
  for (const { stats } of targets) {
    sum.pairs += stats.cut;
    sum.split += stats.split;
    sum.merged += stats.merged;
  }
  return sum;
}
