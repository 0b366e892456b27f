/**
 * A spoon (86 016 triangles) that falls into a cup (64 000) and slides there: time of whole steps, energy, and
 * penetration by exact queries every hundredth step.
 */
import { cup, spoon } from '@impinge/scenes/contact';
import { collide, contacts, Mesh } from 'impinge';
import { milliseconds } from '../measure/figures.mjs';
import { openScene, posesOf, timedSteps, wholeEnergy } from './steps.mjs';

const STEPS = 10_000;
const CHECK_EVERY = 100;
/** Required milliseconds per step. */
const ASKED = 8;
/** Share of the initial energy below which changes are rounding. */
const ROUNDING = 1e-6;

export async function spoonRow({ figures, kept, quick }) {
  const steps = quick ? 20 : STEPS;
  figures.begin('spoon', 'a spoon in a cup, awake all the time');
  const ours = await openScene('spoon-cup', { sleeping: false, kept, ...(quick && { error: 0 }) });
  const [cupMesh, spoonMesh] = [Mesh.from(cup()), Mesh.from(spoon())];
  const start = wholeEnergy(ours.bodies);
  let least = start;
  let [rises, most, deepest, meeting, checks] = [0, 0, 0, 0, 0];
  const taken = await timedSteps(steps, ours.step, (step) => {
    const energy = wholeEnergy(ours.bodies);
    const rise = (energy - least) / start;
    most = Math.max(most, rise);
    if (rise > ROUNDING) rises++;
    least = Math.min(least, energy);
    if (step % CHECK_EVERY !== 0 && step !== steps) return;
    checks++;
    const [poseB] = posesOf(ours.bodies);
    if (!collide(cupMesh, spoonMesh, { poseB, mode: 'any' }).colliding) return;
    meeting++;
    for (const { depth } of contacts(cupMesh, spoonMesh, { poseB }).regions) {
      deepest = Math.max(deepest, depth);
    }
  });
  const [[x, y, z]] = ours.bodies.map(({ position }) => position);
  figures.assert(y > 0 && Math.hypot(x, z) < 0.08, `the spoon has left the cup: ${x}, ${y}, ${z}`);
  await ours.dispose();
  for (const mesh of [cupMesh, spoonMesh]) mesh.dispose();
  figures.add(`${steps} steps of 1/200 s`, {
    mean: milliseconds(taken.mean, quick ? undefined : ASKED),
    most: milliseconds(taken.most),
    'energy rose in': { value: rises, unit: 'steps', asked: { most: 0 } },
    'by up to': { value: 1e6 * most, unit: 'millionths' },
    'meeting in': { value: meeting, unit: `of ${checks} checks` },
    'error allowed': { value: 1000 * ours.error, unit: 'mm' },
    'deepest by': { value: 1000 * deepest, unit: 'mm' },
  });
}
