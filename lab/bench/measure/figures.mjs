/**
 * Measured figures: printed at once, compared with their targets, kept as CSV.
 *
 * A figure is one number of one contender in one case of a row, or the median of several runs with their range. Lines
 * of rows that were not run stay in the file.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { machine, versionOf } from './machine.mjs';

const HEADER = 'row,case,contender,version,quantity,value,min,max,runs,unit,asked,met,cpu,node';

/**
 * @typedef {object} Figure
 * @property {string} row
 * @property {string} case
 * @property {string} contender
 * @property {string} version
 * @property {string} quantity
 * @property {number} value the median if there are several runs
 * @property {number[]} samples the value of each run
 * @property {string} unit
 * @property {{ most?: number, least?: number } | undefined} asked
 */

export class Figures {
  /** @type {Figure[]} */
  list = [];
  /** Wrong answers and failed contenders. Missed requirements are not failures. */
  failures = [];
  #row = '';

  begin(row, title) {
    this.#row = row;
    console.log(`\n${row}  ${title}`);
  }

  /** Records the figures of one case, and prints them on one line. */
  add(name, quantities, contender = 'impinge', version = versionOf(contender)) {
    const parts = [];
    for (const [quantity, { value: measured, unit, asked }] of Object.entries(quantities)) {
      const samples = [measured].flat();
      const value = median(samples);
      this.list.push({
        row: this.#row,
        case: name,
        contender,
        version,
        quantity,
        value,
        samples,
        unit,
        asked,
      });
      parts.push(
        `${quantity} ${formatNumber(value)}${rangeOf(samples)}${unit === '' ? '' : ` ${unit}`}${verdict(value, asked)}`,
      );
    }
    console.log(`  ${contender === 'impinge' ? '' : `${contender}, `}${name}: ${parts.join('; ')}`);
  }

  note(text) {
    console.log(`  ${text}`);
  }

  /** Records a failure unless the condition holds. */
  assert(holds, what) {
    if (holds) return;
    this.failures.push(`${this.#row}: ${what}`);
    console.log(`  WRONG: ${what}`);
  }

  /** The value of an earlier figure. */
  find(row, name, contender, quantity) {
    return this.list.find(
      (f) => f.row === row && f.case === name && f.contender === contender && f.quantity === quantity,
    )?.value;
  }

  missed() {
    return this.list.filter(({ value, asked }) => asked && !isMet(value, asked));
  }

  writeCsv(path, rows) {
    const before = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').slice(1) : [];
    const lines = this.list.map((f) =>
      [
        f.row,
        quote(f.case),
        f.contender,
        f.version,
        quote(f.quantity),
        ...[f.value, Math.min(...f.samples), Math.max(...f.samples)].map((x) => Number(x.toPrecision(6))),
        f.samples.length,
        f.unit,
        f.asked ? bound(f.asked) : '',
        f.asked ? isMet(f.value, f.asked) : '',
        quote(machine.cpu),
        machine.node,
      ].join(','),
    );
    const kept = before.filter((line) => !rows.includes(line.split(',')[0]));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${[HEADER, ...[...kept, ...lines].sort(byRow)].join('\n')}\n`);
  }
}

/** Each of these takes one number or those of several runs. */
export const seconds = (value, most) => ({ value, unit: 's', asked: atMost(most) });
export const milliseconds = (value, most) => ({ value, unit: 'ms', asked: atMost(most) });
export const megabytes = (bytes, most) => ({
  value: [bytes].flat().map((b) => b / 1e6),
  unit: 'MB',
  asked: atMost(most),
});
export const count = (value, most) => ({ value, unit: '', asked: atMost(most) });
export const times = (value, least) => ({
  value,
  unit: '×',
  asked: least === undefined ? undefined : { least },
});

/** The middle one; of an even number the lower of the two. */
export function median(values) {
  return [...values].sort((a, b) => a - b)[(values.length - 1) >> 1];
}

/** ` (least–most)`, or empty if all are equal to three digits. */
export function rangeOf(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(formatNumber);
  return low === high ? '' : ` (${low}–${high})`;
}

function atMost(most) {
  return most === undefined ? undefined : { most };
}

function isMet(value, { most = Infinity, least = -Infinity }) {
  return value <= most && value >= least;
}

function bound({ most, least }) {
  return most === undefined ? `≥ ${least}` : `≤ ${most}`;
}

function verdict(value, asked) {
  return asked ? ` (asked ${bound(asked)}: ${isMet(value, asked) ? 'met' : 'MISSED'})` : '';
}

function quote(text) {
  return text.includes(',') || text.includes(' ') ? `"${text}"` : text;
}

/** A stable sort: the order within a row stays. */
function byRow(lineA, lineB) {
  const [a, b] = [lineA.split(',')[0], lineB.split(',')[0]];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Three significant digits, with thousands separators. */
export function formatNumber(value) {
  if (Math.abs(value) >= 1000)
    return Math.round(value)
      .toString()
      .replace(/\B(?=(\d{3})+$)/g, ' ');
  return value === 0 ? '0' : String(Number(value.toPrecision(3)));
}
