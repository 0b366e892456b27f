/** Decisions while several change them: merging, the file, and what the page may send. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { full, runs } from '../../../test/budget.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { type Decision, UNDECIDED } from '../src/reports/review/decision.js';
import { mergedChange } from '../src/reports/review/merge-change.js';
import { parseReview, reviewUpdate } from '../src/reports/review/review-file.js';
import { ReviewDesk } from '../src/server/review-desk.js';
import { REVIEW_STATUSES } from '../src/wire/review.js';
import { temporaryFolder } from './files.js';
import { grouped, plantClashes } from './reports-clashes.js';
import { ask } from './view-requests.js';
import { servedReport } from './view-served.js';

const FIELDS = ['status', 'assignee', 'due'] as const;
const decision = (given: Partial<Decision>): Decision => ({ ...UNDECIDED, ...given });
const comment = (text: string, author = '', date = '') => ({ text, author, date });
const by = (author: string) => ({ author, date: '2026-11-16T12:00:00.000Z' });

const changes = fc.record(
  {
    status: fc.constantFrom(...REVIEW_STATUSES),
    assignee: fc.constantFrom('', 'ann', 'bob'),
    due: fc.constantFrom('', '2026-12-24', '2027-01-01'),
    said: fc.constantFrom('yes', 'no', 'why?'),
  },
  { requiredKeys: [] },
);
const decisions = fc.record({
  status: fc.constantFrom(...REVIEW_STATUSES),
  assignee: fc.constantFrom('', 'ann', 'bob'),
  due: fc.constantFrom('', '2026-12-24'),
  comments: fc.constantFrom([], [comment('first', 'cid', '2026-01-01')], [comment('by hand')]),
});

type Change = typeof changes extends fc.Arbitrary<infer T> ? T : never;

/** What somebody sends who knows `base`. */
function sent(base: Decision, { said, ...fields }: Change, author: string): Decision {
  const more = said === undefined ? [] : [comment(said, author, '2026-11-16T11:00:00Z')];
  return { ...base, ...fields, comments: [...base.comments, ...more] };
}

describe('two who change a decision at the same time', () => {
  test('lose nothing, in whatever order they come; seed 21', () => {
    fc.assert(
      fc.property(decisions, changes, changes, (base, a, b) => {
        const [mine, theirs] = [sent(base, a, 'ann'), sent(base, b, 'bob')];
        const ab = mergedChange(base, theirs, mergedChange(base, mine, base, by('ann')), by('bob'));
        const ba = mergedChange(base, mine, mergedChange(base, theirs, base, by('bob')), by('ann'));
        for (const field of FIELDS) {
          const set = [mine, theirs].map((one) => one[field]).filter((value) => value !== base[field]);
          // both set it differently: the later one holds, and the other is told
          if (new Set(set).size === 2) {
            expect([ab[field], ba[field]]).toEqual([theirs[field], mine[field]]);
            for (const merged of [ab, ba]) {
              const texts = merged.comments.map(({ text }) => text).join('\n');
              for (const value of set) expect(texts).toContain(`"${value}"`);
            }
          } else expect([ab[field], ba[field]]).toEqual([set[0] ?? base[field], set[0] ?? base[field]]);
        }
        const told = (merged: Decision) => merged.comments.filter(({ text }) => !text.includes('became'));
        expect(new Set(told(ab))).toEqual(new Set(told(ba)));
        expect(new Set(told(ab))).toEqual(new Set([...mine.comments, ...theirs.comments]));
        expect(ab.comments.map(({ date }) => date)).toEqual(ab.comments.map(({ date }) => date).sort());
        // what is sent again, because the answer was lost, changes nothing
        expect(mergedChange(base, theirs, ab, by('bob'))).toEqual(ab);
      }),
      { numRuns: runs(200), seed: 21 },
    );
  });

  full(
    'any number of changes to several clashes, by two processes: all of them are there; seed 22',
    async () => {
      const change = fc.tuple(fc.nat(1), fc.nat(2), changes);
      await fc.assert(
        fc.asyncProperty(
          fc.array(change, { minLength: 2, maxLength: 5 }),
          fc.boolean(),
          async (list, yaml) => {
            const folder = temporaryFolder();
            if (yaml)
              writeFileSync(
                join(folder, 'review.yaml'),
                '# ours\nclashes:\n  c0: { status: active } # why\n',
              );
            const desks = [new ReviewDesk(folder), new ReviewDesk(folder)];
            const bases = await Promise.all(desks.map((desk) => desk.read()));
            await Promise.all(
              list.map(([who, which, { said, ...fields }], i) => {
                const known = bases[who].decisions.get(`c${which}`) ?? UNDECIDED;
                const mine = { ...known, ...fields, comments: [comment(`${i} ${said}`)] };
                return desks[who].change(
                  bases[who].revision,
                  new Map([[`c${which}`, mine]]),
                  by(`author ${i}`),
                );
              }),
            );
            const { decisions: final } = await new ReviewDesk(folder).read();
            for (const [i, [who, which, { said, ...fields }]] of list.entries()) {
              const found = final.get(`c${which}`)!;
              expect(found.comments).toContainEqual({ ...by(`author ${i}`), text: `${i} ${said}` });
              const known = bases[who].decisions.get(`c${which}`) ?? UNDECIDED;
              for (const [field, value] of Object.entries(fields)) {
                if (value === known[field as 'status']) continue;
                const told = found.comments.some(
                  ({ text }) => text.startsWith(`${field}: `) && text.includes(`"${value}"`),
                );
                expect(found[field as 'status'] === value || told).toBe(true);
              }
            }
            if (yaml) expect(readFileSync(join(folder, 'review.yaml'), 'utf8')).toMatch(/^# ours\n/);
            expect(readdirSync(folder)).toEqual([yaml ? 'review.yaml' : 'review.json']);
          },
        ),
        { numRuns: runs(8), seed: 22 },
      );
    },
  );
});

describe('the file of decisions', () => {
  test('somebody writes into it by hand in between: both are kept', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'review.yaml');
    writeFileSync(path, 'clashes:\n  aa: { status: active }\n');
    const desk = new ReviewDesk(folder);
    let asked = 0;
    const { decisions: now } = await desk.update((found) => {
      if (asked++ === 0)
        writeFileSync(path, '# by hand\nclashes:\n  aa: { status: reviewed }\n  hand: { due: 2026-12-24 }\n');
      return new Map([...found, ['bb', decision({ status: 'approved' })]]);
    });
    expect(asked).toBe(2);
    expect(now).toEqual(
      new Map([
        ['aa', decision({ status: 'reviewed' })],
        ['hand', decision({ due: '2026-12-24' })],
        ['bb', decision({ status: 'approved' })],
      ]),
    );
    expect(readFileSync(path, 'utf8')).toMatch(/^# by hand\n/);
    // a file that comes first, and one that goes
    const empty = temporaryFolder();
    let first = true;
    await new ReviewDesk(empty).update((found) => {
      if (first) writeFileSync(join(empty, 'review.yaml'), 'clashes: { aa: { status: active } }\n');
      first = false;
      return new Map([...found, ['bb', decision({ status: 'approved' })]]);
    });
    expect(readdirSync(empty)).toEqual(['review.yaml']);
    expect(parseReview(readFileSync(join(empty, 'review.yaml'), 'utf8'), 'x').size).toBe(2);
  });

  test('what is wrong with it is said, and it stays as it is', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'review.yaml');
    writeFileSync(path, 'clashes:\n  aa: { status: aproved }\n');
    const desk = new ReviewDesk(folder);
    await expect(desk.read()).rejects.toThrow(/review\.yaml:2:17: status: expected one of/);
    const change = new Map([['aa', decision({ status: 'active' })]]);
    await expect(desk.change('x', change, by('ann'))).rejects.toThrow(/review\.yaml:2:17/);
    expect(readFileSync(path, 'utf8')).toContain('aproved');
    writeFileSync(path, 'clashes: {}\n');
    expect((await desk.change('x', change, by('ann'))).decisions.get('aa')?.status).toBe('active');
    expect(existsSync(join(folder, 'review.lock'))).toBe(false);
  });

  test('decisions that refer to each other are written out', () => {
    const text = 'clashes:\n  aa: &same { status: active }\n  bb: *same\n';
    const own = { path: 'review.yaml', text, decisions: parseReview(text, 'x') };
    const next = new Map([...own.decisions, ['aa', decision({ status: 'approved' })] as const]);
    expect(parseReview(reviewUpdate(own, next)!.text, 'x')).toEqual(next);
  });

  full('thousands of decisions in JSON are read as they were written, others with all mistakes', () => {
    const many = new Map(
      Array.from({ length: 200 }, (_, i) => [
        `id${10_000 + i}`,
        decision({ status: 'approved', comments: [comment(`no. ${i}`, 'ann', '2026-11-01')] }),
      ]),
    );
    const { text } = reviewUpdate({ path: 'review.json', text: '', decisions: new Map() }, many)!;
    expect([...parseReview(text, 'x')]).toEqual([...many]);
    const small = '{\n  "clashes": {\n    "aa": {\n      "status": "active"\n    }\n  }\n}\n';
    expect(parseReview(small, 'x')).toEqual(new Map([['aa', decision({ status: 'active' })]]));
    const wrong: readonly (readonly [string, RegExp])[] = [
      [small.replace('active', 'done'), /x:4:17: status: expected one of/],
      [small.replace('"status"', '"aa": {},\n"status"'), /x:4:/],
      [
        small.replace('"status": "active"', '"status": "new",\n      "due": "soon"'),
        /x:5:14: due: write a date/,
      ],
      [small.replace('"aa": {', '"aa": {}, "aa": {'), /x:3:15: this key is here twice/],
    ];
    for (const [given, message] of wrong) expect(() => parseReview(given, 'x')).toThrow(message);
  });
});

describe('what the page sends', () => {
  const clashes = grouped(plantClashes(3, 6)).map((one, i): ReportClash => ({ ...one, id: `id-${i}` }));

  test('is merged, kept and told to others; nonsense is refused', async () => {
    await servedReport(clashes, async (view, base, folder) => {
      const get = async (name: string) => JSON.parse((await ask(view.address, base + name)).body.toString());
      expect(await get('view.json')).toMatchObject({
        report: 'report.json',
        review: 'review.json',
        live: true,
      });
      const before = await get('review.json');
      expect(before.decisions).toEqual({});
      const events = (await fetch(`${view.address}events`)).body!.getReader();
      const post = (body: unknown) => {
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        return ask(view.address, `${base}review.json`, { method: 'POST', body: text });
      };
      const change = {
        base: before.revision,
        author: 'ann',
        changes: { 'id-1': { status: 'approved', comment: 'ok' } },
      };
      const posted = await post(change);
      expect(posted.status).toBe(200);
      const after = JSON.parse(posted.body.toString());
      expect(after.decisions['id-1']).toMatchObject({
        status: 'approved',
        comments: [{ author: 'ann', text: 'ok' }],
      });
      expect(await get('review.json')).toEqual(after);
      expect(parseReview(readFileSync(join(folder, 'review.json'), 'utf8'), 'x').get('id-1')?.status).toBe(
        'approved',
      );
      const report = await get('report.json');
      expect(report.data.statuses[report.data.clashes.status[report.data.clashes.id.indexOf('id-1')]]).toBe(
        'approved',
      );
      let told = '';
      while (!told.includes('\n\nevent')) told += Buffer.from((await events.read()).value!).toString();
      expect(told).toContain(`event: review\ndata: {"revision":"${after.revision}"}`);
      await events.cancel();
      // taken back; what was said stays
      const back = await post({ base: after.revision, author: 'bob', changes: { 'id-1': null } });
      expect(JSON.parse(back.body.toString()).decisions['id-1']).toMatchObject({
        status: 'new',
        comments: [{ text: 'ok' }],
      });
      const nonsense: readonly (readonly [unknown, number])[] = [
        ['{', 400],
        ['', 400],
        ['null', 400],
        [{ ...change, changes: 5 }, 400],
        [{ ...change, changes: { 'id-1': { status: 'done' } } }, 400],
        [{ ...change, changes: { 'id-1': { due: 'tomorrow' } } }, 400],
        [{ ...change, changes: { 'id-1': { other: 1 } } }, 400],
        [{ ...change, changes: { 'id-9': { status: 'active' } } }, 400],
        ['{"base":"","author":"","changes":{"constructor ":{"status":"active"}}}', 400],
        [{ ...change, changes: { 'id-1': { comment: 'x'.repeat(20_001) } } }, 400],
        [{ ...change, author: 'x'.repeat(301) }, 400],
        ['x'.repeat((16 << 20) + 1), 413],
      ];
      const kept = readFileSync(join(folder, 'review.json'), 'utf8');
      for (const [body, status] of nonsense) {
        const answer = await post(body).catch(() => ({ status: 413, body: '{"error":"gone"}' }));
        expect([String(body).slice(0, 40), answer.status]).toEqual([String(body).slice(0, 40), status]);
        expect(JSON.parse(answer.body.toString()).error).toMatch(/./);
      }
      expect(readFileSync(join(folder, 'review.json'), 'utf8')).toBe(kept);
      // a file that cannot be read says why
      writeFileSync(join(folder, 'review.json'), '{ "clashes": 5 }');
      const broken = await ask(view.address, `${base}review.json`);
      expect(broken.status).toBe(409);
      expect(JSON.parse(broken.body.toString()).error).toMatch(/review\.json:1:14: clashes is written as/);
    });
  });
});
