/**
 * Mutations of a store's directory, footer or pages with valid checksums, so that only the checks of meaning can reject
 * them.
 */
import {
  DIRECTORY_TABLE_BYTES,
  Foot,
  SECTION_NAMES,
  STORE_FOOT_BYTES,
  STORE_HEAD_BYTES,
} from '../../../packages/model/dist/store/layout.js';
import { joinChecksums, pageChecksum } from '../../../packages/model/dist/store/page-hash.js';
import { meshPartBytes, treePartBytes } from '../../../packages/model/dist/store/page-layout.js';
import { mutateBytes } from './bytes.mjs';
import { below, oneIn } from './choose.mjs';

export function mutateStore(source, random, other) {
  const bytes = Buffer.from(source);
  const foot = bytes.length - STORE_FOOT_BYTES;
  if (foot < STORE_HEAD_BYTES + DIRECTORY_TABLE_BYTES || foot % 16 !== 0)
    return mutateBytes(bytes, random, other);
  const at = bytes.readDoubleLE(foot + 4 * Foot.directoryByteOffset);
  if (!(at >= STORE_HEAD_BYTES && at + DIRECTORY_TABLE_BYTES <= foot))
    return mutateBytes(bytes, random, other);
  if (oneIn(random, 8)) overwrite(bytes, foot, bytes.length, random);
  else if (oneIn(random, 3)) overwritePage(bytes, at, random);
  else overwrite(bytes, at, foot, random);
  seal(bytes, at, foot);
  return bytes;
}

/** Changes bytes between two positions without changing the length. */
function overwrite(bytes, from, to, random) {
  const changed = mutateBytes(bytes.subarray(from, to), random);
  changed.copy(bytes, from, 0, Math.min(changed.length, to - from));
}

function overwritePage(bytes, directory, random) {
  const column = (name) => {
    const entry = directory + 16 * SECTION_NAMES.indexOf(name);
    return { at: directory + bytes.readDoubleLE(entry), length: bytes.readDoubleLE(entry + 8) };
  };
  const offsets = column('pieceByteOffset');
  const piece = below(random, Math.max(1, offsets.length / 8));
  const word = (name) => column(name).at + 4 * piece;
  try {
    const count = (name) => bytes.readUInt32LE(word(name));
    const meshBytes = meshPartBytes(count('pieceVertices'), count('pieceTriangles'));
    const treeBytes = treePartBytes(count('pieceBlocks'), count('piecePending'));
    const start = bytes.readDoubleLE(offsets.at + 8 * piece);
    overwrite(bytes, start, start + meshBytes + treeBytes, random);
    const [mesh, tree] = [
      bytes.subarray(start, start + meshBytes),
      bytes.subarray(start + meshBytes, start + meshBytes + treeBytes),
    ];
    bytes.writeUInt32LE(joinChecksums(pageChecksum(mesh), pageChecksum(tree)), word('pieceChecksum'));
  } catch {
    // an earlier change moved these numbers
  }
}

function seal(bytes, directory, foot) {
  const word = (name) => foot + 4 * Foot[name];
  bytes.writeUInt32LE(pageChecksum(bytes.subarray(directory, foot)), word('directoryChecksum'));
  bytes.writeUInt32LE(0, word('footChecksum'));
  bytes.writeUInt32LE(pageChecksum(bytes.subarray(foot)), word('footChecksum'));
}
