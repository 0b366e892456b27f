/** Mutations of a JSON tree: other types, other numbers, keys removed, moved and duplicated, deep nesting. */
import { below, NUMBERS, oneOf, shortLength, WORDS } from './choose.mjs';

/** Applies one change to a copy of the value. */
export function mutateJson(root, random) {
  const holder = { root: structuredClone(root) };
  const places = placesIn(holder);
  const { parent, key } = oneOf(random, places);
  const value = parent[key];
  switch (below(random, 10)) {
    case 0:
    case 1:
      parent[key] = typeof value === 'number' ? otherNumber(value, random) : oneOf(random, NUMBERS);
      break;
    case 2:
      parent[key] = oneOf(random, [null, true, {}, [], '', 0, -1, oneOf(random, WORDS)]);
      break;
    case 3:
      if (Array.isArray(parent)) parent.splice(key, 1);
      else delete parent[key];
      break;
    case 4: {
      const from = oneOf(random, places);
      parent[key] = structuredClone(from.parent[from.key]);
      break;
    }
    case 5:
      if (Array.isArray(value)) repeatElement(value, random);
      else parent[key] = [value];
      break;
    case 6:
      parent[key] = nested(value, random);
      break;
    case 7:
      // defineProperty, so that `__proto__` becomes an own key
      if (!Array.isArray(parent)) Object.defineProperty(parent, oneOf(random, WORDS), own(value));
      break;
    case 8: {
      const other = oneOf(random, places);
      [parent[key], other.parent[other.key]] = [other.parent[other.key], parent[key]];
      break;
    }
    default: {
      // numbers matter most in these formats
      const numbers = places.filter((place) => typeof place.parent[place.key] === 'number');
      if (numbers.length === 0) break;
      const place = oneOf(random, numbers);
      place.parent[place.key] = otherNumber(place.parent[place.key], random);
    }
  }
  return holder.root;
}

/** JSON text in which NaN and infinities are written as some programs write them. */
export function jsonText(value) {
  try {
    return JSON.stringify(value, (_, x) =>
      typeof x === 'number' && !Number.isFinite(x) ? `@${x}@` : x,
    ).replace(
      /"@(-?Infinity|NaN)@"/g,
      (_, x) => ({ NaN: 'NaN', Infinity: '1e999', '-Infinity': '-1e999' })[x],
    );
  } catch {
    return 'null'; // a cyclic value
  }
}

const own = (value) => ({ value, enumerable: true, configurable: true, writable: true });

function otherNumber(value, random) {
  return random() < 0.5 ? oneOf(random, NUMBERS) : value + oneOf(random, [-1, 1, 2, -4, 4, 1e6, 2 ** 32]);
}

function repeatElement(list, random) {
  if (list.length === 0) return;
  const at = below(random, list.length);
  const copies = Array.from({ length: shortLength(random, 2000) }, () => list[at]);
  list.splice(at, 0, ...copies);
}

function nested(value, random) {
  const asList = random() < 0.5;
  let out = value;
  for (let depth = shortLength(random, 5000); depth > 0; depth--) out = asList ? [out] : { a: out };
  return out;
}

function placesIn(holder) {
  const places = [];
  const open = [holder];
  for (let node = open.pop(); node !== undefined && places.length < 20_000; node = open.pop()) {
    for (const key of Array.isArray(node) ? node.keys() : Object.keys(node)) {
      places.push({ parent: node, key });
      if (typeof node[key] === 'object' && node[key] !== null) open.push(node[key]);
    }
  }
  return places;
}
