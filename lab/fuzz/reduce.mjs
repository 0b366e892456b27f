/**
 * Shrinks a file that causes a failure: each content of a container by itself, first by lines and keys, then by ranges
 * of bytes, halves before quarters, as long as the failure stays the same.
 */
import { CONTAINERS } from './mutate/containers.mjs';

/** The smallest file found within the time limit that still `fails`. */
export async function reduced(bytes, extension, fails, seconds) {
  const ends = performance.now() + 1000 * seconds;
  const isOver = () => performance.now() > ends;
  const container = CONTAINERS[extension];
  const contents = container?.open(bytes);
  if (contents === undefined || !(await fails(container.close(contents)))) {
    return reducedContent(bytes, fails, isOver);
  }
  for (let i = 0; i < contents.length; i++) {
    const whole = (content) => container.close(contents.with(i, content));
    contents[i] = await reducedContent(contents[i], (content) => fails(whole(content)), isOver);
  }
  return container.close(contents);
}

async function reducedContent(bytes, fails, isOver) {
  let smallest = bytes;
  smallest = await withoutKeys(smallest, fails, isOver);
  smallest = await withoutParts(smallest, (content) => split(content, 0x0a), fails, isOver);
  return withoutParts(smallest, (content) => [...content].map((byte) => Buffer.of(byte)), fails, isOver);
}

/** Removes ranges of parts: half of them, a quarter, down to one. */
async function withoutParts(bytes, partsOf, fails, isOver) {
  let parts = partsOf(bytes);
  for (let size = Math.ceil(parts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < parts.length && !isOver(); ) {
      const fewer = [...parts.slice(0, at), ...parts.slice(at + size)];
      if (await fails(Buffer.concat(fewer))) parts = fewer;
      else at += size;
    }
  }
  return Buffer.concat(parts);
}

/** Parts with their terminators. */
function split(bytes, end) {
  const parts = [];
  for (let from = 0; from < bytes.length; ) {
    const at = bytes.indexOf(end, from);
    const to = at < 0 ? bytes.length : at + 1;
    parts.push(bytes.subarray(from, to));
    from = to;
  }
  return parts;
}

/** Removes keys and elements of JSON, the outermost first. */
async function withoutKeys(bytes, fails, isOver) {
  let root;
  try {
    root = JSON.parse(bytes.toString('utf8'));
  } catch {
    return bytes;
  }
  const text = () => Buffer.from(JSON.stringify(root));
  if (typeof root !== 'object' || root === null || !(await fails(text()))) return bytes;
  const open = [root];
  for (let node = open.shift(); node !== undefined; node = open.shift()) {
    for (const key of Object.keys(node).reverse()) {
      if (isOver()) return text();
      const value = node[key];
      if (Array.isArray(node)) node.splice(key, 1);
      else delete node[key];
      if (await fails(text())) continue;
      if (Array.isArray(node)) node.splice(key, 0, value);
      else node[key] = value;
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return text();
}
