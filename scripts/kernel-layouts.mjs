// What both sides know of memory is written once, in the kernels: constants that a line `// host: …` of their file
// names are written for TypeScript as well.
//
//   // host: HIT_BYTES FULL       export const HIT_BYTES = 40; …
//   // host: BODY SPIN / 8        the same, counted in float64
//   // host: Ctx.* = CTX_* / 4    export const Ctx = { start: 4, … } as const: all that begin with CTX_, in words
//   // host: Status.* = DONE FULL
//
// What is named by itself is in no group of a prefix.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CONSTANT =
  /^(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:export )?const ([A-Z\d_]+): \w+ = (0x[\da-f]+|[\d.]+(?:e-?\d+)?);/gm;
const HOST = /^\/\/ host: (?:(\w+)\.\* = )?([A-Z\d_* ]+?)(?: \/ ([48]))?$/;

/** Name → text and comment of every constant of a kernel that is a plain number. */
export function constantsIn(source) {
  return new Map([...source.matchAll(CONSTANT)].map(([, doc = '', name, text]) => [name, { doc, text }]));
}

/** The text of a module that declares what the host is to know of the kernels in a folder; '' where that is nothing. */
export function layoutOf(folder) {
  const declared = new Map();
  for (const file of readdirSync(folder).sort()) {
    if (file.endsWith('.ts')) addFile(join(folder, file), declared);
  }
  return [...declared].map(([name, value]) => declarationOf(name, value)).join('');
}

/** Adds name → constant, or group → name → constant. */
function addFile(file, declared) {
  const fail = (what) => {
    throw new Error(`${file}: ${what}`);
  };
  const source = readFileSync(file, 'utf8');
  const constants = constantsIn(source);
  const lines = (source.match(/^\/\/ host:.*$/gm) ?? []).map((line) => {
    const [, group, names, unit = 1] = line.match(HOST) ?? fail(`"${line}" is not understood`);
    return { group, names: names.split(' '), unit: Number(unit) };
  });
  const single = new Set(lines.flatMap(({ names }) => names));
  const add = (to, name, constant, unit) => {
    const { doc, text } =
      constants.get(constant) ?? fail(`${constant} is not a constant that is a plain number`);
    if (to.has(name)) fail(`the host knows another ${name}`);
    if (unit > 1 && text % unit !== 0) fail(`${constant} is no multiple of ${unit}`);
    to.set(name, { doc, text: unit > 1 ? String(text / unit) : text });
  };
  for (const { group, names, unit } of lines) {
    if (group && !declared.has(group)) declared.set(group, new Map());
    const to = group ? declared.get(group) : declared;
    for (const name of names) {
      const prefix = name.match(/(.*)\*$/)?.[1];
      const members =
        prefix === undefined
          ? [name]
          : [...constants.keys()].filter((other) => other.startsWith(prefix) && !single.has(other));
      if (members.length === 0) fail(`there is no ${name}`);
      for (const member of members) {
        add(to, group ? camelCase(member.slice(prefix?.length ?? 0)) : member, member, unit);
      }
    }
  }
}

/** B_TO_A → bToA */
function camelCase(name) {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

function declarationOf(name, value) {
  if (!(value instanceof Map)) return `${value.doc}export const ${name} = ${value.text};\n`;
  const fields = [...value].map(([field, { doc, text }]) => `${doc}${field}: ${text},\n`);
  return `export const ${name} = {\n${fields.join('')}} as const;\n`;
}
