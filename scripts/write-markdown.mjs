// Markdown for programs that read the site: every page as it is in the repository, at the same relative path, and
// llms.txt, the list of them (llmstxt.org). Links to files that are not on the site lead to the repository.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { PAGES, SECTIONS, START } from './site-pages.mjs';

const REPOSITORY = 'https://github.com/impinge/impinge/blob/main/';

export function writeMarkdown(root, site) {
  for (const page of [START, ...PAGES]) {
    const target = join(site, page);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, withRepositoryLinks(page, readFileSync(join(root, page), 'utf8')));
  }
  writeFileSync(join(site, 'llms.txt'), listOfPages(root));
}

function withRepositoryLinks(page, text) {
  return text.replace(/\]\(([^)\s#]+)(#[^)]*)?\)/g, (link, target, hash = '') => {
    if (/^[a-z]+:/.test(target)) return link;
    const path = posix.normalize(posix.join(posix.dirname(page), target));
    return path === START || PAGES.includes(path) ? link : `](${REPOSITORY}${path}${hash})`;
  });
}

function listOfPages(root) {
  const { title, summary } = describe(root, START);
  const sections = Object.entries(SECTIONS).map(([section, pages]) => {
    const lines = pages.map((page) => {
      const described = describe(root, page);
      return `- [${described.title}](${page}): ${described.summary}`;
    });
    return `## ${section}\n\n${lines.join('\n')}\n`;
  });
  return `# ${title}\n\n> ${summary}\n\n- [Overview](${START})\n\n${sections.join('\n')}`;
}

/** Title and first sentence of a page. */
function describe(root, page) {
  const text = readFileSync(join(root, page), 'utf8');
  const [, title] = /^# (.+)$/m.exec(text);
  const paragraph = text.split(/\n{2,}/).find((part) => /^(?!```)[A-Za-z`[]/.test(part.trim())) ?? '';
  const plain = paragraph.replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return { title, summary: /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain };
}
