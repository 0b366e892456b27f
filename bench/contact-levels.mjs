/**
 * Contact levels of the models of the CLOD paper: triangles / hulls of every usable level, mean h, s and edge length in
 * millimetres, and what building took. `node bench/contact-levels.mjs [NAME…]`
 */
import { bowl, cup, numbers, spiralPeg, spoon, wrinkledTorus } from '@impinge/scenes/contact';
import { Mesh } from 'impinge';
import { buildContactLevels } from 'impinge/contact-levels';

const wanted = process.argv.slice(2);
const models = [cup(), spoon(), spiralPeg(), wrinkledTorus(), bowl(), ...numbers()];
for (const model of models.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const mesh = Mesh.from(model);
  const before = process.cpuUsage();
  const levels = buildContactLevels(mesh);
  const seconds = process.cpuUsage(before).user / 1e6;
  const megabytes = levels.byteLength / 1e6;
  console.log(
    `${model.name}: ${levels.usableLevels} of ${levels.levelCount} levels, ${seconds.toFixed(1)} s, ${megabytes.toFixed(1)} MB`,
  );
  const starts = levels.array('triangleStart');
  for (let level = 0; level < levels.usableLevels; level++) {
    const { start, end } = levels.nodesOf(level);
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / (end - start);
    const [h, s] = ['h', 's'].map((name) => 1000 * mean(levels.array(name).subarray(start, end)));
    const edge =
      1000 *
      mean(
        levels
          .array('r')
          .subarray(start, end)
          .map((r) => 1 / r),
      );
    console.log(
      `  ${level}: ${starts[end] - starts[start]} / ${end - start}  h ${h.toFixed(2)}  s ${s.toFixed(2)}  edges ${edge.toFixed(2)}`,
    );
  }
  levels.dispose();
}
