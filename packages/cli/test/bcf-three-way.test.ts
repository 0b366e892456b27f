/** Decisions that come back by BCF while issues here, topics there, and decisions on both sides have changed. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareWithBaseline } from '../src/reports/baseline.js';
import { BCF_VERSIONS, type BcfVersion } from '../src/reports/bcf/layout.js';
import { GROUPINGS, type Grouping } from '../src/reports/choices.js';
import { groupClashes } from '../src/reports/group-clashes.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { type Decision, type Review, UNDECIDED } from '../src/reports/review/decision.js';
import { decisionsFor, readReviews } from '../src/reports/review/read-reviews.js';
import { exported, rewritten, TAG } from './bcf-archives.js';
import { temporaryFolder } from './files.js';
import { DATE, plantClashes } from './reports-clashes.js';

const folder = temporaryFolder();

const FOUND = plantClashes(60, 35).map((one, i) => ({
  ...one,
  id: (0xabc0000000000000n + BigInt(i)).toString(16),
}));
const grouped = (by: Grouping, from = 0, to = FOUND.length) => groupClashes(FOUND.slice(from, to), DATE, by);

/** Some are approved by ann, some active, most undecided. */
const BEFORE: Review = new Map(
  FOUND.slice(0, 30).flatMap(({ id }, i): [string, Decision][] =>
    i % 3 === 0
      ? [[id, { ...UNDECIDED, status: 'reviewed', assignee: 'ann' }]]
      : i % 3 === 1
        ? [[id, { ...UNDECIDED, status: 'active', due: '2026-12-24' }]]
        : [],
  ),
);

async function imported(
  path: string,
  kept: Review,
  clashes: readonly ReportClash[],
  baseline: readonly ReportClash[] = [],
) {
  const { named } = await readReviews(join(folder, 'nowhere'), undefined, [path]);
  return decisionsFor({ own: undefined, kept, named }, clashes, baseline);
}

/** The issue with most clashes of a grouping, and its clashes. */
function largest(clashes: readonly ReportClash[]): readonly string[] {
  const issues = new Map<string, string[]>();
  for (const { group, id } of clashes) issues.set(group, [...(issues.get(group) ?? []), id]);
  return [...issues.values()].sort((p, q) => q.length - p.length)[0];
}

const isAbout = (markup: string, id: string) => markup.includes(`[${id}]`);

/** Sets the status of the topic about a clash. */
function withStatus(path: string, id: string, status: string, more = (markup: string) => markup): string {
  return rewritten(path, (markup) =>
    isAbout(markup, id)
      ? more(markup.replace(/TopicStatus="[^"]*"/, `TopicStatus="${status}"`))
      : more(markup),
  );
}

/** The decisions, of which those about these clashes have another status. */
function expected(ids: readonly string[], status: Decision['status'], kept = BEFORE): Map<string, Decision> {
  const all = new Map(kept);
  for (const id of ids) all.set(id, { ...(all.get(id) ?? UNDECIDED), status });
  return all;
}

const byId = (review: Review) => Object.fromEntries([...review].sort(([p], [q]) => (p < q ? -1 : 1)));

describe.each(BCF_VERSIONS)('through BCF %s', (version: BcfVersion) => {
  test.each([
    ['element', 'auto'],
    ['auto', 'element'],
    ['storey', 'type'],
    ['system', 'storey'],
  ] as const)('what was one topic by %s changes its clashes, grouped by %s now', async (from, to) => {
    expect(GROUPINGS).toContain(from);
    const then = grouped(from);
    const ids = largest(then);
    expect(ids.length).toBeGreaterThan(1);
    const path = await exported(folder, then, BEFORE, version);
    const now = grouped(to);
    expect(byId((await imported(path, BEFORE, now)).decisions)).toEqual(byId(BEFORE));
    const closed = await imported(withStatus(path, ids[0], 'Closed'), BEFORE, now);
    expect(byId(closed.decisions)).toEqual(byId(expected(ids, 'resolved')));
    // without its description the topic is known by its GUID, as the baseline was grouped
    const bare = withStatus(path, ids[0], 'Closed', (markup) => markup.replace(TAG('Description'), ''));
    const compared = compareWithBaseline(now, then).clashes;
    const { decisions, strangers } = await imported(bare, BEFORE, compared, then);
    expect(strangers).toBe(0);
    expect(byId(decisions)).toEqual(byId(expected(ids, 'resolved')));
  });

  test('clashes that have come since are not decided, and those that are gone do no harm', async () => {
    const then = grouped('storey', 0, 50);
    const ids = largest(then);
    const now = grouped('storey', 20);
    const present = new Set(now.map(({ id }) => id));
    const here = ids.filter((id) => present.has(id));
    expect(here.length).toBeGreaterThan(0);
    expect(here.length).toBeLessThan(ids.length);
    const path = withStatus(await exported(folder, then, BEFORE, version), ids[0], 'Accepted');
    const { decisions } = await imported(path, BEFORE, compareWithBaseline(now, then).clashes, then);
    expect(byId(decisions)).toEqual(byId(expected(here, 'approved')));
  });

  test('another title, GUID, and words around the description change nothing', async () => {
    const then = grouped('element');
    const ids = largest(then);
    const edit = (markup: string) =>
      markup
        .replace(/(<Topic[^>]*Guid=")[^"]*/, '$100000000-1111-4222-8333-444444444444')
        .replace(/<Title>[^<]*/, '<Title>Ours')
        .replace(/<Description>([^<]*)/, '<Description>See minutes.\n$1\n\nThanks!');
    const path = await exported(folder, then, BEFORE, version);
    expect(byId((await imported(rewritten(path, edit), BEFORE, then)).decisions)).toEqual(byId(BEFORE));
    const { decisions } = await imported(withStatus(path, ids[0], 'Closed', edit), BEFORE, then);
    expect(byId(decisions)).toEqual(byId(expected(ids, 'resolved')));
    // without GUID and description it is nobody's, and says so
    const lost = rewritten(path, (markup) => edit(markup).replace(TAG('Description'), ''));
    const nobody = await imported(lost, BEFORE, then);
    expect(byId(nobody.decisions)).toEqual(byId(BEFORE));
    expect(nobody.strangers).toBe(new Set(then.map(({ group }) => group)).size);
  });

  test('two topics that were made one keep apart what each was exported as', async () => {
    const two = FOUND.slice(0, 2).map(({ id }) => id);
    const then = grouped('auto')
      .slice(0, 2)
      .map((one, i) => ({ ...one, group: `g${i}` }));
    const kept: Review = new Map([[two[1], { ...UNDECIDED, status: 'reviewed', assignee: 'ann' }]]);
    const path = await exported(folder, then, kept, version);
    const descriptions: string[] = [];
    rewritten(path, (markup) => {
      descriptions.push(/<Description>([^<]*)/.exec(markup)![1]);
      return markup;
    });
    const both = descriptions.join('\n');
    const merged = rewritten(path, (markup) => markup.replace(/<Description>[^<]*/, `<Description>${both}`));
    // as the second had it, which for the first is a change
    const asSecond = rewritten(merged, (markup) =>
      markup.replace(/TopicStatus="[^"]*"/, 'TopicStatus="Reviewed"'),
    );
    const later = new Map([...kept, [two[1], { ...UNDECIDED, status: 'approved' as const }]]);
    const { decisions } = await imported(asSecond, later, then);
    expect(decisions.get(two[0])?.status).toBe('reviewed');
    expect(decisions.get(two[1])?.status).toBe('approved');
  });

  test('a topic that was split decides each part, and the part that was left alone nothing', async () => {
    const then = grouped('storey');
    const ids = largest(then);
    const half = new Set(ids.slice(0, ids.length >> 1));
    const path = await exported(folder, then, BEFORE, version);
    const without = (markup: string, those: (id: string) => boolean) =>
      markup.replace(/\[([0-9a-f]{16})\]/g, (word, id) => (those(id) ? '' : word));
    const first = withStatus(
      rewritten(path, (markup) => without(markup, (id) => !half.has(id))),
      ids[0],
      'Closed',
    );
    const second = rewritten(path, (markup) => without(markup, (id) => half.has(id)));
    const after = await imported(first, BEFORE, then);
    const both = await imported(second, after.decisions, then);
    expect(byId(both.decisions)).toEqual(byId(expected([...half], 'resolved')));
  });

  test('where both sides have decided, a comment keeps what was decided here, and only one does', async () => {
    const then = grouped('auto').slice(0, 1);
    const [{ id }] = then;
    const kept: Review = new Map([[id, { ...UNDECIDED, status: 'active', assignee: 'ann' }]]);
    const path = withStatus(await exported(folder, then, kept, version), id, 'Closed');
    const here: Review = new Map([[id, { ...UNDECIDED, status: 'approved', assignee: 'bob' }]]);
    const once = (await imported(path, here, then)).decisions;
    expect(once.get(id)).toEqual({
      ...UNDECIDED,
      status: 'resolved',
      assignee: 'bob',
      comments: [
        { author: '', date: '', text: 'status: "approved" became "resolved", both set at the same time' },
      ],
    });
    expect((await imported(path, once, then)).decisions).toEqual(once);
    // nothing is lost where nobody has decided here
    const plain = (await imported(path, kept, then)).decisions.get(id)!;
    expect(plain).toEqual({ ...UNDECIDED, status: 'resolved', assignee: 'ann' });
  });
});
