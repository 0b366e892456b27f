import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Decisions } from '../../cli/src/wire/review.js';
import { changed, commentsOf, joined, ownOf, reviewFile, withChanges } from '../src/decisions.js';
import { SavingKeeper } from '../src/saving-keeper.js';
import { beams } from './report-of-beams.js';

const REPORT = { data: beams().data, date: '2026-01-02' };

describe('decisions', () => {
  test('fields change, empty ones go, what was said stays', () => {
    const before = { status: 'active', assignee: 'Ada', due: '2026-05-01', comment: 'look' };
    expect(changed(before, { assignee: '' })).toEqual({
      status: 'active',
      due: '2026-05-01',
      comment: 'look',
    });
    const said = { author: 'Bo', date: '2026-01-01', text: 'seen' };
    const after = changed(before, { said: [said] });
    expect(commentsOf(after)).toEqual([{ text: 'look' }, said]);
    expect(commentsOf(changed(after, { said: [said] }))).toHaveLength(2);
  });

  test('changes pile up', () => {
    const change = joined(joined(undefined, { status: 'active', assignee: 'Ada' }), { assignee: 'Bo' });
    expect(change).toEqual({ status: 'active', assignee: 'Bo' });
    expect(withChanges({}, new Map([['c1', change]]))).toEqual({ c1: { status: 'active', assignee: 'Bo' } });
  });

  test('an id that every object of the language has is one like any other', () => {
    expect(ownOf({}, 'constructor')).toBeUndefined();
    expect(withChanges({}, new Map([['constructor', { status: 'active' as const }]]))['constructor']).toEqual(
      {
        status: 'active',
      },
    );
  });

  test('a file as the check reads it', () => {
    const text = reviewFile({ c1: { status: 'active' } });
    expect(JSON.parse(text)).toEqual({ clashes: { c1: { status: 'active' } } });
  });
});

describe('keeping decisions', () => {
  beforeEach(() => void vi.stubGlobal('location', { pathname: '/' }));
  afterEach(() => void vi.unstubAllGlobals());

  /** A server that merges by field, like the real one; requests wait for `answer`. */
  function server(decisions: Record<string, object>) {
    const posts: { readonly base: string; readonly changes: Decisions }[] = [];
    const waiting: (() => void)[] = [];
    let revision = 0;
    const state = { away: false };
    const reply = () => new Response(JSON.stringify({ revision: String(revision), decisions }));
    vi.stubGlobal('fetch', async (_url: string, options?: { method?: string; body?: string }) => {
      if (options?.method !== 'POST') return reply();
      await new Promise<void>((resolve) => waiting.push(resolve));
      if (state.away) throw new TypeError('no route');
      const post = JSON.parse(options.body!);
      posts.push(post);
      for (const [id, decision] of Object.entries<object>(post.changes)) {
        decisions[id] = { ...decisions[id], ...decision };
      }
      revision++;
      return reply();
    });
    return {
      posts,
      state,
      others(id: string, decision: object) {
        decisions[id] = { ...decisions[id], ...decision };
        revision++;
      },
      async answer() {
        await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
        waiting.shift()!();
      },
    };
  }

  const keeper = () => new SavingKeeper({ review: 'review.json', live: true }, REPORT);

  test('shows a change at once, and says when it is saved', async () => {
    const { answer, posts } = server({});
    const one = keeper();
    await one.load();
    one.change(['c0'], { status: 'active' });
    expect(one.decisionOf('c0')).toEqual({ status: 'active' });
    expect(one.state.value.kind).toBe('saving');
    await answer();
    await vi.waitFor(() => expect(one.state.value.kind).toBe('saved'));
    expect(posts).toEqual([{ base: '0', changes: { c0: { status: 'active' } }, author: '' }]);
  });

  test('what is changed while something is saved follows, on top of what others did', async () => {
    const { answer, posts, others } = server({});
    const one = keeper();
    await one.load();
    one.change(['c0'], { status: 'active' });
    one.change(['c1'], { status: 'reviewed' });
    others('c1', { assignee: 'Ada' });
    await answer();
    await answer();
    await vi.waitFor(() => expect(one.state.value.kind).toBe('saved'));
    expect(posts[1].changes).toEqual({ c1: { status: 'reviewed', assignee: 'Ada' } });
    expect(one.decisionOf('c1')).toEqual({ status: 'reviewed', assignee: 'Ada' });
  });

  test('nothing is lost while the server is away', async () => {
    const { answer, state } = server({});
    const one = keeper();
    await one.load();
    state.away = true;
    one.change(['c0'], { assignee: 'Ada' });
    await answer();
    const failed = { kind: 'failed', why: 'the server does not respond' };
    await vi.waitFor(() => expect(one.state.value).toEqual(failed));
    expect(one.decisionOf('c0')?.assignee).toBe('Ada');
    state.away = false;
    one.change(['c1'], { assignee: 'Bo' });
    await answer();
    await vi.waitFor(() => expect(one.state.value.kind).toBe('saved'));
    expect(one.decisionOf('c0')?.assignee).toBe('Ada');
  });

  test('in an exported folder the browser keeps them', async () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    });
    server({ c0: { status: 'active' } });
    const folder = () => new SavingKeeper({ review: 'review.json', live: false }, REPORT);
    const before = folder();
    await before.load();
    before.change(['c0'], { due: '2026-05-01' });
    expect(before.state.value).toEqual({ kind: 'here', count: 1, where: 'browser' });
    const after = folder();
    await after.load();
    expect(after.decisionOf('c0')).toEqual({ status: 'active', due: '2026-05-01' });
  });
});
