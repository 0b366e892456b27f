/**
 * Mutants that keep the structure of their format: one part changes, and lengths and checksums around it are corrected,
 * so that the code behind the first check is reached.
 */
import { mutateBytes } from './bytes.mjs';
import { below, oneIn, oneOf } from './choose.mjs';
import { mutateContactLevels } from './contact-levels.mjs';
import { CONTAINERS } from './containers.mjs';
import { mutateJournal } from './journal.mjs';
import { jsonText, mutateJson } from './json.mjs';
import { mutateStore } from './store.mjs';
import { mutateText } from './text.mjs';
import { mutateXml } from './xml.mjs';

const textOf = (bytes) => bytes.toString('latin1');
const bytesOf = (text) => Buffer.from(text, 'latin1');

const text = (bytes, random, other) => bytesOf(mutateText(textOf(bytes), random, textOf(other)));

const xml = (bytes, random, other) => bytesOf(mutateXml(textOf(bytes), random, textOf(other)));

function json(bytes, random) {
  const root = parsed(bytes);
  if (root === undefined) return mutateBytes(bytes, random);
  if (oneIn(random, 3)) mutateDataUri(root, random);
  return Buffer.from(jsonText(mutateJson(root, random)));
}

/** Mutates the bytes of one data URI, or its text. */
function mutateDataUri(root, random) {
  const buffers = Array.isArray(root?.buffers) ? root.buffers : [];
  const holders = buffers.filter(
    (buffer) => typeof buffer?.uri === 'string' && buffer.uri.startsWith('data:'),
  );
  if (holders.length === 0) return;
  const holder = oneOf(random, holders);
  const [head, body] = holder.uri.split(',');
  holder.uri = oneIn(random, 2)
    ? `${head},${mutateBytes(Buffer.from(body ?? '', 'base64'), random).toString('base64')}`
    : textOf(mutateBytes(bytesOf(holder.uri), random));
}

/** One JSON document per line. */
function jsonLines(bytes, random, other) {
  const lines = textOf(bytes).split('\n');
  const at = below(random, lines.length);
  const root = parsed(bytesOf(lines[at]));
  if (root === undefined || oneIn(random, 4)) return text(bytes, random, other);
  lines[at] = jsonText(mutateJson(root, random));
  return bytesOf(lines.join('\n'));
}

/** Mutates one of the contents by its own rule; `weights` are relative frequencies. */
const inside = (extension, weights, rules) => (bytes, random, other) => {
  const contents = CONTAINERS[extension].open(bytes);
  const others = CONTAINERS[extension].open(other) ?? contents;
  if (contents === undefined || contents.length === 0) return mutateBytes(bytes, random, other);
  const kind = oneOf(random, weights);
  // entries of an archive repeat the pattern of names and contents
  const at = kind + rules.length * below(random, Math.floor(contents.length / rules.length));
  contents[at] = rules[kind](contents[at], random, others[kind] ?? contents[at]);
  return CONTAINERS[extension].close(contents);
};

const stl = (bytes, random, other) =>
  textOf(bytes.subarray(0, 5)) === 'solid' ? text(bytes, random, other) : mutateBytes(bytes, random, other);
const plain = (bytes, random) => mutateBytes(bytes, random);

function ply(bytes, random, other) {
  if (bytes.includes('format ascii')) return text(bytes, random, other);
  return inside('ply', [0, 1], [text, plain])(bytes, random, other);
}

function parsed(bytes) {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The mutation for each file extension. */
const STRUCTURES = {
  obj: text,
  stl,
  ply,
  gltf: json,
  glb: inside('glb', [0, 0, 1], [json, plain]),
  '3mf': inside('3mf', [0, 1, 1, 1, 1, 1, 1], [plain, text]),
  ifc: text,
  ifczip: inside('ifczip', [0, 1, 1, 1], [plain, text]),
  'stl.gz': inside('stl.gz', [0], [stl]),
  'obj.gz': inside('obj.gz', [0], [text]),
  bcfzip: inside('bcfzip', [0, 1, 1, 1, 1, 1, 1], [plain, xml]),
  bcf: inside('bcf', [0, 1, 1, 1, 1, 1, 1], [plain, xml]),
  step: text,
  igs: text,
  impinge: mutateStore,
  'contact-levels': mutateContactLevels,
  journal: mutateJournal,
  'review.yaml': text,
  'review.json': json,
  yaml: text,
  jsonl: jsonLines,
  json,
  txt: text,
};

/** The extension of a file name, as listed above. */
export const extensionOf = (name) =>
  Object.keys(STRUCTURES).find((extension) => name.endsWith(`.${extension}`));

const RAW_SHARE = 0.15;
/** Mostly one change: the more changes, the sooner a reader rejects the file. */
const CHANGES = [1, 1, 1, 1, 2, 2, 3, 5];

/** Applies a few changes, most of them within the structure; `other` is another seed of the same kind. */
export function mutant(seed, extension, random, other) {
  let bytes = seed;
  for (let left = oneOf(random, CHANGES); left > 0; left--) {
    const change = random() < RAW_SHARE ? mutateBytes : STRUCTURES[extension];
    try {
      bytes = change(bytes, random, other);
    } catch (error) {
      // nested too deeply to serialise: keep the previous change
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return bytes;
}
