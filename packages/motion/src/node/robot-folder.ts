/**
 * Robot files on disk, and the files that they name.
 *
 * Robot files come from anywhere: nothing outside of the robot file's folder, the folders above it that are named like
 * a package, and the packages that the caller names is ever opened, by no link either.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ImpingeError } from 'impinge';
import { readKnown } from 'impinge/internal/base/options.js';
import { quoted } from 'impinge/internal/formats/mesh-file.js';
import { readDisabledPairs, readRobot } from '../mechanism/files/read-robot.js';
import type { OpenedFile, RobotFiles } from '../mechanism/files/robot-meshes.js';
import type { Mechanism } from '../mechanism/mechanism.js';

export interface LoadRobotOptions {
  /** Folders of packages, by the names in `package://…` and `model://…`. */
  readonly packages?: Readonly<Record<string, string>>;
  /** An SRDF file, for `allowed`. */
  readonly srdf?: string;
}

export interface LoadedRobot {
  readonly mechanism: Mechanism;
  /** The pairs of links that the SRDF file lets touch. */
  readonly allowed: readonly (readonly [string, string])[];
}

const NAMES = { packages: true, srdf: true } as const;
const MOST_BYTES = 256e6;

/** Reads a robot from a URDF or SDF file and the meshes that it names. */
export async function loadRobot(path: string, options: LoadRobotOptions = {}): Promise<LoadedRobot> {
  const { packages = {}, srdf } = readKnown('loadRobot', options, NAMES);
  const name = basename(path);
  const mechanism = await readRobot(await textOf(path), { name, files: robotFolder(path, packages) });
  const allowed = srdf === undefined ? [] : readDisabledPairs(await textOf(srdf), mechanism, basename(srdf));
  return { mechanism, allowed };
}

/** What a robot file may name: files of its folder and of packages. */
export function robotFolder(path: string, packages: Readonly<Record<string, string>> = {}): RobotFiles {
  const folder = dirname(resolve(path));
  return {
    open: async (address) => {
      const { file, within } = placeOf(address, folder, packages);
      const [real, root] = await Promise.all(
        [file, within].map((one) => realpath(one).catch(() => undefined)),
      );
      if (real === undefined || root === undefined) return undefined;
      if (!isWithin(root, real)) throw refusal(address);
      return opened(real);
    },
  };
}

function placeOf(address: string, folder: string, packages: Readonly<Record<string, string>>) {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(address) ?? [];
  if (scheme === undefined) return checked(address, resolve(folder, address), folder);
  if (scheme === 'file') {
    try {
      return checked(address, fileURLToPath(address), folder);
    } catch (error) {
      if (error instanceof ImpingeError) throw error;
      throw new ImpingeError('bad-input', `${quoted(address)} is no path`);
    }
  }
  if (scheme !== 'package' && scheme !== 'model')
    throw new ImpingeError('unsupported', `${quoted(scheme)} addresses are not read`);
  const [name, ...parts] = rest.split('/');
  const within = packageFolder(name, folder, packages);
  return checked(address, resolve(within, ...parts), within);
}

/** As the caller says; else a folder above the robot file that is named so, or one beside it. */
function packageFolder(name: string, folder: string, packages: Readonly<Record<string, string>>): string {
  if (Object.hasOwn(packages, name)) return resolve(packages[name]);
  for (let above = folder; dirname(above) !== above; above = dirname(above)) {
    if (basename(above) === name) return above;
  }
  return checked(name, join(folder, name), folder).file;
}

function checked(address: string, file: string, within: string) {
  if (address.includes('\0') || !isWithin(within, file)) throw refusal(address);
  return { file, within };
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function refusal(address: string): ImpingeError {
  return new ImpingeError(
    'bad-input',
    `${quoted(address)} leads out of the folders of the robot and its packages`,
  );
}

async function opened(path: string): Promise<OpenedFile> {
  const { size } = await regular(path);
  if (size > MOST_BYTES) throw new ImpingeError('bad-input', `larger than ${MOST_BYTES} bytes`);
  return { name: basename(path), bytes: new Uint8Array(await readFile(path)) };
}

async function textOf(path: string): Promise<string> {
  if (typeof path !== 'string')
    throw new ImpingeError('bad-input', 'the path of a robot file must be a string');
  const { size } = await regular(path);
  if (size > MOST_BYTES) throw new ImpingeError('bad-input', `${path}: larger than ${MOST_BYTES} bytes`);
  return readFile(path, 'utf8');
}

async function regular(path: string) {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new ImpingeError('bad-input', `${path}: no such file`, { file: path });
  if (!found.isFile()) throw new ImpingeError('bad-input', `${path}: is not a regular file`, { file: path });
  return found;
}
