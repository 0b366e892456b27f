/** Packs files into stores with levels, certified, on one core. */
import { megabytes, seconds } from '../measure/figures.mjs';

const LEAST_PER_SECOND = 100_000;
const MOST_MEGABYTES = 512;
const MOST_BYTES = 40;

export async function buildRow({ figures, models, quick }) {
  const { millions } = models;
  figures.begin('build', 'a PLY file into a store with levels, one worker');
  for (const [name, file] of [
    [`lucy ${millions} M (stand-in)`, models.lucy(millions)],
    [`turbine ${models.turbineMillions} M (stand-in)`, models.turbine()],
    ['dragon', models.dragon()],
  ]) {
    const { seconds: wall, cpuSeconds, peakRss, bytes, triangles } = await models.pack(file);
    figures.add(name, {
      rate: {
        value: triangles / cpuSeconds,
        unit: 'triangles/s',
        asked: quick ? undefined : { least: LEAST_PER_SECOND },
      },
      'processor time': seconds(cpuSeconds),
      seconds: seconds(wall),
      'peak RSS': megabytes(peakRss, quick ? undefined : MOST_MEGABYTES),
      'bytes per triangle': {
        value: bytes / triangles,
        unit: 'B',
        asked: quick ? undefined : { most: MOST_BYTES },
      },
    });
  }
}
