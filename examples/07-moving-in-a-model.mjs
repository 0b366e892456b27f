// A body that moves through a stored model, step by step, under a cap of memory.
import { MemorySink, MemorySource, openStore, Session, StoreWriter } from '@impinge/model';
import { Mesh } from 'impinge';
import { box, icosphere } from '../lab/scenes/index.mjs';

const sink = new MemorySink();
const writer = new StoreWriter(sink);
const place = (name, x, y) => {
  const pose = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, 1.5);
  return { id: name, name, path: name, type: '', discipline: '', file: '', storey: '', pose };
};
const posts = [0, 4, 8].flatMap((x) => [place(`left ${x}`, x, -1), place(`right ${x}`, x, 1)]);
await writer.add({ geometry: box(0.25, 1, 3), objects: posts });
await writer.add({ geometry: box(0.0625, 1, 3), objects: [place('door', 8, 0)] });
await writer.finish({ title: 'gates', metresPerUnit: 1, files: [], recipe: '' });
const model = await openStore(new MemorySource(sink.bytes()));

// `memory` caps the geometry of the model in memory; what lies ahead of a body is fetched at its pace
const session = new Session(model, { memory: 16e6 });
const drone = session.add(Mesh.from(icosphere(8, 0.375), { name: 'drone' }));
const names = ({ hits }) => hits.map(({ object }) => model.object(object).name).join(', ');
for (let x = -2, before = ''; x <= 8; x += 0.25) {
  drone.move({ translation: [x, 0, 1] });
  const near = names(await drone.hits({ distance: 0.15 }));
  if (near !== '' && near !== before) console.log(`at ${x}: close to ${near}`);
  before = near;
}
console.log(`meets ${names(await drone.hits())}`);
// an object of the model becomes a body and can be moved, too
const door = await session.take(6);
door.move({ translation: [8.5, 0.5, 1.5] });
console.log(`the door aside: ${(await drone.distance()).distance} to the nearest surface`);
await session.dispose();

// > at -0.25: close to left 0, right 0
// > at 3.75: close to left 4, right 4
// > at 7.5: close to door
// > at 7.75: close to left 8, right 8, door
// > meets door
// > the door aside: 0.09375 to the nearest surface
