// Writes docs/api/*.md, one file per package: every name that an entry point exports, with its declaration, so that a
// review shows each change of the public surface. Made from the built declarations, sorted, without comments.
// With --check it writes nothing, and fails where a file is out of date.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs/api');

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
const byName = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Published packages with entry points that have types. */
function publicPackages() {
  return readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((place) => existsSync(join(place, 'package.json')))
    .map((place) => ({ place, ...JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) }))
    .filter((manifest) => !manifest.private)
    .map(({ place, name, exports = {} }) => ({
      name,
      entries: Object.entries(exports)
        .filter(([path, target]) => target.types && !path.includes('*'))
        .map(([path, target]) => ({ entry: join(name, path), file: join(place, target.types) }))
        .sort((a, b) => byName(a.entry, b.entry)),
    }))
    .filter(({ entries }) => entries.length > 0);
}

const isHidden = (node) =>
  ts.getJSDocTags(node).some((tag) => tag.tagName.text === 'internal') ||
  Boolean(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) ||
  (node.name !== undefined && ts.isPrivateIdentifier(node.name));

/** A declaration without its private and internal members. */
const withoutHidden = (node) =>
  ts.transform(node, [
    (context) => (top) =>
      ts.visitEachChild(
        top,
        (member) =>
          (ts.isClassElement(member) || ts.isTypeElement(member)) && isHidden(member) ? undefined : member,
        context,
      ),
  ]).transformed[0];

function textOf(declaration) {
  const source = declaration.getSourceFile();
  const print = (node) => printer.printNode(ts.EmitHint.Unspecified, node, source);
  const text = ts.isVariableDeclaration(declaration)
    ? `const ${print(declaration)};`
    : print(withoutHidden(declaration));
  return text.replace(/^export (default )?/, '').replace(/^declare /, '');
}

/** The names of an entry, each with its declarations, or with the entry that has shown them. */
function namesOf(checker, program, { entry, file }, shown) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file));
  return checker
    .getExportsOfModule(module)
    .sort((a, b) => byName(a.name, b.name))
    .map((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const declarations = (symbol.declarations ?? []).filter((declaration) => !isHidden(declaration));
      if (declarations.length === 0) return '';
      if (shown.has(symbol)) return `// ${exported.name}: as in ${shown.get(symbol)}`;
      shown.set(symbol, entry);
      return declarations.map(textOf).join('\n');
    });
}

function reportOf({ name, entries }) {
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.NodeNext, skipLibCheck: true },
  );
  const checker = program.getTypeChecker();
  const shown = new Map();
  const sections = entries.map((entry) => {
    const names = namesOf(checker, program, entry, shown).filter((text) => text !== '');
    return `## ${entry.entry}\n\nNames: ${names.length}\n\n\`\`\`ts\n${names.join('\n\n')}\n\`\`\`\n`;
  });
  return `# ${name}: public names\n\nWritten by \`npm run api\`.\n\n${sections.join('\n')}`;
}

const check = process.argv.includes('--check');
const reports = new Map(
  publicPackages().map((one) => [
    join(folder, `${one.name.replace('@', '').replace('/', '-')}.md`),
    reportOf(one),
  ]),
);
const kept = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
if (check) {
  const stale = [...reports]
    .filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
    .map(([path]) => path)
    .concat(kept.filter((path) => !reports.has(path)));
  for (const path of stale) {
    console.error(`${relative(root, path)} is out of date: run npm run api, and review what has changed`);
  }
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  mkdirSync(folder, { recursive: true });
  for (const path of kept) if (!reports.has(path)) rmSync(path);
  for (const [path, text] of reports) writeFileSync(path, text);
}
