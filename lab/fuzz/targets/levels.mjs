/**
 * Levels with valid checksums, queried through `LevelsTarget` (stores) and `ContactPair` (contact levels). Forged
 * contents may make answers wrong, but never endless, and errors must be the project's own.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildContactLevels, ContactLevels, ContactPair } from '@impinge/dynamics';
import { LevelsTarget } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { icosphere, torus } from '@impinge/scenes';
import { collide, contacts, distance, Mesh, penetration, within } from 'impinge';
import { MEMORY } from './models.mjs';
import { command, Failure, refusal } from './outcome.mjs';

export const LEVELS_TARGETS = {
  levels: { seeds: levelSeeds, run: askLevels, share: 0.5 },
  'contact-levels': { seeds: contactSeeds, run: askContactLevels },
};

/** Positions inside the model, above it and far away. */
const PLACES = [
  [0.4, 0.2, 0.9],
  [1.2, 0, 1.5],
  [90, -4, 3],
];

const poseOf = (number) => ({ translation: PLACES[number % PLACES.length] });

async function levelSeeds(folder) {
  const seeds = [];
  for (const [name, { positions, indices }] of [
    ['ball', icosphere(14, 1)],
    ['ring', torus(1, 0.4, 40, 20)],
  ]) {
    const model = join(folder, `${name}.obj`);
    const path = join(folder, `${name}.impinge`);
    writeFileSync(model, objOf(positions, indices));
    await command('pack', model, '--levels', '--workers', '1', '-o', path);
    seeds.push({ name: `${name}.impinge`, extension: 'impinge', bytes: readFileSync(path) });
  }
  return seeds;
}

function objOf(positions, indices) {
  const rows = (letter, numbers, change) =>
    Array.from({ length: numbers.length / 3 }, (_, i) =>
      [letter, ...[0, 1, 2].map((k) => change(numbers[3 * i + k]))].join(' '),
    );
  return [...rows('v', positions, (x) => x), ...rows('f', indices, (v) => v + 1), ''].join('\n');
}

async function askLevels({ path, number }) {
  let model;
  let target;
  const body = Mesh.from(icosphere(3, 0.5));
  try {
    model = await openStoreFile(path);
    target = new LevelsTarget(model, { memory: MEMORY });
    const question = { pose: poseOf(number), error: [0.2, 0.02, 0][number % 3] };
    const { bounds, distance: exact } = await distance(target, body, question);
    if (bounds ? !(bounds[0] <= bounds[1]) : Number.isNaN(exact))
      throw new Failure('no distance', `${bounds}`);
    await collide(target, body, question);
    await within(target, body, { ...question, distance: 0.3 });
    if (question.error > 0) {
      await contacts(target, body, question);
      await penetration(target, body, question);
    }
    return 'read';
  } catch (error) {
    if (error instanceof Failure) throw error;
    refusal(error, path);
    return 'refused';
  } finally {
    await target?.dispose();
    await model?.dispose();
    body.dispose();
  }
}

function contactSeeds() {
  const meshes = { ball: icosphere(6, 1), ring: torus(1, 0.4, 16, 8) };
  return Object.entries(meshes).map(([name, mesh]) => ({
    name: `${name}.contact-levels`,
    extension: 'contact-levels',
    bytes: Buffer.from(buildContactLevels(Mesh.from(mesh)).toBytes()),
  }));
}

async function askContactLevels({ path, bytes, seed, number }) {
  const sound = ContactLevels.fromBytes(new Uint8Array(seed));
  let altered;
  try {
    altered = ContactLevels.fromBytes(new Uint8Array(bytes));
    const pair = number % 2 === 0 ? new ContactPair(altered, sound) : new ContactPair(sound, altered);
    const pose = poseOf(number);
    pair.contacts({ pose, distance: 0.3, allowed: 0.1, bounded: number % 3 === 0 });
    const { lower, upper } = pair.distance({ pose, allowed: 0.1 });
    if (!(lower <= upper)) throw new Failure('no distance', `${lower} ${upper}`);
    return 'read';
  } catch (error) {
    if (error instanceof Failure) throw error;
    refusal(error, path);
    return 'refused';
  } finally {
    altered?.dispose();
    sound.dispose();
  }
}
