/** Mutants by number: equal seed, target and number give equal bytes, independent of earlier mutants. */
import { createHash } from 'node:crypto';
import { seededRandom } from '@impinge/scenes';
import { oneOf } from './mutate/choose.mjs';
import { mutant } from './mutate/structures.mjs';

/** One of `seeds`, mutated: its name, its bytes and the original bytes. */
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
