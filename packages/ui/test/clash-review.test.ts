import { describe, expect, test } from 'vitest';
import { ClashReview } from '../src/clash-review.js';
import { ReviewKeeper } from '../src/review-keeper.js';
import { beams } from './report-of-beams.js';

describe('going through clashes', () => {
  function review(): ClashReview {
    const report = beams();
    return new ClashReview(report, new ReviewKeeper({}));
  }

  test('one after the other, and no further than the ends', () => {
    const one = review();
    const seen = ([1, 1, 1, 1, 1, -1] as const).map((by) => {
      one.step(by);
      return one.current.value;
    });
    expect(seen).toEqual([0, 1, 2, 3, 3, 2]);
    expect(one.position.value).toBe(2);
  });

  test('in the order of issues, opening those that are closed', () => {
    const one = review();
    one.issues.value = true;
    one.toggleIssue(1);
    expect(one.order.value).toEqual([0, 2, 3, 1]);
    for (let i = 0; i < 4; i++) one.step(1);
    expect(one.current.value).toBe(1);
    expect(one.closedIssues.value.size).toBe(0);
  });

  test('what is decided stays in the list until another is looked at', () => {
    const one = review();
    one.show(1);
    one.decide([1], { status: 'approved' });
    expect(one.order.value).toEqual([0, 1, 2, 3]);
    expect(one.keeper.decisionOf('c1')).toEqual({ status: 'approved' });
    one.step(1);
    expect(one.current.value).toBe(2);
    expect(one.order.value).toEqual([0, 2, 3]);
  });

  test('filters take it out at once', () => {
    const one = review();
    one.show(1);
    one.decide([1], { status: 'approved' });
    one.filter({ text: 'beam' });
    expect(one.order.value).toEqual([0, 2, 3]);
  });

  test('what is resolved and still there is listed and counted; what is not listed is told', () => {
    const one = review();
    one.decide([0, 1, 2, 3], { status: 'resolved' });
    expect(one.order.value).toEqual([0, 1, 2, 3]);
    expect(one.counted.value).toEqual([0, 1, 2, 3]);
    // the fifth no longer exists since the baseline
    expect(one.apart.value).toEqual({ stillThere: 4, approved: 0, gone: 1 });
    one.decide([3], { status: 'approved' });
    expect(one.apart.value).toEqual({ stillThere: 3, approved: 1, gone: 1 });
    one.filter({ storey: 'Level 2' });
    expect(one.apart.value).toMatchObject({ stillThere: 1, approved: 0 });
    one.filter({ storey: '', review: ['resolved'] });
    expect(one.order.value).toEqual([0, 1, 2]);
  });
});
