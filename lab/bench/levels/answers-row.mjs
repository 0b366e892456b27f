/** Checks that answers with an error are within their bounds: a sample is compared with exact queries. */
import { fileURLToPath } from 'node:url';
import { count } from '../measure/figures.mjs';
import { measureScript } from '../measure/measure-child.mjs';
import { readPoses } from '../protocol.mjs';
import { ERRORS, NEAR } from './asking.mjs';

const VERIFY = fileURLToPath(new URL('./verify.mjs', import.meta.url));
/** Steps of the fall: hardly touching, bouncing, landing, at rest. */
const STEPS = [80, 200, 300, 499];

export async function answersRow({ figures, models }) {
  const { millions } = models;
  figures.begin(
    'answers',
    `a turbine of ${models.turbineMillions} M on ${millions} M triangles (stand-ins), a sample compared with exact queries`,
  );
  const [a, b] = [models.lucy(millions), models.turbine()];
  const falling = readPoses(models.fall());
  const around = models.around();
  const some = around.filter(({ kind }, i) => i % (kind === 'apart' ? 25 : 4) === 0);
  const poses = [...STEPS.map((step) => falling[step]), ...some];
  const size = models.lucySize();
  const job = {
    ...{ a, b, storeA: await models.store(a), storeB: await models.store(b) },
    ...{ poses: models.posesFile('compared', poses), size, distance: NEAR * size },
    errors: ERRORS.map((share) => share * size),
  };
  const { stdout } = await measureScript(VERIFY, [JSON.stringify(job)]);
  const { compared, failures } = JSON.parse(stdout);
  figures.add(`${poses.length} poses, ${ERRORS.length} errors`, {
    'pairs of originals': count(compared.originals),
    'pairs of patches': count(compared.patches),
    distances: count(compared.distances),
    wrong: count(failures.length, 0),
  });
  for (const failure of failures) figures.assert(false, failure);
}
