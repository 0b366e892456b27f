/** The progress line, on a screen that is drawn by the test and by a clock that the test turns. */
import { describe, expect, test } from 'vitest';
import { Progress, type ProgressOutput } from '../src/progress.js';

class Screen implements ProgressOutput {
  readonly live: boolean;
  width: number | undefined = 100;
  time = 0;
  writes: string[] = [];
  /** What is on the screen. */
  lines = [''];

  constructor(live: boolean) {
    this.live = live;
  }

  readonly columns = () => this.width;
  readonly now = () => this.time;

  write(text: string): void {
    this.writes.push(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what clears a line
    for (const part of text.split(/(\r\u001b\[K|\n)/)) {
      if (part === '\n') this.lines.push('');
      else if (part === '\r\u001b[K') this.lines[this.lines.length - 1] = '';
      else this.lines[this.lines.length - 1] += part;
    }
  }
}

/** Work at `perSecond` for some seconds, told every 10 ms. */
function work(progress: Progress, screen: Screen, from: number, perSecond: number, seconds: number): number {
  for (let ms = 0; ms < 1000 * seconds; ms += 10) {
    screen.time += 10;
    progress.update(from + (perSecond * (ms + 10)) / 1000, '312 clashes');
  }
  return from + perSecond * seconds;
}

describe('on a terminal', () => {
  test('one line with bar, share, time left, rate and figures', () => {
    const screen = new Screen(true);
    const progress = new Progress(screen);
    progress.begin({ label: 'checking', total: 1_000_000, unit: 'pairs' });
    work(progress, screen, 0, 10_000, 50);
    expect(screen.lines).toEqual([
      '[============            ] checking 50 %  0:50 left  10 k pairs/s  312 clashes',
    ]);
    progress.end();
    expect(screen.lines).toEqual(['']);
    // about ten times a second
    expect(screen.writes.length).toBeGreaterThan(450);
    expect(screen.writes.length).toBeLessThan(510);
  });

  test('is quiet at first, and 100 % only at the end', () => {
    const screen = new Screen(true);
    const progress = new Progress(screen);
    progress.begin({ label: 'packing', total: 1000, unit: 'bytes' });
    progress.update(500);
    progress.end();
    expect(screen.writes).toEqual([]);
    progress.begin({ label: 'packing', total: 1000, unit: 'bytes' });
    screen.time += 1000;
    progress.update(999);
    expect(screen.lines[0]).toMatch(/packing 99 % {2}0:00 left {2}999 bytes\/s$/);
  });

  test('other output does not mix with it', () => {
    const screen = new Screen(true);
    const progress = new Progress(screen);
    progress.begin({ label: 'checking', total: 100, unit: 'pairs' });
    screen.time += 200;
    progress.update(10);
    progress.clear();
    progress.clear();
    screen.write('a note\n');
    screen.time += 200;
    progress.update(20);
    expect(screen.lines).toEqual(['a note', expect.stringMatching(/checking 20 %/)]);
    progress.begin({ label: 'writing', total: 10, unit: 'files' });
    expect(screen.lines).toEqual(['a note', '']);
    progress.end();
    screen.time += 200;
    progress.update(30);
    expect(screen.lines).toEqual(['a note', '']);
  });

  test('never wraps, whatever the width', () => {
    const screen = new Screen(true);
    const progress = new Progress(screen);
    progress.begin({ label: 'checking', total: 1_000_000, unit: 'pairs' });
    const shown = new Map<number, string>();
    for (let width = 1; width <= 120; width++) {
      screen.width = width;
      screen.time += 150;
      progress.update(width * 1000, '312 clashes');
      expect(screen.lines).toHaveLength(1);
      expect(screen.lines[0].length).toBeLessThan(width);
      shown.set(width, screen.lines[0]);
    }
    expect(shown.get(20)).toBe('checking 2 %');
    expect(shown.get(30)).toMatch(/^checking 3 % {2}\d:\d\d left$/);
    expect(shown.get(60)).toMatch(/^checking 6 % .* left .* pairs\/s {2}312 clashes$/);
    expect(shown.get(120)).toMatch(/^\[=+ +\] checking 12 %/);
    screen.width = undefined;
    screen.time += 150;
    progress.update(200_000);
    expect(screen.lines[0].length).toBeLessThan(80);
  });

  test('the time left follows the pace, and what an earlier run did does not count', () => {
    const screen = new Screen(true);
    const progress = new Progress(screen);
    progress.begin({ label: 'checking', total: 1_000_000, unit: 'pairs', doneBefore: 900_000 });
    const done = work(progress, screen, 900_000, 1000, 10);
    expect(screen.lines[0]).toMatch(/91 % {2}1:30 left {2}1 k pairs\/s/);
    work(progress, screen, done, 2000, 40);
    // the slow beginning is nearly forgotten
    expect(screen.lines[0]).toMatch(/99 % {2}0:05 left {2}1\.9\d k pairs\/s/);
  });

  test('long times, no progress at all, nothing to do', () => {
    const screen = new Screen(true);
    const progress = new Progress(screen);
    const lineAfter = (total: number, done: number, ms: number) => {
      progress.begin({ label: 'x', total, unit: 'y' });
      screen.time += ms;
      progress.update(done);
      return screen.lines[0].replace(/^\[.*\] /, '');
    };
    expect(lineAfter(3910, 1, 1000)).toBe('x 0 %  1:05:09 left  1 y/s');
    expect(lineAfter(864_001, 1, 1000)).toBe('x 0 %  10 days left  1 y/s');
    expect(lineAfter(100, 0, 1000)).toBe('x 0 %');
    expect(lineAfter(0, 0, 1000)).toBe('x 100 %');
    expect(lineAfter(10, 20, 1000)).toBe('x 100 %  0:00 left  20 y/s');
    expect(lineAfter(1e10, 1_234_567, 1000)).toMatch(/1\.23 M y\/s$/);
  });
});

describe('elsewhere', () => {
  test('a plain line every ten seconds, and none for short work', () => {
    const screen = new Screen(false);
    const progress = new Progress(screen);
    progress.begin({ label: 'checking', total: 100_000, unit: 'pairs' });
    work(progress, screen, 0, 1000, 9);
    expect(screen.writes).toEqual([]);
    work(progress, screen, 9000, 1000, 26);
    progress.end();
    expect(screen.writes).toEqual([
      'checking 10 %, 1:30 left, 1 k pairs/s, 312 clashes\n',
      'checking 20 %, 1:20 left, 1 k pairs/s, 312 clashes\n',
      'checking 30 %, 1:10 left, 1 k pairs/s, 312 clashes\n',
    ]);
  });
});
