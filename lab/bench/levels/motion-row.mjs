/**
 * How the cut of a walk follows: a dragon through a plant at several speeds and errors, and past a camera; splits and
 * merges per step, and the share of processor time that moving the cut takes. Then what is compared as a turbine comes
 * nearer to a scan.
 */
import { Session } from 'node:inspector/promises';
import { LevelsTarget } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { collide } from 'impinge';
import { logPlot } from '../../command/dist/reports/log-plot.js';
import { count } from '../measure/figures.mjs';
import { readPoses } from '../protocol.mjs';
import { percent } from './asking.mjs';
import { DRAGON_LENGTH } from './models.mjs';

/** Lengths of a step, in steps of the slowest. */
const SPEEDS = [1, 2, 4, 8, 16];
const SHARES = [0.002, 0.01];
/** Passes before the measured one. */
const WARM = 3;
/** Steps between two of the paths' poses at the lowest speed. */
const FINER = 4;
/** How far the turbine is lifted off the scan where it rests, as shares of the scan's size; 0 comes first. */
const LIFTED = [0, 0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064];

export async function motionRow({ figures, models, writePlot }) {
  figures.begin('motion', 'cuts while a dragon moves through a plant, one thread, warm');
  const [plant, dragon] = [await models.plantStore(), await models.store(models.dragon())];
  const path = between(models.through(), FINER);
  const step = apart(path[0], path[1]) / DRAGON_LENGTH;
  const series = [];
  for (const share of [...SHARES, 'view']) {
    const name = share === 'view' ? 'two pixels of a moving camera' : `error ${percent(share)} of the dragon`;
    const points = [];
    for (const speed of SPEEDS) {
      const poses = path.filter((_, i) => i % speed === 0);
      const errorAt = share === 'view' ? viewFrom : () => share * DRAGON_LENGTH;
      const { moves, ofMoving } = await follow(plant, dragon, poses, errorAt);
      figures.add(`${name}, steps of ${percent(speed * step)}`, {
        'splits and merges per step': count(moves),
        'share of moving the cut': { value: 100 * ofMoving, unit: '%', asked: { most: 20 } },
      });
      points.push([100 * speed * step, Math.max(moves, 0.1)]);
    }
    series.push({ name, points });
  }
  const title = 'Splits and merges per step against its length';
  writePlot('motion', logPlot(title, 'step, % of the dragon', 'splits and merges', series));
  await nearer({ figures, models, writePlot });
}

/** What is compared, as a turbine comes down to where it rests on a scan. */
async function nearer({ figures, models, writePlot }) {
  const files = [models.lucy(models.millions), models.turbine()];
  const { targets, close } = await open(await Promise.all(files.map((file) => models.store(file))));
  const size = models.lucySize();
  const { rotation, translation } = readPoses(models.fall()).at(-1);
  const series = [];
  for (const share of SHARES) {
    const points = [];
    for (const lifted of LIFTED) {
      const pose = {
        rotation,
        translation: [translation[0], translation[1], translation[2] + lifted * size],
      };
      const { stats } = await collide(...targets, { pose, error: share * size });
      figures.add(`turbine ${percent(lifted)} above, error ${percent(share)}`, {
        'volumes compared': count(stats.volumeTests),
        'triangles compared': count(stats.exactTests),
      });
      if (lifted > 0) points.push([100 * lifted, Math.max(1, stats.volumeTests + stats.exactTests)]);
    }
    series.push({ name: `error ${percent(share)}`, points });
  }
  const title = 'Volumes and triangles compared against the height above where it rests';
  writePlot('nearer', logPlot(title, 'height, % of the size', 'compared', series));
  await close();
}

async function open(stores) {
  const opened = await Promise.all(stores.map((store) => openStoreFile(store)));
  const targets = opened.map((model) => new LevelsTarget(model));
  const close = async () => {
    for (const one of [...targets, ...opened]) await one.dispose();
  };
  return { targets, close };
}

/** A camera that flies beside the body. */
function viewFrom({ translation: [x, y, z] }) {
  return { view: { pixels: 2, camera: [x - 8, y - 8, z + 4], angle: 0.8, height: 1080 } };
}

/** Splits and merges per step, and the share of the processor time that cuts take. */
async function follow(plant, dragon, poses, errorAt) {
  const { targets, close } = await open([plant, dragon]);
  const [a, b] = targets;
  const pass = async () => {
    for (const pose of poses) await collide(a, b, { pose, error: errorAt(pose) });
  };
  for (let i = 0; i < WARM; i++) await pass();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 100 });
  const movesOf = () => [a, b].reduce((sum, { stats }) => sum + stats.split + stats.merged, 0);
  const before = movesOf();
  await session.post('Profiler.start');
  await pass();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const moves = (movesOf() - before) / poses.length;
  await close();
  return { moves, ofMoving: shareWithin(profile, /level-queries\/cut\.js$/) };
}

/** The share of samples that are in functions of a file, or in what they called. */
function shareWithin({ nodes, samples, timeDeltas }, file) {
  const inside = new Map();
  const mark = (node, isInside) => {
    const isOwn = isInside || file.test(node.callFrame.url);
    inside.set(node.id, isOwn);
    for (const child of node.children ?? []) mark(byId.get(child), isOwn);
  };
  const byId = new Map(nodes.map((node) => [node.id, node]));
  mark(nodes[0], false);
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
  );
  let [own, all] = [0, 0];
  samples.forEach((id, i) => {
    if (idle.has(id)) return;
    all += timeDeltas[i];
    if (inside.get(id)) own += timeDeltas[i];
  });
  return own / all;
}

/** The poses with others between them; only places are interpolated. */
function between(poses, finer) {
  return poses.flatMap(({ rotation, translation }, i) => {
    const next = poses[i + 1]?.translation ?? translation;
    return Array.from({ length: finer }, (_, k) => ({
      rotation,
      translation: translation.map((x, axis) => x + ((next[axis] - x) * k) / finer),
    }));
  });
}

function apart({ translation: p }, { translation: q }) {
  return Math.hypot(...p.map((x, k) => q[k] - x));
}
