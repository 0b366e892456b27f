/** Mutants by number: the same seed, target and number give the same bytes, whatever was tried before. */
import { createHash } from 'node:crypto';
import { seededRandom } from '@impinge/scenes';
import { oneOf } from './mutate/choose.mjs';
import { mutant } from './mutate/structures.mjs';

/** One of `seeds`, altered: name, bytes, and the bytes it came from. */
export function numberedMutant(seeds, target, seed, number) {
  const digest = createHash('sha256').update(`${seed} ${target} ${number}`).digest();
  const random = seededRandom(digest.readUInt32LE(0));
  const chosen = oneOf(random, seeds);
  const other = oneOf(
    random,
    seeds.filter(({ extension }) => extension === chosen.extension),
  );
  return {
    name: chosen.name,
    seed: chosen.bytes,
    bytes: mutant(chosen.bytes, chosen.extension, random, other.bytes),
  };
}
