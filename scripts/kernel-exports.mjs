// What a kernel module exports, read from its source: index.ts names the functions and their files.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NUMBERS = ['i32', 'u32', 'usize', 'f32', 'f64', 'bool'];
/** Types of AssemblyScript → what JavaScript passes, and what comes back. */
const PASSED = { ...Object.fromEntries(NUMBERS.map((type) => [type, 'number'])), bool: 'boolean' };
const RETURNED = { ...Object.fromEntries(NUMBERS.map((type) => [type, 'number'])), void: 'void' };
for (const types of [PASSED, RETURNED]) types.i64 = types.u64 = 'bigint';

/** Name → names and types of the parameters, and the type of the result, as TypeScript says them. */
export function exportsOf(index) {
  const found = new Map();
  for (const [, names, path] of readFileSync(index, 'utf8').matchAll(
    /^export \{([^}]*)\} from '([^']+)';/gm,
  )) {
    const file = join(dirname(index), `${path}.ts`);
    const source = readFileSync(file, 'utf8');
    for (const name of names
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)) {
      const [, list, result] =
        source.match(new RegExp(`^export function ${name}\\(([^)]*)\\): (\\w+) \\{`, 'm')) ??
        fail(file, name, 'is not a function with a type for its result');
      const parameters = list
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
        .map((part) => {
          const [, parameter, type] =
            part.match(/^(\w+): (\w+)$/) ?? fail(file, name, `has a parameter "${part}"`);
          return { name: parameter, type: PASSED[type] ?? fail(file, name, `takes ${type}`) };
        });
      found.set(name, { parameters, result: RETURNED[result] ?? fail(file, name, `returns ${result}`) });
    }
  }
  return found;
}

/** The exports as the members of an interface. */
export function membersOf(exported) {
  return [...exported].map(([name, { parameters, result }]) => {
    const list = parameters.map((parameter) => `${parameter.name}: ${parameter.type}`).join(', ');
    return `  ${name}(${list}): ${result};`;
  });
}

function fail(file, name, what) {
  throw new Error(`${file}: ${name} ${what}, which no host can call`);
}
