// Builds the documentation site into site/ (or the folder given): guides and API by typedoc, the same pages as markdown
// with llms.txt, and live pages: the gallery of the lab and every page of examples/web. All addresses are relative, so
// that the site works in any folder of any host.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { Application, Converter, KindRouter } from 'typedoc';
import { build } from 'vite';
import { PAGES, SECTIONS } from './site-pages.mjs';
import { writeMarkdown } from './write-markdown.mjs';

const root = join(import.meta.dirname, '..');
const site = resolve(root, process.argv[2] ?? 'site');
const live = join(site, 'live');

const app = await Application.bootstrapWithPlugins({
  options: join(root, 'typedoc.json'),
  customCss: join(import.meta.dirname, 'site.css'),
  projectDocuments: PAGES.map((page) => join(root, page)),
  groupOrder: [...Object.keys(SECTIONS), 'Modules', '*'],
  navigation: { includeGroups: true },
  router: 'paths',
  // commands and what they print are not TypeScript, which typedoc takes all code for
  markdownItLoader: (parser) =>
    parser.core.ruler.push('plain', ({ tokens }) => {
      for (const token of tokens) if (token.type === 'fence') token.info ||= 'text';
    }),
});
/** Documents → their paths in the repository, which are their addresses on the site, too. */
const paths = new Map();
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
  const path = PAGES.find((page) => page === `${document.name}.md`);
  if (path === undefined) throw new Error(`${document.name} is on no list of scripts/site-pages.mjs`);
  paths.set(document, path.replace(/\.md$/, ''));
  document.name = /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8'))[1];
  document.frontmatter.group = Object.keys(SECTIONS).find((section) => SECTIONS[section].includes(path));
});
app.renderer.defineRouter(
  'paths',
  class extends KindRouter {
    getIdealBaseName(reflection) {
      return paths.get(reflection) ?? super.getIdealBaseName(reflection);
    }
  },
);
const project = await app.convert();
if (!project) process.exit(1);
await app.generateDocs(project, site);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);

/**
 * Addresses that begin so, as typedoc.json gives them, are relative to the site; typedoc knows none but absolute ones.
 */
const WITHIN = 'href="live:/';
for (const page of readdirSync(site, { recursive: true }).filter((name) => name.endsWith('.html'))) {
  const up = '../'.repeat(page.split(sep).length - 1);
  const path = join(site, page);
  const text = readFileSync(path, 'utf8');
  if (text.includes(WITHIN)) writeFileSync(path, text.replaceAll(WITHIN, `href="${up}live/`));
}

writeMarkdown(root, site);
const examples = join(root, 'examples/web');
const names = readdirSync(examples).filter((name) => existsSync(join(examples, name, 'index.html')));
// all examples at once: they share most of what they load
const pages = [...(await livePages(join(root, 'lab'), ['gallery'])), ...(await livePages(examples, names))];
writeFileSync(join(live, 'index.html'), listOf(pages));
process.stdout.write(`${relative(process.cwd(), site) || '.'}: ${pages.length} live pages\n`);

/** Builds pages, each in a folder of its name. */
async function livePages(folder, names) {
  const pages = names.map((name) => join(folder, name, 'index.html'));
  await build({
    configFile: false,
    root: folder,
    base: './',
    logLevel: 'warn',
    worker: { format: 'es' },
    build: {
      outDir: live,
      emptyOutDir: false,
      target: 'es2022',
      chunkSizeWarningLimit: 2000,
      modulePreload: { polyfill: false },
      rollupOptions: { input: pages },
    },
  });
  return names.map((name, i) => ({
    address: `${name}/index.html`,
    ...pageTitle(readFileSync(pages[i], 'utf8')),
  }));
}

/** What a page calls itself, as it is written there. */
function pageTitle(html) {
  const [, title = 'Untitled'] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
  const [, about = ''] = /<meta\s+name="description"\s+content="([^"<]*)"/.exec(html) ?? [];
  return { title, about };
}

function listOf(pages) {
  const items = pages.map(
    ({ address, title, about }) => `<li><a href="${address}">${title}</a>${about && `<p>${about}</p>`}</li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>impinge: live pages</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
ul { list-style: none; padding: 0; }
li { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 0.5rem; margin: 0.75rem 0; padding: 0.75rem 1rem; }
li a { font-weight: 600; }
li p { margin: 0.25rem 0 0; }
</style>
<p><a href="../index.html">impinge</a></p>
<h1>Live pages</h1>
<p>The engines at work in this browser, nothing on a server.</p>
<ul>
${items.join('\n')}
</ul>
</html>
`;
}
