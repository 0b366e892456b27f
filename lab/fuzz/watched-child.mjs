/**
 * The process that tries mutants, watched from outside: it is killed if it makes no progress or takes too much memory,
 * and its current mutant is known. The next request starts a new process.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEADLY, residentBytes, workedSeconds } from './process-state.mjs';

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));
const LOOK_EVERY_MS = 100;
/** A process that waits for I/O, or for its turn on a busy machine, gets this many times as long. */
const WAITING = 10;

export class WatchedChild {
  #child;
  #folder;
  #stderr = '';
  #hangSeconds;
  #script;

  /** `hangSeconds`: CPU seconds without progress that count as a hang. */
  constructor(hangSeconds, script = CHILD) {
    this.#hangSeconds = hangSeconds;
    this.#script = script;
  }

  /**
   * Sends a request and waits for the result. `failed` messages go to `onFailed`. Resolves to `{ done }`, or to `{
   * lost: { at, kind, detail } }` if the process was killed or ended at mutant `at`.
   */
  async ask(request, onFailed = () => {}) {
    await this.#start();
    return new Promise((resolve) => {
      const child = this.#child;
      let watch;
      const end = (answer) => {
        clearInterval(watch);
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(answer);
      };
      const lose = (kind, detail) => {
        const at = this.#progress();
        void this.stop();
        end({ lost: { at, kind, detail } });
      };
      child.on('message', (message) => {
        if (message.failed) onFailed(message.failed);
        if (message.done) end({ done: message.done });
      });
      child.on('exit', (code, signal) =>
        lose('died', `${signal ?? `exit code ${code}`}: ${this.#lastWords()}`),
      );
      let last;
      let since;
      let workedBefore;
      watch = setInterval(() => {
        const now = this.#progress();
        if (now !== last) [last, since, workedBefore] = [now, performance.now(), workedSeconds(child.pid)];
        const seconds = (performance.now() - since) / 1000;
        const worked = (workedSeconds(child.pid) ?? seconds) - (workedBefore ?? 0);
        if (worked > this.#hangSeconds || seconds > WAITING * this.#hangSeconds) {
          lose('hang', `no end after ${this.#hangSeconds} s`);
        } else if (residentBytes(child.pid) > DEADLY) {
          lose('growth', `beyond ${Math.round(DEADLY / 1e6)} MB`);
        }
      }, LOOK_EVERY_MS);
      child.send(request);
    });
  }

  async stop() {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #start() {
    if (this.#child !== undefined) return;
    this.#folder = mkdtempSync(join(tmpdir(), 'impinge-fuzz-'));
    this.#stderr = '';
    const child = fork(this.#script, [this.#folder], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#child = child;
    child.stderr.on('data', (text) => {
      this.#stderr = (this.#stderr + text).slice(-4000);
    });
    await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', () => reject(new Error(`the child cannot be started: ${this.#stderr}`)));
    });
    child.removeAllListeners('exit');
  }

  #progress() {
    try {
      return readFileSync(join(this.#folder, 'progress'), 'utf8').trim();
    } catch {
      return '';
    }
  }

  /** The error line that a crashed process printed. */
  #lastWords() {
    const lines = this.#stderr.split('\n').filter((line) => line.trim() !== '');
    return lines.find((line) => /^\w*Error\b|FATAL/.test(line)) ?? lines.at(-1) ?? '';
  }
}
