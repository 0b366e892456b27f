/**
 * A nut that a torque turns down a bolt, in steps of 1/240 s, one thread: processor time, and pairs of triangles that
 * meet at the end of any step. The generated pair, and two M16 pairs looked for in ../shared/data/planning, whose nuts
 * are open: 0.1 mm and 0.0075 mm apart at the start.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fixedBody, rigidBody, Simulation } from '@impinge/dynamics';
import { count, milliseconds } from '../measure/figures.mjs';
import { readPly } from '../ply.mjs';
import { openScene, timedSteps } from './steps.mjs';

const TURNS = 5;
/** More than these take. */
const STEPS = 2200;
const ASKED = 100;
const PLANNING = join(import.meta.dirname, '..', '..', '..', '..', 'shared/data/planning');
/** The thickness of each: less than it has room for. */
const M16 = { loose: 2e-5, tight: 2e-6 };

export async function nutRow({ figures, quick }) {
  figures.begin('nut', 'a nut is turned down a bolt');
  const pairs = [['generated', () => openScene('nut-bolt')]];
  for (const [fit, thickness] of Object.entries(M16)) {
    const folder = join(PLANNING, `nut-bolt-m16-${fit}`);
    if (existsSync(folder)) pairs.push([`M16 ${fit}`, () => openM16(folder, thickness)]);
  }
  for (const [name, open] of pairs) {
    const { simulation, bodies, step, dispose } = await open();
    let [meeting, turned] = [0, 0];
    const spent = () => process.cpuUsage().user + process.cpuUsage().system;
    const times = [];
    const timed = async () => {
      const start = spent();
      await step();
      times.push((spent() - start) / 1000);
    };
    const { made } = await timedSteps(quick ? 40 : STEPS, timed, () => {
      meeting += simulation.intersections();
      turned += Math.hypot(...bodies[0].spin) / 240 / (2 * Math.PI);
    });
    const mean = times.slice(10).reduce((sum, ms) => sum + ms, 0) / (times.length - 10);
    const triangles = simulation.bodies.map(({ indices }) => indices.length / 3).join(' and ');
    figures.add(`${name}, ${triangles} triangles, ${made} steps`, {
      mean: milliseconds(mean),
      rate: { value: 1000 / mean, unit: 'steps/s', asked: quick ? undefined : { least: ASKED } },
      turns: { value: turned, unit: '' },
      'that meet': count(meeting, 0),
    });
    figures.assert(meeting === 0, `${name}: ${meeting} pairs of triangles meet`);
    figures.assert(quick || turned >= TURNS, `${name}: only ${turned.toFixed(2)} turns`);
    await dispose();
  }
}

/** In millimetres and with z up, from where its thread has caught. The nut has the mass of a ring of steel. */
async function openM16(folder, thickness) {
  const [nut, bolt] = ['nut.ply', 'bolt.ply'].map((file) => {
    const { positions, indices } = readPly(join(folder, file));
    return { positions: Array.from(positions, (x) => x / 1000), indices };
  });
  const [low, high] = [Math.min, Math.max].map((end) =>
    [0, 1, 2].map((k) => nut.positions.reduce((x, y, i) => (i % 3 === k ? end(x, y) : x), nut.positions[k])),
  );
  const centre = low.map((x, k) => (x + high[k]) / 2);
  const [outer, inner, tall] = [(high[0] - low[0]) / 2, 0.008, high[2] - low[2]];
  const mass = 7800 * Math.PI * (outer ** 2 - inner ** 2) * tall;
  const across = (mass * (3 * (outer ** 2 + inner ** 2) + tall ** 2)) / 12;
  const inertia = [across, across, (mass * (outer ** 2 + inner ** 2)) / 2];
  const position = [centre[0], centre[1], centre[2] + 0.014];
  const body = rigidBody({ name: 'nut', ...nut }, { mass, centre, inertia, position });
  const simulation = new Simulation({ dt: 1 / 240, thickness, gravity: [0, 0, -9.81], friction: 0.1 });
  simulation.add(fixedBody({ name: 'bolt', ...bolt }));
  simulation.add(body);
  const step = () => {
    const push = Math.max(-1, Math.min(1, -4 - body.spin[2]));
    for (const side of [0.01, -0.01]) {
      const [x, y, z] = body.position;
      body.applyForce([0, Math.sign(side) * 0.05 * push, 0], [x + side, y, z]);
    }
    return simulation.step();
  };
  return { simulation, bodies: [body], step, dispose: async () => simulation.dispose() };
}
