/** All meeting pairs of a scene of many objects, asked again: with nothing moved since, with a tenth, and with all of them. */
import { collideAll, Mesh, Scene } from 'impinge';
import { randomPlant } from '../check/random-plant.mjs';
import { timesOf } from './inputs.mjs';

const MOST_MS = 50;

export async function sceneRow({ figures, quick, repetitions }) {
  figures.begin('scene', 'which objects of a scene meet, asked again');
  const count = quick ? 500 : 10_000;
  const scene = new Scene();
  let triangles = 0;
  const objects = randomPlant(count, 1).map(({ positions, indices, pose: [...pose] }) => {
    const mesh = Mesh.from({ positions, indices });
    triangles += mesh.triangleCount;
    const where = { rotation: pose.slice(0, 9), translation: pose.slice(9) };
    return { object: scene.add(mesh, { pose: where }), where };
  });
  for (const distance of [0, 0.05]) {
    let found = -1;
    /** Every `step`-th object is told its pose anew, which counts as moved. */
    const ask = (step) => () => {
      for (let i = 0; i < objects.length; i += step) objects[i].object.move(objects[i].where);
      const { count: met } = collideAll(scene, { mode: 'any', distance });
      figures.assert(found < 0 || found === met, `${met} pairs instead of ${found}`);
      found = met;
    };
    const value = (step) => timesOf(ask(step), 1000, repetitions);
    figures.add(`${count} objects, ${triangles} triangles, ${distance ? '50 mm' : 'hard'}`, {
      'nothing moved': { value: value(Infinity), unit: 'ms', asked: { most: MOST_MS } },
      'a tenth moved': { value: value(10), unit: 'ms' },
      'all moved': { value: value(1), unit: 'ms' },
    });
  }
}
