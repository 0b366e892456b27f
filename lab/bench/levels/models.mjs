/**
 * The models of the benchmark, made once and kept in a folder: scans as binary PLY files, stores beside them.
 *
 * Full-size Lucy and the turbine of the paper are not to be had. Their stand-ins: a scan of 100 000 triangles refined
 * with seeded detail at every scale, and a generated turbine.
 */
import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plant } from '@impinge/scenes/plant';
import { plyOf, plyOfMesh, refineScan, turbine } from '@impinge/scenes/standins';
import { icosphere, randomRotation, seededRandom } from '../../scenes/index.mjs';
import { boxOf } from '../inputs.mjs';
import { COMMAND, measureScript, runCommand } from '../measure/measure-child.mjs';
import { readPly } from '../ply.mjs';
import { readPoses, writePoses } from '../protocol.mjs';
import { countsOf, writeChunks } from './binary-ply.mjs';
import { fallPoses } from './fall.mjs';

export const SCANS = new URL('../../../../shared/data/scans/', import.meta.url);
export const ANATOMY = fileURLToPath(new URL('../anatomy/body-upper.glb', SCANS));
const LUCY_MILLIONS = 28;
const TURBINE_MILLIONS = 1.7;
const PLANT_TRIANGLES = 12_800_000;
const QUICK_TURBINE_MILLIONS = 0.17;
const QUICK_PLANT_TRIANGLES = 300_000;
/** Length of the turbine as a share of Lucy's size. */
const TURBINE_LENGTH = 0.4;
/** The minimum for a turbine. */
const COARSE_TURBINE_TRIANGLES = 80_000;
const SPHERE_FREQUENCY = 122;
/** Metres. */
export const DRAGON_LENGTH = 6;

const THROUGH_STEPS = 200;
const THROUGH_HEIGHT = 3;
/** Side of a bay of the plant, metres. */
const MODULE = 12;

/** The seed of a fall that ends on the model, not beside it. */
const FALL_SEED = 15;
const FALL_STEPS = 500;
/** Shares of Lucy's size. */
const PRESSED = [0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.008, 0.01];
/** A hundred, from a tenth down to 0.8 %, closer together where they are near. */
const LIFTED = Array.from({ length: 100 }, (_, i) => 0.1 / (1 + (11.5 * i) / 99));

export class Models {
  /** Millions of triangles of the largest Lucy, and of the turbine. */
  millions;
  turbineMillions;
  plantTriangles;
  #folder;
  #fresh;
  #packed = new Set();
  #scan;

  /**
   * @param {string} folder where models are kept; it exists
   * @param {{ quick?: boolean, fresh?: boolean }} options small ones; stores packed again that are there
   */
  constructor(folder, { quick = false, fresh = false } = {}) {
    this.#folder = folder;
    this.#fresh = fresh;
    this.millions = quick ? 1 : LUCY_MILLIONS;
    this.turbineMillions = quick ? QUICK_TURBINE_MILLIONS : TURBINE_MILLIONS;
    this.plantTriangles = quick ? QUICK_PLANT_TRIANGLES : PLANT_TRIANGLES;
  }

  /** The store with levels of a model. */
  async store(file) {
    const store = storeOf(file);
    const isKept = existsSync(store) && (!this.#fresh || this.#packed.has(store));
    if (!isKept) await this.pack(file);
    return store;
  }

  /** Packs a model with levels and measures it. */
  async pack(file) {
    const store = storeOf(file);
    const measured = await measureScript(COMMAND, ['pack', file, '--levels', '-o', store, '--workers', '1']);
    this.#packed.add(store);
    return { ...measured, bytes: statSync(store).size, triangles: countsOf(file).faces };
  }

  /** The store of the plant, with levels. */
  plantStore(triangles = this.plantTriangles) {
    return this.#stored(`plant-${triangles}.impinge`, (store) =>
      runCommand('generate', '--triangles', String(triangles), '--levels', '-o', store),
    );
  }

  /** The store of an upper body (BodyParts3D), with levels. */
  anatomyStore() {
    return this.#stored('anatomy.impinge', (store) => runCommand('pack', ANATOMY, '--levels', '-o', store));
  }

  /** Lucy refined to about this many millions of triangles. */
  lucy(millions) {
    return this.#made(`lucy-${millions}m.ply`, () =>
      plyOf(refineScan(this.#lucyScan(), { triangles: 1e6 * millions })),
    );
  }

  /** Centred, in proportion to Lucy. */
  turbine() {
    const triangles = 1e6 * this.turbineMillions;
    return this.#made(`turbine-${triangles}.ply`, () => plyOfMesh(this.#scaledTurbine(triangles)));
  }

  /** Centred, in the plant's metres. */
  dragon() {
    return this.#made('dragon.ply', () =>
      plyOfMesh(scaledTo(readPly(new URL('dragon.ply.gz', SCANS)), DRAGON_LENGTH)),
    );
  }

  /** Centred, half as large as the dragon. */
  armadillo() {
    return this.#made('armadillo.ply', () =>
      plyOfMesh(scaledTo(readPly(new URL('armadillo.ply', SCANS)), DRAGON_LENGTH / 2)),
    );
  }

  /** 297 680 triangles; the outer one is 0.1 % larger. */
  sphere(radius) {
    return this.#made(`sphere-${radius}.ply`, () => plyOfMesh(icosphere(SPHERE_FREQUENCY, radius)));
  }

  /** Largest extent of Lucy. */
  lucySize() {
    return sizeOf(this.#lucyScan().positions);
  }

  /** Poses of the turbine falling onto Lucy, who lies on her back: computed on coarse versions of both. */
  fall() {
    const path = this.#path('fall.poses');
    if (!existsSync(path)) {
      const size = this.lucySize();
      const random = seededRandom(FALL_SEED);
      const rotation = Array.from(randomRotation(random));
      const start = [0.1 * size * (random() - 0.5), 0.5 * size * (random() - 0.5), 0.35 * size];
      const poses = fallPoses(this.#lucyScan(), this.#scaledTurbine(COARSE_TURBINE_TRIANGLES), {
        ...{ steps: FALL_STEPS, size, start, rotation },
        down: [0, 0, -1],
      });
      writePoses(`${path}.part`, poses);
      renameSync(`${path}.part`, path);
    }
    return path;
  }

  /** The turbine at rest, pressed deeper into Lucy or lifted off her: `pressed` for pairs, `apart` for distances. */
  around() {
    const last = readPoses(this.fall()).at(-1);
    const size = this.lucySize();
    const lowered = (kind) => (share) => ({
      kind,
      rotation: last.rotation,
      translation: [last.translation[0], last.translation[1], last.translation[2] - share * size],
    });
    return [...PRESSED.map(lowered('pressed')), ...LIFTED.map((share) => lowered('apart')(-share))];
  }

  /** Poses of the dragon on a straight way through a unit of the plant, turning as it goes. */
  through() {
    const { x, y, modules } = plant({ triangles: this.plantTriangles }).units[0];
    return Array.from({ length: THROUGH_STEPS }, (_, i) => {
      const share = i / (THROUGH_STEPS - 1);
      // a rational point of the circle
      const t = 2 * share - 1;
      const [cosine, sine] = [(1 - t * t) / (1 + t * t), (2 * t) / (1 + t * t)];
      return {
        kind: 'through',
        rotation: [cosine, -sine, 0, sine, cosine, 0, 0, 0, 1],
        translation: [x + MODULE * modules * share, y + MODULE / 2, THROUGH_HEIGHT],
      };
    });
  }

  /** Writes poses to a file for another process. */
  posesFile(name, poses) {
    const path = this.#path(`${name}.poses`);
    writePoses(path, poses);
    return path;
  }

  #path(name) {
    return join(this.#folder, name);
  }

  #made(name, chunks) {
    const path = this.#path(name);
    if (!existsSync(path)) writeChunks(path, chunks());
    return path;
  }

  async #stored(name, make) {
    const store = this.#path(name);
    if (!existsSync(store) || (this.#fresh && !this.#packed.has(store))) {
      await make(store);
      this.#packed.add(store);
    }
    return store;
  }

  #lucyScan() {
    if (!this.#scan) {
      const { positions, indices } = readPly(new URL('lucy-100k.ply', SCANS));
      this.#scan = { positions: Float32Array.from(positions), indices };
    }
    return this.#scan;
  }

  #scaledTurbine(triangles) {
    return scaledTo(turbine(triangles), TURBINE_LENGTH * this.lucySize());
  }
}

/** Centred, with a largest extent of `size`. */
function scaledTo({ positions, indices }, size) {
  const { min, max } = boxOf(positions);
  const scale = size / sizeOf(positions);
  const middle = min.map((low, k) => (low + max[k]) / 2);
  return { positions: Float32Array.from(positions, (x, i) => scale * (x - middle[i % 3])), indices };
}

/** Largest extent. */
export function sizeOf(positions) {
  const { min, max } = boxOf(positions);
  return Math.max(...max.map((high, k) => high - min[k]));
}

function storeOf(file) {
  return file.replace(/\.ply$/, '.impinge');
}
