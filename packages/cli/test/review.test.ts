import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { full } from '../../../test/budget.js';
import { CommandError } from '../src/command-error.js';
import { FormatError } from '../src/formats/format-error.js';
import { BCF_VERSIONS } from '../src/reports/bcf/layout.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { readBcf, statusOf } from '../src/reports/review/bcf-import.js';
import { commonDecision, type Decision, mergedReviews, UNDECIDED } from '../src/reports/review/decision.js';
import { decisionsFor, readReviews } from '../src/reports/review/read-reviews.js';
import { reviewClashes } from '../src/reports/review/review-clashes.js';
import { parseReview, reviewUpdate } from '../src/reports/review/review-file.js';
import { writeReports } from '../src/reports/write-reports.js';
import { temporaryFolder } from './files.js';
import { clash, grouped, manyClashes, plantObject, reportInput } from './reports-clashes.js';

const folder = temporaryFolder();

/** Clashes with ids as a check gives them. */
function clashesOf(count: number): ReportClash[] {
  return grouped(
    Array.from({ length: count }, (_, i) => ({
      ...clash({ a: plantObject(0, 1, 1), b: plantObject(1, 1, i), point: [3 * i, 0, 0] }),
      id: (0xabc0000000000000n + BigInt(i)).toString(16),
    })),
  );
}

const decision = (given: Partial<Decision>): Decision => ({ ...UNDECIDED, ...given });
const comment = (text: string, author = '', date = '') => ({ text, author, date });

describe('a file of decisions', () => {
  test('is read as people write it', () => {
    const text = `
# week 3
clashes:
  1234567890123456: # all digits
    status: approved
    comment: sleeve is planned
  0e12345678901234: { status: active, assignee: mep@example.com, due: 2026-12-24 }
  abcdefabcdefabcd:
    comments:
      - { author: ann, date: 2026-11-02T10:00:00Z, text: 'who: me?' }
      - text: I
`;
    expect([...parseReview(text, 'review.yaml')]).toEqual([
      ['1234567890123456', decision({ status: 'approved', comments: [comment('sleeve is planned')] })],
      ['0e12345678901234', decision({ status: 'active', assignee: 'mep@example.com', due: '2026-12-24' })],
      [
        'abcdefabcdefabcd',
        decision({ comments: [comment('who: me?', 'ann', '2026-11-02T10:00:00Z'), comment('I')] }),
      ],
    ]);
    expect(parseReview('', 'x').size + parseReview('# nothing\n', 'x').size).toBe(0);
  });

  test('mistakes are told with their places, all at once', () => {
    const text =
      'clashes:\n  abc:\n    status: aproved\n    asignee: me\n  def: { due: tomorrow }\n  ghi: approved\nissues: {}\n';
    let said: readonly string[] = [];
    try {
      parseReview(text, 'r.yaml');
    } catch (error) {
      said = (error as CommandError).lines;
    }
    expect(said).toEqual([
      'r.yaml:3:13: status: expected one of new, active, reviewed, approved, resolved',
      'r.yaml:4:5: clash abc has no "asignee"; did you mean assignee?',
      'r.yaml:5:15: due: write a date like 2026-12-24',
      'r.yaml:6:8: clash ghi is written as names and values, "name: value"',
      'r.yaml:7:1: a review has no "issues"; use clashes',
    ]);
  });

  test('what changed is set, what was written stays; nothing is written where nothing changed', () => {
    const text =
      '# ours\nclashes:\n  # see minutes\n  aa:\n    status: active # for now\n  bb:\n    status: reviewed\n';
    const own = { path: 'x/review.yaml', text, decisions: parseReview(text, 'x') };
    expect(reviewUpdate(own, own.decisions)).toBeUndefined();
    const later = mergedReviews(own.decisions, new Map([['bb', decision({ status: 'approved' })]]));
    expect(reviewUpdate(own, later)).toEqual({
      name: 'review.yaml',
      text: text.replace('reviewed', 'approved'),
    });
    const fresh = reviewUpdate(undefined, new Map([['12', decision({ comments: [comment('a\nb: c')] })]]))!;
    expect(parseReview(fresh.text, 'x').get('12')).toEqual(decision({ comments: [comment('a\nb: c')] }));
    expect(reviewUpdate(undefined, new Map())).toBeUndefined();
    const asJson = { path: 'review.json', text: '{}', decisions: new Map() };
    const written = reviewUpdate(asJson, later)!;
    expect(written.name).toBe('review.json');
    expect(parseReview(written.text, 'x')).toEqual(later);
  });

  test('two of them in one folder are a question', async () => {
    const place = join(folder, 'two');
    mkdirSync(place);
    for (const name of ['review.yaml', 'review.json']) writeFileSync(join(place, name), '{}');
    await expect(readReviews(place, undefined, [])).rejects.toThrow(/both exist; keep one/);
    await expect(readReviews(folder, undefined, ['x.pdf'])).rejects.toThrow(/--review takes/);
  });
});

describe('decisions', () => {
  test('the later one decides; what it leaves open stays, and what was said', () => {
    const earlier = decision({
      status: 'active',
      assignee: 'ann',
      due: '2026-01-01',
      comments: [comment('x')],
    });
    const later = decision({
      status: 'approved',
      comments: [comment('y', 'bob', '2026-02-02'), comment('x')],
    });
    expect(mergedReviews(new Map([['1', earlier]]), new Map([['1', later]])).get('1')).toEqual(
      decision({
        status: 'approved',
        assignee: 'ann',
        due: '2026-01-01',
        comments: [comment('x'), comment('y', 'bob', '2026-02-02')],
      }),
    );
    // taken back
    const back = mergedReviews(
      new Map([['1', decision({ status: 'approved' })]]),
      new Map([['1', UNDECIDED]]),
    );
    expect(back.get('1')).toEqual(UNDECIDED);
    expect(mergedReviews(new Map(), new Map([['1', UNDECIDED]])).size).toBe(0);
  });

  test('an issue stands where the least of its clashes does', () => {
    const common = commonDecision([
      decision({ status: 'approved', assignee: 'ann', due: '2026-03-03' }),
      decision({ status: 'reviewed', assignee: 'bob', due: '2026-02-02' }),
    ]);
    expect(common).toEqual(decision({ status: 'reviewed', assignee: 'ann, bob', due: '2026-02-02' }));
    expect(commonDecision([decision({ status: 'approved' }), undefined]).status).toBe('new');
  });

  test('approved clashes are listed, but not among those that count', async () => {
    const clashes = clashesOf(20);
    const place = join(folder, 'approved');
    mkdirSync(place);
    writeFileSync(
      join(place, 'review.yaml'),
      `clashes:\n${clashes
        .slice(0, 5)
        .map(({ id }) => `  ${id}: { status: approved, comment: fine }\n`)
        .join('')}`,
    );
    const reviewed = reviewClashes(await readReviews(place, undefined, []), clashes, []);
    expect(reviewed.clashes).toHaveLength(15);
    expect(reviewed.approved.map(({ id }) => id)).toEqual(clashes.slice(0, 5).map(({ id }) => id));
    expect(reviewed.file).toBeUndefined();
    const input = { ...reportInput(reviewed.clashes), approved: reviewed.approved };
    await writeReports(place, input);
    const lines = readFileSync(join(place, 'clashes.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(20);
    expect(
      lines.filter((line) => line.endsWith('"review":{"status":"approved","comment":"fine"}}')),
    ).toHaveLength(5);
    const html = readFileSync(join(place, 'report.html'), 'utf8');
    expect(html).toContain('<b>15</b><span>clashes in ');
    expect(html).toContain('<b>5</b><span>approved, not listed</span>');
  });
});

describe('decisions in BCF', () => {
  test.each(BCF_VERSIONS)(
    'go out and come back with BCF %s, for all clashes of an issue and no others',
    async (bcf) => {
      const clashes = clashesOf(70).map((one) => ({ ...one, group: 'g1' }));
      const given = decision({
        status: 'reviewed',
        assignee: 'mep@example.com',
        due: '2026-12-24',
        comments: [comment('look <here> & there', 'ann', '2026-11-02T10:00:00.000Z')],
      });
      const decided = clashes.slice(0, 60).map((one) => ({ ...one, review: given }));
      const place = join(folder, `bcf ${bcf}`);
      const [path] = await writeReports(place, { ...reportInput(decided, ['bcf']), bcf });
      const { decisions, strangers } = decisionsFor(
        await readReviews(join(folder, 'nowhere'), undefined, [path]),
        clashes,
        [],
      );
      expect(strangers).toBe(0);
      expect(decisions.size).toBe(60);
      for (const one of decided) expect(decisions.get(one.id)).toEqual(given);
    },
  );

  const markup = (topic: string, rest = '') => `<?xml version="1.0"?><Markup>${topic}${rest}</Markup>`;
  const archive = (name: string, ...markups: string[]) => {
    const files = Object.fromEntries(markups.map((text, i) => [`t${i}/markup.bcf`, strToU8(text)]));
    const path = join(folder, name);
    writeFileSync(path, zipSync({ 'bcf.version': strToU8('<Version VersionId="2.1"/>'), ...files }));
    return path;
  };

  test('of a tool that has dropped the description go by the GUIDs of topics', async () => {
    const clashes = clashesOf(4);
    const [path] = await writeReports(join(folder, 'guids'), reportInput(clashes, ['bcf']));
    const topics = (await readBcf(path)).map(({ guid }) => guid);
    expect(topics).toHaveLength(1);
    const other = archive(
      'other.bcfzip',
      markup(
        `<Topic Guid="${topics[0].toUpperCase()}" TopicStatus="Closed"><Title>x</Title><AssignedTo>ann</AssignedTo></Topic>`,
        '<Comment Guid="1"><Date>2026-11-02T10:00:00+01:00</Date><Author>bob</Author><Comment><![CDATA[a & b]]></Comment></Comment>',
      ),
      markup('<Topic Guid="strange"><Title>theirs</Title></Topic>'),
    );
    const { decisions, strangers } = decisionsFor(
      await readReviews(join(folder, 'nowhere'), undefined, [other]),
      [...clashes, ...clashesOf(5).slice(4)],
      clashes,
    );
    expect(strangers).toBe(1);
    expect(decisions.size).toBe(4);
    expect(decisions.get(clashes[0].id)).toEqual(
      decision({
        status: 'resolved',
        assignee: 'ann',
        comments: [comment('a & b', 'bob', '2026-11-02T10:00:00+01:00')],
      }),
    );
  });

  test.each([
    ['Open', 'new'],
    ['', 'new'],
    ['In Progress', 'active'],
    ['ASSIGNED', 'active'],
    ['In_Review', 'reviewed'],
    ['Accepted', 'approved'],
    ['Closed', 'resolved'],
  ] as const)('other tools say %j', (word, status) => {
    expect(statusOf(word)).toBe(status);
  });

  full.each<[string, () => string, RegExp]>([
    ['what is no archive', () => join(folder, 'two', 'review.yaml'), /not a zip|no end|directory/i],
    ['what is not there', () => join(folder, 'none.bcfzip'), /no such file/],
    ['no XML', () => archive('text.bcfzip', 'hello'), /"t0\/markup.bcf": is not XML/],
    ['no topic', () => archive('none.bcf', markup('')), /has no Topic/],
    ['a deep one', () => archive('deep.bcf', '<a>'.repeat(1000)), /nested more than 32 deep/],
    ['a huge one', () => archive('huge.bcf', markup('x'.repeat(5e6))), /is larger than 4 MiB/],
    [
      'endless comments',
      () => archive('many.bcf', markup('', '<Comment Guid="1"/>'.repeat(501))),
      /more than 500 comments/,
    ],
    [
      'BCF 1.0',
      () => {
        const path = join(folder, 'one.bcfzip');
        writeFileSync(path, zipSync({ 't/markup.bcf': strToU8(markup('<Topic Guid="1"/>')) }));
        return path;
      },
      /is BCF 1\.0, .* export it as BCF 2\.0, 2\.1 or 3\.0/,
    ],
    [
      'entities',
      () => archive('entities.bcf', '<!DOCTYPE a [<!ENTITY b "c">]><Markup><Topic/>&b;</Markup>'),
      /is not XML/,
    ],
  ])('%s is refused in one line', async (_, path, said) => {
    const error = await readBcf(path()).catch((e) => e);
    expect(error instanceof FormatError || error instanceof CommandError).toBe(true);
    expect(error.message).toMatch(said);
    expect(error.message).not.toContain('\n');
  });

  test('texts are cut, not kept whole', async () => {
    const path = archive(
      'long.bcf',
      markup(`<Topic Guid="1"><AssignedTo>${'x'.repeat(1e6)}</AssignedTo><DueDate>soon</DueDate></Topic>`),
    );
    const [topic] = await readBcf(path);
    expect(topic.decision.assignee.length).toBeLessThanOrEqual(20_000);
    expect(topic.decision.due).toBe('');
  });

  test('an issue of more clashes than are described is named whole', async () => {
    const clashes = manyClashes(100).map((one, i) => ({ ...one, id: `${i}`.padStart(16, '0') }));
    const [path] = await writeReports(join(folder, 'hundred'), reportInput(clashes, ['bcf']));
    const [topic] = await readBcf(path);
    expect(new Set(topic.exports[0].clashes)).toEqual(new Set(clashes.map(({ id }) => id)));
  });
});
