/**
 * The file formats: each consists of a reader and an entry in this table. Every command reads through `openSource`:
 * shapes one after the other, each with the objects that use it, so that a file never has to be in memory as a whole.
 *
 * Invariant: every coordinate is finite, every index is in range, every pose is rigid, the world is Z up. Coordinates
 * keep the file's own unit and bits.
 */
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { CommandError } from '../command-error.js';
import { READ_NOW } from '../regular-file.js';
import { asFormatError, assertFile, FormatError } from './format-error.js';
import type { ModelSource, SourceOptions } from './model-source.js';

export type Reader = (path: string, options: SourceOptions) => Promise<ModelSource>;

export interface Format {
  /** For people. */
  readonly name: string;
  /** Lower case, without the dot; such files are looked for in folders. */
  readonly extensions: readonly string[];
  /** An extension not searched for in folders. */
  readonly namedExtension?: string;
  /** The first bytes of a file of this format, whatever its name. */
  readonly magic?: RegExp;
  /** Possible first bytes, which decide for files with an unknown extension. */
  readonly hint?: RegExp;
  /** The unit of its files, where they or their format state one; for display. */
  readonly unit?: string;
  /** A package that is not installed with the command. */
  readonly needs?: string;
  /** Whether reading takes much longer than packing. */
  readonly slow?: true;
  /** Loads the reader, which happens when the first such file comes: the one for IFC alone is megabytes. */
  readonly reader: () => Promise<Reader>;
}

export const FORMATS: readonly Format[] = [
  {
    name: 'IFC',
    extensions: ['ifc'],
    slow: true,
    unit: 'the unit it states',
    magic: /^\s*ISO-10303-21\s*;/,
    reader: async () => (await import('./step-file.js')).stepFileSource,
  },
  {
    name: 'STEP',
    extensions: ['step', 'stp'],
    slow: true,
    needs: 'occt-import-js',
    unit: 'the unit it states',
    magic: /^\s*ISO-10303-21\s*;/,
    reader: async () => (await import('./step-file.js')).stepFileSource,
  },
  {
    name: 'IGES',
    extensions: ['iges', 'igs'],
    slow: true,
    needs: 'occt-import-js',
    unit: 'the unit it states',
    hint: /^.{72}S {0,6}1\s/,
    reader: async () => (await import('./cad/cad.js')).igesSource,
  },
  {
    name: 'IFC',
    // not searched for in folders: recognised only to explain what to do
    extensions: [],
    magic: /^\s*<(?=[\s\S]*(ifcXML|iso_10303_28))/i,
    reader: async () => (await import('./ifc/ifc.js')).ifcXmlSource,
  },
  {
    name: 'glTF',
    extensions: ['gltf', 'glb'],
    unit: 'metres, as glTF always is',
    magic: /^(glTF|\s*\{)/,
    reader: async () => (await import('./gltf/gltf.js')).gltfSource,
  },
  {
    name: 'STL',
    extensions: ['stl'],
    hint: /^\s*solid\b/i,
    reader: async () => (await import('./stl/stl.js')).stlSource,
  },
  { name: 'OBJ', extensions: ['obj'], reader: async () => (await import('./obj/obj.js')).objSource },
  {
    name: 'PLY',
    extensions: ['ply'],
    magic: /^ply\s/,
    reader: async () => (await import('./ply/ply.js')).plySource,
  },
  {
    name: '3MF',
    extensions: ['3mf'],
    unit: 'the unit it states',
    // any zip archive: its contents decide
    magic: /^PK[^ -~]{2}/,
    reader: async () => (await import('./zipped.js')).zippedSource,
  },
  {
    name: 'IFC',
    extensions: ['ifczip'],
    slow: true,
    unit: 'the unit it states',
    magic: /^PK[^ -~]{2}/,
    reader: async () => (await import('./ifc/ifc.js')).ifcSource,
  },
  {
    name: 'impinge stores',
    // in folders they lie beside their sources
    extensions: [],
    namedExtension: 'impinge',
    magic: /^IMPS/,
    unit: 'the unit in which it was packed',
    reader: async () => (await import('./store/store.js')).storeSource,
  },
];

/** The names of all formats, as a list for people. */
export const FORMAT_NAMES = listed([...new Set(FORMATS.map(({ name }) => name))]);

/** The extensions of the files that are looked for in folders. */
export const MODEL_EXTENSIONS: readonly string[] = FORMATS.flatMap(({ extensions }) => extensions);

/** Extensions of unsupported models, so that they can be reported for folders. */
const OTHER_MODEL_EXTENSIONS =
  'ifcxml dwg dxf dgn nwd nwc nwf rvt rfa skp fbx dae 3ds 3dm max blend usd usda usdc usdz x3d wrl sat sab x_t x_b jt prt asm sldprt sldasm catpart catproduct ipt iam pln vwx smc gml e57 las laz rcp'.split(
    ' ',
  );

const HEAD_BYTES = 512;

/** Opens `path`; everything that is wrong with the file comes as a FormatError, here or from `shapes()`. */
export async function openSource(path: string, options: SourceOptions): Promise<ModelSource> {
  options.signal?.throwIfAborted();
  try {
    const reader = await formatOf(await readHead(path), path).reader();
    return await reader(path, options);
  } catch (error) {
    throw asFormatError(error, path);
  }
}

/**
 * Throws where a unit is given for files that do not state one, and there are none of these: the option would be
 * silently ignored.
 */
export async function assertUnitUsed(
  paths: readonly string[],
  metresPerUnit: number | undefined,
): Promise<void> {
  if (metresPerUnit === undefined || paths.length === 0) return;
  let stated = '';
  for (const path of paths) {
    const { unit } = formatOf(await readHead(path), path);
    if (unit === undefined) return;
    stated ||= unit;
  }
  const name = basename(paths[0]);
  throw new CommandError(
    `--unit: ${name} is in ${stated}; to read it in another, write --unit "${name}: …" with that unit`,
  );
}

/** Whether the file is in a format that takes long to read. */
export async function isReadSlowly(path: string): Promise<boolean> {
  try {
    return formatOf(await readHead(path), path).slow === true;
  } catch {
    return false; // the reader reports that
  }
}

/** Whether the name is that of a model, packed by gzip or not. */
export function isModelName(name: string): boolean {
  return MODEL_EXTENSIONS.includes(extensionOf(name));
}

/** Whether the name is that of a model in a format that is not read. */
export function isOtherModelName(name: string): boolean {
  return OTHER_MODEL_EXTENSIONS.includes(extensionOf(name));
}

function formatOfName(path: string): Format | undefined {
  const extension = extensionOf(path);
  return FORMATS.find((format) => [...format.extensions, format.namedExtension].includes(extension));
}

function extensionOf(path: string): string {
  const plain = basename(path).replace(/\.gz$/i, '');
  return /\.([a-z0-9_]+)$/i.exec(plain)?.[1].toLowerCase() ?? '';
}

/** The format of a file that begins with `head`: by its contents, then by its name. */
function formatOf(head: Uint8Array, path: string): Format {
  const text = Buffer.from(head)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const named = formatOfName(path);
  const format =
    (named?.magic?.test(text) ? named : undefined) ??
    FORMATS.find(({ magic }) => magic?.test(text)) ??
    named ??
    FORMATS.find(({ hint }) => hint?.test(text));
  if (format === undefined) throw new FormatError(path, `unknown format; ${FORMAT_NAMES} are supported`);
  return format;
}

/** The first bytes of the contents: of a gzip file, decompressed. */
async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path, READ_NOW);
  try {
    assertFile(path, await handle.stat());
    const { bytesRead, buffer } = await handle.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    if (bytesRead === 0) throw new FormatError(path, 'is empty');
    return unpackedHead(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

function unpackedHead(head: Uint8Array): Uint8Array {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return head;
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, HEAD_BYTES);
  } catch {
    // the reader reports the error
    return new Uint8Array(0);
  }
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
