/** Clashes of a baseline whose objects have other ids now. */
import { seededRandom } from '@impinge/scenes/random';
import { describe, expect, test } from 'vitest';
import { compareWithBaseline } from '../src/reports/baseline.js';
import { topicGuid } from '../src/reports/bcf/topic.js';
import { clashLine } from '../src/reports/clash-record.js';
import { groupClashes } from '../src/reports/group-clashes.js';
import { parseClashLine } from '../src/reports/read-clash-record.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { type Decision, UNDECIDED } from '../src/reports/review/decision.js';
import { decisionsFor } from '../src/reports/review/read-reviews.js';
import { parseReview, reviewUpdate } from '../src/reports/review/review-file.js';
import { clash, DATE, plantClashes, plantObject } from './reports-clashes.js';

type ClashObject = ReportClash['a'];

const GUID = (n: number) => `2${String(n).padStart(21, '0')}`;
const column = plantObject(0, 1, 1);
const beam = plantObject(0, 1, 2);
const pipe = plantObject(1, 1, 3);

const list = (...clashes: ReturnType<typeof clash>[]) => groupClashes(clashes, DATE);
const again = ({ id, ...rest }: ClashObject, n: number): ClashObject => ({ ...rest, id: GUID(n) });
const moved = (object: ClashObject, by: number): ClashObject => ({
  ...object,
  box: { min: object.box.min.map((x) => x + by) as never, max: object.box.max.map((x) => x + by) as never },
});
const tagged = (object: ClashObject, tag: string): ClashObject => ({ ...object, labels: { tag: [tag] } });

/** As a report is read back. */
const written = (clashes: readonly ReportClash[]) => clashes.map((one) => parseClashLine(clashLine(one)));

describe('a clash of an object with another GUID', () => {
  const before = written(list(clash({ a: column, b: beam }), clash({ a: column, b: pipe, depth: 0.05 })));
  const now = list(
    clash({ a: again(column, 1), b: beam }),
    clash({ a: again(column, 1), b: pipe, depth: 0.05 }),
  );

  test('is renamed: it names its former id, keeps its issue and its date, and nothing is resolved', () => {
    const { clashes, resolved } = compareWithBaseline(groupClashes(now, '2030-01-01'), before);
    expect(resolved).toEqual([]);
    expect(clashes.map(({ status }) => status)).toEqual(['renamed', 'renamed']);
    clashes.forEach(({ formerIds, since, issueSince, group }, i) => {
      expect(formerIds).toEqual([before[i].id]);
      expect([since, issueSince]).toEqual([DATE, DATE]);
      expect(topicGuid({ id: group })).toBe(topicGuid({ id: before[i].group }));
    });
  });

  test('persists a week later, and remembers all its ids; renamed back, it has its first', () => {
    const second = written(compareWithBaseline(now, before).clashes);
    const same = compareWithBaseline(now, second).clashes;
    expect(same.map(({ status, formerIds }) => [status, formerIds])).toEqual(
      before.map(({ id }) => ['persisting', [id]]),
    );
    const third = list(clash({ a: again(column, 2), b: beam }));
    expect(compareWithBaseline(third, written(same)).clashes[0].formerIds).toEqual([before[0].id, now[0].id]);
    const back = list(clash({ a: column, b: beam }));
    const [first] = compareWithBaseline(back, written(same)).clashes;
    expect([first.id, first.formerIds]).toEqual([before[0].id, [now[0].id]]);
  });

  test('is new where the object is elsewhere, has another name, type or tag, or its former id is still there', () => {
    const others: ClashObject[] = [
      moved(again(column, 1), 0.001),
      { ...again(column, 1), name: 'another' },
      { ...again(column, 1), type: 'IfcColumn' },
      tagged(again(column, 1), 'C1'),
    ];
    for (const a of others) {
      const { clashes, resolved } = compareWithBaseline(list(clash({ a, b: beam })), before.slice(0, 1));
      expect([clashes[0].status, resolved.length]).toEqual(['new', 1]);
    }
    const one = list(clash({ a: again(column, 1), b: beam }));
    expect(compareWithBaseline(one, before.slice(0, 1), (ids) => ids).clashes[0].status).toBe('new');
    expect(compareWithBaseline(one, before.slice(0, 1)).clashes[0].status).toBe('renamed');
  });

  test('is the same within rounding, with the sides exchanged, in a file of another name', () => {
    const a = { ...moved(again(column, 1), 1.5e-6), file: 'structure-2.ifc' };
    const { clashes } = compareWithBaseline(list(clash({ a: beam, b: a })), before.slice(0, 1));
    expect(clashes[0].status).toBe('renamed');
  });

  test('of two objects that nothing tells apart is new; a tag tells them apart', () => {
    const twins = [1, 2].map((n) => again(column, n));
    const fresh = [3, 4].map((n) => again(column, n));
    const all = (of: readonly ClashObject[]) => list(...of.map((a) => clash({ a, b: beam })));
    const plain = compareWithBaseline(all(fresh), all(twins));
    expect(plain.clashes.map(({ status }) => status)).toEqual(['new', 'new']);
    expect(plain.resolved).toHaveLength(2);
    // one that could be either of two, or two that could be one
    expect(compareWithBaseline(all(fresh), all(twins.slice(0, 1))).clashes.map((one) => one.status)).toEqual([
      'new',
      'new',
    ]);
    expect(compareWithBaseline(all(fresh.slice(0, 1)), all(twins)).clashes[0].status).toBe('new');
    const marks = (of: readonly ClashObject[]) => of.map((one, i) => tagged(one, `C${i}`));
    const told = compareWithBaseline(all(marks(fresh)), written(all(marks(twins)))).clashes;
    expect(told.map(({ formerIds }) => formerIds)).toEqual(all(marks(twins)).map(({ id }) => [id]));
  });

  test('keeps its decision: in the file, from a file of somebody else, and where it has one of its own', () => {
    const { clashes } = compareWithBaseline(now, before);
    const kept = new Map<string, Decision>([[before[0].id, { ...UNDECIDED, status: 'approved' as const }]]);
    const text = `# ours\nclashes:\n  # see minutes\n  "${before[0].id}":\n    status: approved\n  other:\n    status: active\n`;
    const own = { path: 'x/review.yaml', text, decisions: parseReview(text, 'x') };
    const { decisions, moved } = decisionsFor({ own, kept: own.decisions, named: [] }, clashes, before);
    expect(decisions.get(now[0].id)?.status).toBe('approved');
    expect(decisions.has(before[0].id)).toBe(false);
    expect(decisions.get('other')?.status).toBe('active');
    const file = reviewUpdate(own, decisions, undefined, moved)!.text;
    expect(file).toContain('# see minutes');
    expect(parseReview(file, 'x')).toEqual(decisions);
    const asJson = { ...own, path: 'x/review.json' };
    expect(parseReview(reviewUpdate(asJson, decisions, undefined, moved)!.text, 'x')).toEqual(decisions);

    const theirs = decisionsFor({ own: undefined, kept: new Map(), named: [kept] }, clashes, before);
    expect(theirs.decisions.get(now[0].id)?.status).toBe('approved');
    const both = new Map<string, Decision>([
      ...kept,
      [now[0].id, { ...UNDECIDED, status: 'active' as const }],
    ]);
    const later = decisionsFor({ own: undefined, kept: both, named: [] }, clashes, before);
    expect([...later.decisions.values()].map(({ status }) => status)).toEqual(['active']);
  });
});

test('of many clashes those are renamed whose objects are, whatever the order (seed 35)', () => {
  const random = seededRandom(35);
  // everything has a place of its own
  const places = new Map<string, number>();
  const placed = (object: ClashObject) => {
    if (!places.has(object.id)) places.set(object.id, places.size);
    return moved(object, places.get(object.id)!);
  };
  const all = plantClashes(800, 35).map((one) => clash({ ...one, a: placed(one.a), b: placed(one.b) }));
  const changed = new Map<string, string>();
  for (const id of places.keys()) if (random() < 0.1) changed.set(id, GUID(changed.size));
  const now = (object: ClashObject) => ({ ...object, id: changed.get(object.id) ?? object.id });
  const later = all.map((one) => clash({ ...one, a: now(one.a), b: now(one.b) }));
  const order = later.map((one, i) => ({ one, i, at: random() })).sort((p, q) => p.at - q.at);
  const { clashes, resolved } = compareWithBaseline(
    groupClashes(
      order.map(({ one }) => one),
      DATE,
    ),
    written(groupClashes(all, DATE)),
  );
  expect(resolved).toEqual([]);
  expect(changed.size).toBeGreaterThan(20);
  clashes.forEach(({ status, formerIds, id }, k) => {
    const was = all[order[k].i];
    expect([status, formerIds]).toEqual(id === was.id ? ['persisting', []] : ['renamed', [was.id]]);
  });
});
