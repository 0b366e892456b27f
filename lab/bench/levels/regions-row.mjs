/** Checks that contact regions and ways out are within their bounds: compared with the originals and exact queries. */
import { fileURLToPath } from 'node:url';
import { randomRotation, seededRandom } from '../../scenes/index.mjs';
import { count } from '../measure/figures.mjs';
import { measureScript } from '../measure/measure-child.mjs';
import { readPoses } from '../protocol.mjs';
import { ERRORS, NEAR } from './asking.mjs';
import { readBinaryPly } from './binary-ply.mjs';
import { DRAGON_LENGTH } from './models.mjs';

const VERIFY = fileURLToPath(new URL('./verify-contact.mjs', import.meta.url));
/** Steps of the fall: bouncing, landing, at rest. */
const STEPS = [200, 300, 499];
const POSES = 6;
/** Distances of the spheres' centres. */
const SHIFTS = [0.3, 1.2, 1.9];

export async function regionsRow({ figures, models }) {
  figures.begin('contact', 'regions of contact and ways out, compared with exact queries');
  const random = seededRandom(31);
  const largest = models.lucy(models.millions);
  const falling = readPoses(models.fall());
  const pressed = models.around().filter(({ kind }, i) => kind === 'pressed' && i % 3 === 0);
  const dragon = models.dragon();
  const { positions } = readBinaryPly(dragon);
  const onDragon = Array.from({ length: POSES }, () => {
    const v = 3 * Math.floor((random() * positions.length) / 3);
    const [rotation, translation] = [
      Array.from(randomRotation(random)),
      Array.from(positions.slice(v, v + 3)),
    ];
    return { kind: 'on', rotation, translation };
  });
  const shifted = SHIFTS.map((shift) => {
    const rotation = Array.from(randomRotation(random));
    return { kind: 'shifted', rotation, translation: [0, 1, 2].map((k) => shift * rotation[3 * k]) };
  });
  for (const [name, a, b, size, poses] of [
    [
      `a turbine of ${models.turbineMillions} M in ${models.millions} M triangles (stand-ins)`,
      ...[largest, models.turbine(), models.lucySize()],
      [...STEPS.map((step) => falling[step]), ...pressed],
    ],
    ['the armadillo in the dragon', dragon, models.armadillo(), DRAGON_LENGTH, onDragon],
    ['spheres of 297 680 triangles in each other', models.sphere(1), models.sphere(1.001), 2, shifted],
  ]) {
    const job = {
      ...{ a, b, storeA: await models.store(a), storeB: await models.store(b) },
      ...{ poses: models.posesFile('contact', poses), size, distance: NEAR * size },
      errors: ERRORS.map((share) => share * size),
      exactDepths: a !== largest,
    };
    const { stdout } = await measureScript(VERIFY, [JSON.stringify(job)]);
    const { compared, failures } = JSON.parse(stdout);
    figures.add(`${name}, ${poses.length} poses, ${ERRORS.length} errors`, {
      'pairs of originals': count(compared.pairs),
      'curves of contact': count(compared.curves),
      regions: count(compared.regions),
      'depths of regions': count(compared.depths),
      'ways out': count(compared.waysOut),
      'ways too short': count(compared.shortWays),
      'depths of exact queries': count(compared.exactDepths),
      wrong: count(failures.length, 0),
    });
    for (const failure of failures) figures.assert(false, failure);
  }
}
