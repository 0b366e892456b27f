/**
 * Progress of long work. On a terminal, one line that is redrawn; elsewhere a plain line now and then, so that the log
 * of a long run shows life and that of a short one stays empty.
 *
 * Invariant: code that prints anything else on the same screen calls `clear()` first; the line reappears by itself.
 */
import { count } from './terminal.js';

export interface ProgressOutput {
  write(text: string): void;
  /** Whether it is a terminal on which a line can be redrawn. */
  readonly live: boolean;
  /** Characters per line, if known; read each time, because windows change. */
  readonly columns: () => number | undefined;
  /** Milliseconds, from any start. */
  readonly now: () => number;
  /** Interval of plain lines; ten seconds by default. */
  readonly plainEveryMs?: number;
}

/** Standard error; never live if NO_PROGRESS is set, with plain lines at the interval PROGRESS_SECONDS. */
export function standardErrorOutput(): ProgressOutput {
  const { stderr, env } = process;
  return {
    write: (text) => void stderr.write(text),
    live: stderr.isTTY === true && !env['NO_PROGRESS'] && env['TERM'] !== 'dumb',
    columns: () => stderr.columns,
    now: () => performance.now(),
    ...(Number(env['PROGRESS_SECONDS']) > 0 && { plainEveryMs: 1000 * Number(env['PROGRESS_SECONDS']) }),
  };
}

export interface ProgressTask {
  /** `checking`. */
  readonly label: string;
  readonly total: number;
  /** `pairs`; the rate is in these. If empty, no rate is shown. */
  readonly unit: string;
  /** Work done by an earlier run, which does not count for the rate of this one. */
  readonly doneBefore?: number;
}

const LIVE_EVERY_MS = 100;
const PLAIN_EVERY_MS = 10_000;
/** The rate covers about this time, so that the time left follows a change of pace without jumping. */
const MEMORY_MS = 15_000;
const BAR_WIDTH = 24;
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\u001b[K';

export class Progress {
  readonly #output: ProgressOutput;
  #task: ProgressTask | undefined;
  #done = 0;
  #figures = '';
  #drawn = false;
  #nextAt = 0;
  /** For the rate: units and milliseconds, both decaying with age. */
  #recentDone = 0;
  #recentMs = 0;
  #sampledAt = 0;
  #sampledDone = 0;

  constructor(output: ProgressOutput = standardErrorOutput()) {
    this.#output = output;
  }

  /** Starts another task; the line of the previous one is removed. */
  begin(task: ProgressTask): void {
    this.clear();
    const now = this.#output.now();
    this.#task = task;
    this.#done = task.doneBefore ?? 0;
    this.#figures = '';
    this.#recentDone = 0;
    this.#recentMs = 0;
    this.#sampledAt = now;
    this.#sampledDone = this.#done;
    // short work shows nothing
    this.#nextAt = now + this.#everyMs();
  }

  /** Sets the total done, and figures to show behind it (`312 clashes`). May be called at any rate. */
  update(done: number, figures = ''): void {
    this.#done = done;
    this.#figures = figures;
    const now = this.#output.now();
    if (this.#task === undefined || now < this.#nextAt) return;
    this.#sample(now);
    this.#nextAt = now + this.#everyMs();
    if (this.#output.live) {
      const columns = (this.#output.columns() ?? DEFAULT_COLUMNS) - 1;
      this.#output.write(`${CLEAR_LINE}${this.#liveLine(this.#task, columns)}`);
      this.#drawn = true;
    } else this.#output.write(`${this.#parts(this.#task).join(', ')}\n`);
  }

  /** Removes the line from the screen, so that something else can be printed. */
  clear(): void {
    if (this.#drawn) this.#output.write(CLEAR_LINE);
    this.#drawn = false;
  }

  /** Ends the task and removes its line. */
  end(): void {
    this.clear();
    this.#task = undefined;
  }

  #everyMs(): number {
    return this.#output.live ? LIVE_EVERY_MS : (this.#output.plainEveryMs ?? PLAIN_EVERY_MS);
  }

  #sample(now: number): void {
    const ms = now - this.#sampledAt;
    const fade = Math.exp(-ms / MEMORY_MS);
    this.#recentDone = this.#recentDone * fade + (this.#done - this.#sampledDone);
    this.#recentMs = this.#recentMs * fade + ms;
    this.#sampledAt = now;
    this.#sampledDone = this.#done;
  }

  #share(task: ProgressTask): number {
    return task.total > 0 ? Math.min(1, Math.max(0, this.#done / task.total)) : 1;
  }

  /** `checking 47 %`, `1.2 M pairs/s`, `0:42 left`, `312 clashes`: the most important first. */
  #parts(task: ProgressTask): string[] {
    // not 100 before the end
    const percent = `${task.label} ${Math.floor(100 * this.#share(task))} %`;
    const perSecond = this.#recentMs > 0 ? (1000 * this.#recentDone) / this.#recentMs : 0;
    if (!(perSecond > 0)) return this.#figures === '' ? [percent] : [percent, this.#figures];
    const left = `${duration((task.total - this.#done) / perSecond)} left`;
    const rate = task.unit === '' ? '' : `${rounded(perSecond)} ${task.unit}/s`;
    return [percent, left, rate, this.#figures].filter((part) => part !== '');
  }

  /** As much as fits into one line: the bar goes first, then the parts from the last. */
  #liveLine(task: ProgressTask, columns: number): string {
    const parts = this.#parts(task);
    const filled = Math.round(this.#share(task) * BAR_WIDTH);
    const bar = `[${'='.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] `;
    const text = parts.join('  ');
    if (bar.length + text.length <= columns) return bar + text;
    while (parts.length > 1 && parts.join('  ').length > columns) parts.pop();
    return parts.join('  ').slice(0, Math.max(0, columns));
  }
}

/** Three digits and a magnitude: `1.23 M`. */
function rounded(n: number): string {
  if (n < 1000) return String(Number(n.toPrecision(3)));
  const power = Math.min(3, Math.floor(Math.log10(n) / 3));
  return `${Number((n / 1000 ** power).toPrecision(3))} ${['k', 'M', 'G'][power - 1]}`;
}

/** `0:42`, `1:05:09`, `3 days`. */
function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const days = Math.floor(whole / 86_400);
  if (days > 1) return `${count(days)} days`;
  const hours = Math.floor(whole / 3600);
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  const minutes = (whole % 3600) / 60;
  return `${hours > 0 ? `${hours}:${two(minutes)}` : Math.floor(minutes)}:${two(whole % 60)}`;
}
