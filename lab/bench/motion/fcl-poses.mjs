/** FCL asked which of many placings of some bodies are free. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePairs, writePlant } from '../check/random-plant.mjs';
import { measureProgram } from '../measure/measure-child.mjs';
import { findFclDriver } from '../peers/fcl.mjs';

const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

/** @returns {{ binary?: string, version?: string, note?: string }} why it is not there, if it is not */
export const findFclPoses = () => findFclDriver('fcl-poses');

/**
 * @param {object} question
 * @param {string} question.folder for files
 * @param {object[]} question.world meshes, with poses or without
 * @param {object[]} question.bodies meshes
 * @param {Uint32Array} question.pairs of bodies that are compared with each other
 * @param {Float64Array} question.placings twelve numbers of every body for each
 * @param {'OBB' | 'OBBRSS'} volume of its trees
 * @returns {Promise<{ free: Uint8Array, times: number[] }>} processor time of a placing in microseconds, once for each
 *   time
 */
export async function fclPoses({ folder, world, bodies, pairs, placings }, volume, repetitions) {
  const count = placings.length / 12 / bodies.length;
  const files = ['world.bin', 'bodies.bin', 'pairs.bin', 'placings.bin'].map((file) => join(folder, file));
  const placed = (objects) => objects.map((object) => ({ pose: IDENTITY, ...object }));
  writePlant(files[0], placed(world));
  writePlant(files[1], placed(bodies));
  writePairs(files[2], pairs);
  writeFileSync(files[3], Buffer.concat([Uint32Array.of(count, 0), placings].map(bytesOf)));
  const { stdout } = await measureProgram(findFclPoses().binary, [...files, volume, String(repetitions)]);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  const told = (name) => lines.filter(([what]) => what === name).map(([, value]) => value);
  return {
    free: Uint8Array.from(told('free')[0], Number),
    times: told('seconds').map((seconds) => (1e6 * Number(seconds)) / count),
  };
}

const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
