/**
 * Our in-memory check in full: a store in memory, then the check as the command runs it, which also reports depth, form
 * and place of every clash. Objects closer than the clearance because they lie within another object are reported as
 * such, and so are those deeper within: 8 pairs more than surfaces alone show.
 */
import { check, MemorySink, MemorySource, openStore, StoreWriter } from '@impinge/model';
import { runMemoryContender } from './memory-contender.mjs';

const MEMORY = 2 ** 30;
const NOTHING = { name: '', path: '', type: '', discipline: '', file: '', storey: '' };

await runMemoryContender({
  async build(objects) {
    const sink = new MemorySink();
    const writer = new StoreWriter(sink);
    for (const [i, { positions, indices, pose }] of objects.entries()) {
      await writer.add({
        geometry: { positions, indices },
        objects: [{ ...NOTHING, id: String(i), pose }],
      });
    }
    await writer.finish({ title: 'random plant', metresPerUnit: 1, files: [], recipe: '' });
    return openStore(new MemorySource(sink.bytes()));
  },
  hard: (model) => run(model, { kinds: ['hard'] }),
  clearance: (model, _, clearance) => run(model, { kinds: ['hard', 'inside', 'clearance'], clearance }),
});

async function run(model, options) {
  const pairs = [];
  for await (const { a, b } of check(model, { ...options, memory: MEMORY }))
    pairs.push(Number(a.id), Number(b.id));
  return pairs;
}
