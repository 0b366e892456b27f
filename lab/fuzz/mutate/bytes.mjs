/** Mutations of raw bytes, including numbers of two, four and eight bytes. */
import { below, NUMBERS, oneOf, shortLength } from './choose.mjs';

/** Size limit of a mutant; seeds have a few kilobytes. */
const MOST_BYTES = 1 << 18;

const CHANGES = {
  flipBit: (bytes, random) => {
    bytes[below(random, bytes.length)] ^= 1 << below(random, 8);
    return bytes;
  },
  setByte: (bytes, random) => {
    bytes[below(random, bytes.length)] = oneOf(random, [0, 1, 10, 13, 32, 34, 48, 127, 128, 255]);
    return bytes;
  },
  setNumber: (bytes, random) => {
    const size = oneOf(random, [2, 4, 4, 4, 8]);
    if (bytes.length < size) return bytes;
    // mostly aligned, as numbers in files are
    const at = below(random, bytes.length - size + 1);
    writeNumber(bytes, random() < 0.8 ? at - (at % Math.min(size, 4)) : at, size, random);
    return bytes;
  },
  cut: (bytes, random) => bytes.slice(0, below(random, bytes.length + 1)),
  remove: (bytes, random) => {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  insert: (bytes, random) => {
    const at = below(random, bytes.length + 1);
    const added = Uint8Array.from({ length: shortLength(random, 64) }, () => below(random, 256));
    return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
  },
  repeat: (bytes, random) => {
    const [from, to] = range(bytes, random);
    const times = Math.min(shortLength(random, 2000), Math.floor(MOST_BYTES / (to - from)));
    const parts = Array.from({ length: Math.max(1, times) }, () => bytes.subarray(from, to));
    return Buffer.concat([bytes.subarray(0, to), ...parts, bytes.subarray(to)]);
  },
  copy: (bytes, random) => {
    const [from, to] = range(bytes, random);
    const length = to - from;
    bytes.copyWithin(below(random, bytes.length - length + 1), from, to);
    return bytes;
  },
  splice: (bytes, random, other) => {
    const [from, to] = range(bytes, random);
    const [otherFrom, otherTo] = range(other, random);
    return Buffer.concat([bytes.subarray(0, from), other.subarray(otherFrom, otherTo), bytes.subarray(to)]);
  },
};

/** One change; `other` is another seed of the same kind. */
export function mutateBytes(source, random, other = source) {
  if (source.length === 0 || other.length === 0) return Buffer.from([below(random, 256)]);
  const bytes = Buffer.from(source);
  const weighted = ['flipBit', 'setByte', 'setNumber', 'setNumber', ...Object.keys(CHANGES)];
  return CHANGES[oneOf(random, weighted)](bytes, random, other).subarray(0, MOST_BYTES);
}

function range(bytes, random) {
  const from = below(random, bytes.length);
  return [from, Math.min(bytes.length, from + shortLength(random, bytes.length))];
}

function writeNumber(bytes, at, size, random) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const value = oneOf(random, NUMBERS);
  const little = random() < 0.9;
  if (size === 2) view.setInt16(at, value, little);
  else if (size === 8) view.setFloat64(at, value, little);
  else if (random() < 0.5) view.setInt32(at, value, little);
  else view.setFloat32(at, value, little);
}
