// Writes the declarations that were built of a package into a folder, without what is marked @internal: PACKAGE FOLDER
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const [member, into] = process.argv.slice(2).map((path) => resolve(path));
const built = join(member, 'dist');

/** Where the text of what is marked, with its comments, begins and ends. */
function markedIn(node, found = []) {
  ts.forEachChild(node, (child) => {
    const isMarked = ts.getJSDocTags(child).some(({ tagName }) => tagName.text === 'internal');
    if (isMarked) found.push([child.getFullStart(), child.getEnd()]);
    else markedIn(child, found);
  });
  return found;
}

const files = readdirSync(built, { recursive: true }).filter((name) => name.endsWith('.d.ts'));
for (const file of files) {
  const text = readFileSync(join(built, file), 'utf8');
  const marked = text.includes('@internal')
    ? markedIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
    : [];
  const stripped = marked.reduceRight((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), text);
  mkdirSync(dirname(join(into, file)), { recursive: true });
  writeFileSync(join(into, file), stripped);
}
