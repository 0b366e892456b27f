/** Decisions out to BCF and back: what nobody has changed there changes nothing here, whatever was decided since. */
import { join } from 'node:path';
import { seededRandom } from '@impinge/scenes/random';
import { describe, expect, test } from 'vitest';
import { full, runs } from '../../../test/budget.js';
import { isSameDue, stateIn, stateOf, stateText, textCode } from '../src/reports/bcf/exported-state.js';
import { BCF_VERSIONS } from '../src/reports/bcf/layout.js';
import { GROUPINGS } from '../src/reports/choices.js';
import { groupClashes } from '../src/reports/group-clashes.js';
import { issuesOf } from '../src/reports/issue-summary.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { commonDecision, type Decision, type Review, UNDECIDED } from '../src/reports/review/decision.js';
import { decisionsFor, readReviews } from '../src/reports/review/read-reviews.js';
import { reviewClashes } from '../src/reports/review/review-clashes.js';
import { exported, rewritten, TAG } from './bcf-archives.js';
import { temporaryFolder } from './files.js';
import { pick, type Random, randomDecision, randomReview } from './random-review.js';
import { DATE, plantClashes } from './reports-clashes.js';

const folder = temporaryFolder();
const SEED = 20_261_117;

function clashesOf(random: Random): ReportClash[] {
  const count = 1 + Math.floor(30 * random());
  const found = plantClashes(count, Math.floor(1e6 * random())).map((one, i) => ({
    ...one,
    id: (0xabc0000000000000n + BigInt(i)).toString(16),
  }));
  return groupClashes(found, DATE, pick(random, GROUPINGS));
}

async function imported(path: string, kept: Review, clashes: readonly ReportClash[]): Promise<Review> {
  const { named } = await readReviews(join(folder, 'nowhere'), undefined, [path]);
  const { decisions, strangers } = decisionsFor({ own: undefined, kept, named }, clashes, []);
  expect(strangers).toBe(0);
  return decisions;
}

/** Dates move to another zone, what it does not know is dropped, comments get new GUIDs and are escaped twice. */
function othersWay(markup: string): string {
  let text = markup;
  for (const name of ['Priority', 'Index', 'Header', 'ModifiedDate', 'Labels', 'Viewpoints'])
    text = text.replace(TAG(name), '');
  text = text.replace(/<(DueDate|Date|CreationDate)>([^<]*)</g, (_, tag, date) => {
    const local = new Date(Date.parse(date) - 5 * 3_600_000).toISOString().replace('.000Z', '-05:00');
    return `<${tag}>${local}<`;
  });
  text = text.replace(/(<Comment) Guid="[^"]*"/g, '$1 Guid="00000000-0000-4000-8000-000000000000"');
  text = text.replace(
    /(<Comment>)([^<]*)(<)/g,
    (_, p, said, q) => `${p}${said.replaceAll('&', '&amp;')}${q}`,
  );
  text = text.replace(/(<Topic[^>]*Guid=")([^"]*)/, (_, p, guid) => `${p}${guid.toUpperCase()}`);
  text = text.replace(/TopicStatus="([^"]*)"/, (_, status) => `TopicStatus="${status.toUpperCase()}"`);
  // the description comes first
  const [description = ''] = TAG('Description').exec(text) ?? [];
  return text.replace(TAG('Description'), '').replace(/<Title>/, `${description}<Title>`);
}

describe.each(BCF_VERSIONS)('through BCF %s', (version) => {
  full(`what is unchanged changes nothing, through another tool, too (seed ${SEED})`, async () => {
    const random = seededRandom(SEED);
    let decided = 0;
    for (let run = 0; run < runs(12); run++) {
      const clashes = clashesOf(random);
      const before = randomReview(random, clashes);
      const path = await exported(folder, clashes, before, version);
      expect(await imported(path, before, clashes)).toEqual(before);
      const other = rewritten(path, othersWay);
      expect(await imported(other, before, clashes)).toEqual(before);
      // known by its GUIDs alone, it is held against what would be exported now
      const bare = rewritten(path, (markup) => markup.replace(TAG('Description'), ''));
      expect(await imported(bare, before, clashes)).toEqual(before);
      // what is decided after the export stays as well
      const later = new Map([...before].map(([id]) => [id, randomDecision(random)]));
      expect(await imported(path, later, clashes)).toEqual(later);
      expect(await imported(other, later, clashes)).toEqual(later);
      decided += before.size;
    }
    expect(decided).toBeGreaterThan(0);
  });

  test(`one change of one topic changes that, for its clashes and no others (seed ${SEED + 1})`, async () => {
    const random = seededRandom(SEED + 1);
    for (let run = 0; run < runs(12); run++) {
      const clashes = clashesOf(random);
      const before = randomReview(random, clashes);
      const path = await exported(folder, clashes, before, version);
      const { clashes: open, approved } = reviewClashes(
        { own: undefined, kept: before, named: [] },
        clashes,
        [],
      );
      const issues = issuesOf({ clashes: open, approved, resolved: [] });
      const all = [...issues.open, ...issues.approved];
      const chosen = pick(random, all);
      const ids = chosen.clashes.map(({ id }) => id);
      const what = pick(random, ['status', 'assignee', 'due', 'comment'] as const);
      const words = { new: 'Open', active: 'Active', resolved: 'Closed' } as const;
      const status = pick(
        random,
        (['new', 'active', 'resolved'] as const).filter((word) => word !== chosen.decision.status),
      );
      const edit = (markup: string) => {
        if (!markup.includes(ids[0])) return markup;
        const inTopic = (tag: string, text: string) =>
          markup.replace(TAG(tag), '').replace('</Title>', `</Title><${tag}>${text}</${tag}>`);
        if (what === 'status') return markup.replace(/TopicStatus="[^"]*"/, `TopicStatus="${words[status]}"`);
        if (what === 'assignee') return inTopic('AssignedTo', 'carl');
        if (what === 'due') return inTopic('DueDate', '2030-05-06T00:00:00Z');
        const said =
          '<Comment Guid="1"><Date>2026-11-09T10:00:00Z</Date><Author>eve</Author><Comment>late</Comment></Comment>';
        if (version === '2.1') return markup.replace('</Topic>', `</Topic>${said}`);
        return markup.includes('<Comments>')
          ? markup.replace('<Comments>', `<Comments>${said}`)
          : markup.replace('<Viewpoints>', `<Comments>${said}</Comments><Viewpoints>`);
      };
      const own = random() < 0.5;
      const back = rewritten(path, (markup) => edit(own ? markup : othersWay(markup)));
      if (!own && version === '3.0' && what === 'comment') continue; // that tool has dropped the viewpoints
      const after = await imported(back, before, clashes);
      const expected = new Map(before);
      const comment = { text: 'late', author: 'eve', date: '2026-11-09T10:00:00Z' };
      const patch = { status, assignee: 'carl', due: '2030-05-06' };
      for (const id of ids) {
        const was = before.get(id) ?? shared(chosen.clashes, before);
        const comments = [...was.comments, comment].sort((p, q) =>
          p.date < q.date ? -1 : p.date > q.date ? 1 : 0,
        );
        expected.set(id, { ...was, ...(what === 'comment' ? { comments } : { [what]: patch[what] }) });
      }
      for (const [id, one] of after)
        expect([id, what, one]).toEqual([id, what, expected.get(id) ?? UNDECIDED]);
      expect(new Set(after.keys())).toEqual(new Set(expected.keys()));
    }
  });

  test('three assignees of nine clashes stay with their three', async () => {
    const clashes = clashesOf(seededRandom(3)).slice(0, 1);
    const nine = Array.from({ length: 9 }, (_, i) => ({
      ...clashes[0],
      id: `${i}`.padStart(16, 'a'),
      group: 'g1',
    }));
    const kept = new Map<string, Decision>([
      [nine[0].id, { ...UNDECIDED, status: 'active', assignee: 'ann' }],
      [nine[1].id, { ...UNDECIDED, status: 'reviewed', assignee: 'bob' }],
      [nine[2].id, { ...UNDECIDED, status: 'resolved', assignee: 'cy' }],
    ]);
    const path = await exported(folder, nine, kept, version);
    expect(await imported(path, kept, nine)).toEqual(kept);
    // who knows nothing of them takes over what all nine have, which is nothing
    expect(await imported(path, new Map(), nine)).toEqual(new Map());
  });
});

/**
 * What somebody who has decided nothing takes over from a topic of these clashes: nothing, as one of them is undecided.
 */
function shared(clashes: readonly ReportClash[], review: Review): Decision {
  expect(clashes.some(({ id }) => !review.has(id))).toBe(true);
  return UNDECIDED;
}

describe('what was exported', () => {
  test(`is read as it was written (seed ${SEED + 2})`, () => {
    const random = seededRandom(SEED + 2);
    for (let run = 0; run < runs(500); run++) {
      const decisions = Array.from({ length: 1 + Math.floor(4 * random()) }, () => randomDecision(random));
      const state = stateOf(commonDecision(decisions), decisions);
      const text = `9 clashes. Rule: [x] [y: z].\n${stateText(state)}\nhard: a / b [0123456789abcdef]`;
      expect(stateIn(text)).toEqual(state);
    }
    for (const text of ['', '[as exported: ]', '[as exported: done - -]', 'as exported: new - -'])
      expect(stateIn(text)).toBeUndefined();
  });

  test('texts are the same however they were escaped, dates in whichever zone', () => {
    expect(textCode('a &amp;amp;lt; b\r\n c')).toBe(textCode('a < b c'));
    expect(textCode('a')).not.toBe(textCode('b'));
    for (const same of [
      '2026-12-24',
      '2026-12-24T00:00:00Z',
      '2026-12-23T19:00:00-05:00',
      '2026-12-24T09:00:00+09:00',
    ])
      expect(isSameDue('2026-12-24T00:00:00.000Z', same)).toBe(true);
    for (const other of ['2026-12-25', '2026-12-23', '2027-12-24'])
      expect(isSameDue('2026-12-24T00:00:00.000Z', other)).toBe(false);
  });
});
