// npm run fuzz: mutants of every file format that the project reads, in watched processes. Prints a summary, and fails
// on an error that is not the project's own, a hang, memory above the limit, or readings that differ. Each failure is
// reduced and saved in lab/fuzz/found.
import { parseArgs } from 'node:util';
import { Findings } from './findings.mjs';
import { TARGETS } from './targets/index.mjs';
import { WatchedChild } from './watched-child.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string' },
    mutants: { type: 'string' },
    format: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    number: { type: 'string' },
    replay: { type: 'string' },
    patience: { type: 'string', default: '20' },
  },
});

const names = (options.format ?? []).flatMap((list) => list.split(','));
const unknown = names.filter((name) => !Object.hasOwn(TARGETS, name));
if (unknown.length > 0) {
  console.error(`fuzz: --format: "${unknown[0]}" is none of ${Object.keys(TARGETS).join(', ')}`);
  process.exit(2);
}
const asked = names.length > 0 ? names : Object.keys(TARGETS);
const targets = asked.filter((name) => TARGETS[name].skipped === undefined);
for (const name of asked) {
  if (!targets.includes(name)) console.log(`*** SKIPPED: ${name}; ${TARGETS[name].skipped} ***`);
}
/** Minimum seconds per target and turn. */
const LEAST_SLICE = 0.5;
/** CPU seconds after which a mutant counts as a hang. */
const patience = Number(options.patience);
const isSingle = options.replay !== undefined || options.number !== undefined;
process.exitCode = isSingle ? await tryOne() : await fuzz();

/** Tries a saved file, or a mutant by its number, which also selects the questions asked about it. */
async function tryOne() {
  const child = new WatchedChild(patience);
  const number = Number(options.number ?? 0);
  const attempt = { target: targets[0], seed: options.seed, number, path: options.replay };
  const { done, lost } = await child.ask({ attempt });
  await child.stop();
  console.log(lost ? `${lost.kind}: ${lost.detail}` : (done.failure?.message ?? done.outcome));
  return lost || done.failure ? 1 : 0;
}

/** Turns of a few seconds, one target after the other, until the time or the number of mutants is used up. */
async function fuzz() {
  const seconds = Number(options.seconds ?? (options.mutants === undefined ? 60 : 1e9));
  const most = shares(Number(options.mutants ?? Number.MAX_SAFE_INTEGER));
  const slice = Math.max(LEAST_SLICE, Math.min(10, seconds / targets.length / 2));
  const ends = performance.now() + 1000 * seconds;
  const findings = new Findings(options.seed, patience);
  const child = new WatchedChild(patience);
  const tallies = new Map(targets.map((target) => [target, { next: 0, outcomes: {} }]));
  console.log(`fuzz: seed ${options.seed}, ${targets.join(' ')}`);
  const open = () => targets.filter((target) => tallies.get(target).next < most[target]);
  while (performance.now() < ends && open().length > 0) {
    for (const target of open()) {
      const left = (ends - performance.now()) / 1000;
      // every target gets at least one turn, however slow the machine
      if (left <= 0 && tallies.get(target).next > 0) continue;
      await oneSlice(target, tallies.get(target), {
        child,
        findings,
        most: most[target],
        seconds: Math.max(LEAST_SLICE, Math.min(slice, left)),
      });
    }
    // a new process: memory that one accumulates must not count against the next mutant
    await child.stop();
    console.log(`  ${[...tallies.values()].reduce((sum, { next }) => sum + next, 0)} mutants so far`);
  }
  await child.stop();
  await findings.close();
  report(tallies, findings);
  return findings.count > 0 ? 1 : 0;
}

/** Mutants per target; slow targets get fewer. */
function shares(mutants) {
  const share = (target) => TARGETS[target].share ?? 1;
  const sum = targets.reduce((total, target) => total + share(target), 0);
  return Object.fromEntries(targets.map((target) => [target, Math.ceil((mutants * share(target)) / sum)]));
}

async function oneSlice(target, tally, { child, findings, most, seconds }) {
  const failed = [];
  const series = { target, seed: options.seed, from: tally.next, to: most, seconds };
  const { done, lost } = await child.ask({ series }, (failure) => failed.push(failure));
  const count = (outcome, times) => {
    tally.outcomes[outcome] = (tally.outcomes[outcome] ?? 0) + times;
  };
  if (done) {
    tally.next = done.next;
    for (const [outcome, times] of Object.entries(done.outcomes)) count(outcome, times);
  } else {
    const [where, number] = lost.at.split(' ');
    if (where !== target) throw new Error(`${target} cannot be prepared: ${lost.kind}, ${lost.detail}`);
    count('before a loss', Number(number) - tally.next);
    count('failed', 1);
    tally.next = Number(number) + 1;
    failed.push({
      target,
      number: Number(number),
      message: `${lost.kind}: ${lost.detail}`,
      signature: lost.kind,
    });
  }
  for (const failure of failed) await findings.add(failure);
}

function report(tallies, findings) {
  let total = 0;
  for (const [target, { next, outcomes }] of tallies) {
    total += next;
    const parts = Object.entries(outcomes).map(([outcome, times]) => `${outcome} ${times}`);
    console.log(`  ${target.padEnd(9)} ${String(next).padStart(7)}  ${parts.join(', ')}`);
  }
  console.log(`${total} mutants, ${findings.count} defects`);
  for (const line of findings.lines) console.log(`  ${line}`);
}
