/** Checks of whole models, and their clashes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type ClashLine, pictureOf, readClashes, reportFolder } from '../reports.js';
import { Refusal } from '../root-folder.js';
import { fileName, fileNames, length, option, selector, selectorText, tool } from '../tool.js';

const report = z.string().describe('a report, as check_model names it, or a folder with one');
/** A check with a clearance may find very many. */
const SHOWN = 20;

export const checkModel = tool({
  name: 'check_model',
  title: 'Check a model',
  description:
    'Finds every clash of a model: objects that overlap (hard), lie in each other (inside), are there twice ' +
    '(duplicate), or are closer than a clearance. Returns counts, findings about the files, the worst clashes, and the ' +
    'name of the report for list_clashes and explain_clash.',
  input: {
    files: fileNames,
    clearance: length.optional().describe('report objects closer than this: 50mm'),
    tolerance: length.optional().describe('permit overlaps no deeper than this: 5mm'),
    preset: z
      .string()
      .regex(/^[a-z-]+$/)
      .optional()
      .describe(
        'built-in rules: coordination (all trades of a building), mep-structure, architecture, plant, space',
      ),
    rules: fileName.optional().describe('a file of rules (YAML or JSON)'),
    save: z.string().optional().describe('a new folder for the report, where writing is allowed'),
  },
  async answer({ files, clearance, tolerance, preset, rules, save }, workplace, asking) {
    const { root, runs } = workplace;
    const paths = await Promise.all(files.map((name) => root.fileAt(name)));
    const name = save ?? runs.newReport();
    const folder = save === undefined ? join(runs.folder, name) : await root.placeFor(save);
    const asked = [
      ...[...option('clearance', clearance), ...option('tolerance', tolerance), ...option('preset', preset)],
      ...option('rules', rules === undefined ? undefined : await root.fileAt(rules)),
      ...['--formats', save === undefined ? 'jsonl,bcf' : 'jsonl,csv,html,bcf', '--output', folder],
    ];
    const summary = (await runs.json(['check', ...asked, ...paths], asking)) as Record<string, unknown>;
    const clashes = await readClashes(name, workplace);
    return {
      facts: {
        report: name,
        ...picked(summary, ['clashes', 'kinds', 'touches', 'approved', 'objects', 'triangles', 'excluded']),
        findings: (summary['findings'] as readonly object[]).map((finding) =>
          picked(finding, ['severity', 'message', 'suggestion']),
        ),
        worst: clashes.sort(byGravity).slice(0, SHOWN).map(brief),
      },
    };
  },
});

export const listClashes = tool({
  name: 'list_clashes',
  title: 'List clashes',
  description: 'Clashes of a report, the worst first, in parts.',
  input: {
    report,
    kind: z.string().optional().describe('only this kind: hard, inside, duplicate, clearance …'),
    matching: z
      .string()
      .optional()
      .describe('only those of objects whose path or type contains this, in any case'),
    from: z.number().int().min(0).default(0).describe('skip so many'),
    most: z.number().int().min(1).max(200).default(SHOWN),
  },
  async answer({ report, kind, matching = '', from, most }, workplace) {
    const word = matching.toLowerCase();
    const found = (await readClashes(report, workplace)).filter(
      (clash) =>
        (kind === undefined || clash.kind === kind) &&
        [clash.a, clash.b].some(({ path, type }) => `${path}\n${type}`.toLowerCase().includes(word)),
    );
    return {
      facts: {
        found: found.length,
        clashes: found
          .sort(byGravity)
          .slice(from, from + most)
          .map(brief),
      },
    };
  },
});

export const explainClash = tool({
  name: 'explain_clash',
  title: 'Explain a clash',
  description:
    'All that is known about one clash: both objects, how deep or how near, where, by which rule, what has been ' +
    'decided; the clashes of the same issue; and a picture of it.',
  input: { report, id: z.string().describe('the id of the clash') },
  async answer({ report, id }, workplace) {
    const clashes = await readClashes(report, workplace);
    const clash = clashes.find((one) => one.id === id);
    if (!clash) throw new Refusal(`${id}: no clash of ${report} has this id`);
    const others = clashes.filter((one) => one.group === clash.group && one !== clash);
    return {
      facts: {
        clash,
        sameIssue: others.sort(byGravity).slice(0, SHOWN).map(brief),
        inSameIssue: others.length,
      },
      png: await pictureOf(id, await reportFolder(report, workplace)),
    };
  },
});

export const listNear = tool({
  name: 'list_near',
  title: 'List what is near',
  description:
    'The objects of a model within a distance of one of its objects: what meets it, and how near others are.',
  input: {
    files: fileNames,
    object: selector,
    distance: length,
    most: z.number().int().min(1).max(200).default(SHOWN),
  },
  async answer({ files, object, distance, most }, workplace, asking) {
    const { root, runs } = workplace;
    const paths = await Promise.all(files.map((name) => root.fileAt(name)));
    const name = runs.newReport();
    const [field, pattern] = /^([a-z]+):(.*)$/s.exec(selectorText(object))!.slice(1);
    const kinds = ['hard', 'inside', 'duplicate', 'clearance', 'touch'];
    const rules = { rules: [{ name: 'near', a: { [field]: pattern }, clearance: distance, kinds }] };
    const file = join(runs.folder, `${name}.json`);
    await writeFile(file, JSON.stringify(rules));
    const asked = [
      '--exclusions=none',
      '--formats=jsonl',
      `--rules=${file}`,
      `--output=${join(runs.folder, name)}`,
    ];
    await runs.ask(['check', ...asked, ...paths], asking);
    const found = (await readClashes(name, workplace)).sort(
      (x, y) => x.distance - y.distance || byGravity(x, y),
    );
    return { facts: { found: found.length, near: found.slice(0, most).map(brief) } };
  },
});

/** Inside and hard ones by depth, then the nearest. */
function byGravity(x: ClashLine, y: ClashLine): number {
  return (y.depth ?? 0) - (x.depth ?? 0) || x.distance - y.distance || (x.id < y.id ? -1 : 1);
}

function brief(clash: ClashLine) {
  const { a, b, ...rest } = clash;
  const of = ({ path, type }: ClashLine['a']) => ({ path, type });
  return {
    ...picked(rest, ['id', 'kind', 'form', 'depth', 'distance', 'point', 'storey', 'status']),
    a: of(a),
    b: of(b),
  };
}

function picked(of: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).filter(([name]) => names.includes(name)));
}
