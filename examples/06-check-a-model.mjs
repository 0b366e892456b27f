// A whole model: packed into a store, then checked by rules under a cap of memory. Here the store is in memory; in a
// file (FileSink and openStoreFile of @impinge/model/node) the model may be far larger than that.
import { check, MemorySink, MemorySource, openStore, StoreWriter } from '@impinge/model';
import { box } from '../lab/scenes/index.mjs';

const object = (path, x, y, z) => ({
  id: path, // what clashes are named after: stable from run to run
  name: path.split('/').pop(),
  path,
  type: '',
  discipline: path.split('/')[0],
  file: 'plant',
  storey: '',
  pose: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z), // rotation row by row, translation
});
// one shape, the objects made of it: triangles that are shared are stored once
const sink = new MemorySink();
const writer = new StoreWriter(sink);
const walls = [object('structure/wall 1', 0, 0, 0), object('structure/wall 2', 4, 0, 0)];
const ducts = [object('hvac/supply', 0, 0, 1), object('hvac/return', 2.5, 0, 1)];
await writer.add({ geometry: box(0.25, 4, 3), objects: walls });
await writer.add({ geometry: box(2.5, 0.25, 0.25), objects: ducts });
await writer.finish({ title: 'two walls', metresPerUnit: 1, files: [], recipe: '' });

const model = await openStore(new MemorySource(sink.bytes()));
const rules = [{ name: 'ducts keep off walls', a: 'hvac/**', b: 'structure/**', clearance: 0.2 }];
const run = check(model, { rules, memory: 16e6 });
for await (const { kind, form, a, b, depth, distance, id } of run) {
  const figure = kind === 'clearance' ? `${distance.toFixed(3)} apart` : `${form}, ${depth.toFixed(3)} deep`;
  console.log(`${id} ${kind}: ${a.name} and ${b.name}, ${figure}`);
}
const { pairs, loads, peakBytes } = run.stats;
console.log(`${pairs} pairs looked at, ${loads} pieces read, cap kept: ${peakBytes < 16e6}`);

// > d2ae3d0dd0b1813e hard: wall 1 and supply, piercing, 0.125 deep
// > 36f8c25b562f0dc0 clearance: wall 2 and return, 0.125 apart
// > 2 pairs looked at, 2 pieces read, cap kept: true
