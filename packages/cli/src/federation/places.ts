/**
 * Files that are far from the others. Files whose boxes are near each other, relative to their size, form a company;
 * those outside the company with the most files are out of place.
 */
import { type Box, distanceBoxBox, growBox } from '../box.js';
import { composed } from '../formats/placed-shape.js';
import type { Finding } from '../wire/finding.js';
import { type FileExtent, fromOrigin, longestSide } from './file-extents.js';

/** Metres that never count as far: a plant of single machines, houses of one street. */
const NEAR = 50;
/**
 * Distance, in multiples of the larger extent, that counts as far, and that is certainly a mistake; the latter also in
 * metres.
 */
const FAR_RATIO = 2;
const SURE_RATIO = 10;
const SURE = 1000;

interface Company {
  readonly files: FileExtent[];
  readonly box: Box;
}

export function farFindings(files: readonly FileExtent[]): Finding[] {
  const [home, ...others] = companies(files).sort(byWeight);
  return others.map((company): Finding => {
    const gap = distanceBoxBox(home.box, company.box);
    const isSure = gap > SURE && gap > SURE_RATIO * largerExtent(home, company);
    const names = company.files.map(({ name }) => name);
    const verb = names.length === 1 ? 'is' : 'are';
    return {
      kind: 'far',
      severity: isSure ? 'red' : 'amber',
      message: `${listed(names)} ${verb} ${distanceText(gap)} from ${listed(home.files.map(({ name }) => name))}`,
      suggestion: `if ${names.length === 1 ? 'it belongs' : 'they belong'} there: ${placeTexts(company, home).join(' ')}`,
      files: names,
      objects: [],
    };
  });
}

/**
 * Files that are near each other, together. A file near a company stays near when it grows, so the order does not
 * matter.
 */
function companies(files: readonly FileExtent[]): Company[] {
  const found: Company[] = [];
  for (const file of files) {
    const own = { files: [file], box: file.box.slice() };
    const nextNear = () => found.findIndex((other) => isNear(own, other));
    for (let near = nextNear(); near >= 0; near = nextNear()) {
      const [other] = found.splice(near, 1);
      own.files.unshift(...other.files);
      growBox(own.box, other.box);
    }
    found.push(own);
  }
  return found;
}

function isNear(p: Company, q: Company): boolean {
  return distanceBoxBox(p.box, q.box) <= Math.max(NEAR, FAR_RATIO * largerExtent(p, q));
}

function largerExtent(p: Company, q: Company): number {
  return Math.max(longestSide(p.box), longestSide(q.box));
}

/**
 * Those with the most files first; of equal ones the one nearest to the origin, because survey coordinates are large.
 */
function byWeight(p: Company, q: Company): number {
  return q.files.length - p.files.length || fromOrigin(p.box) - fromOrigin(q.box);
}

/** Placements that would put the middle of `company` near that of `home`. */
function placeTexts(company: Company, home: Company): string[] {
  const move = [0, 1, 2].map((axis) => moveAlong(axis, company.box, home.box));
  return company.files.map(({ name, source }) => `--place "${name}: ${poseText(move, source?.place)}"`);
}

/**
 * The roundest sufficient translation, because offsets of coordinates are usually round. 0 if they are beside each
 * other already.
 */
function moveAlong(axis: number, from: Box, to: Box): number {
  if (from[axis] <= to[3 + axis] && to[axis] <= from[3 + axis]) return 0;
  const middle = (box: Box) => (box[axis] + box[3 + axis]) / 2;
  const exact = middle(to) - middle(from);
  const leeway = Math.max(to[3 + axis] - to[axis], from[3 + axis] - from[axis]) / 2;
  for (let step = 1e7; step >= 0.001; step /= 10) {
    const rounded = Math.round(exact / step) * step;
    if (Math.abs(rounded - exact) <= leeway) return Number(rounded.toFixed(3)) + 0;
  }
  return Number(exact.toFixed(3));
}

/** The pose in the form of --place, which replaces the place stated in the file. */
function poseText(move: readonly number[], place: readonly number[] | undefined): string {
  const pose = composed([1, 0, 0, 0, 1, 0, 0, 0, 1, ...move], place ?? [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  const isTurned = [1, 0, 0, 0, 1, 0, 0, 0, 1].some((x, i) => Math.abs(pose[i] - x) > 1e-12);
  if (!isTurned) return `t=${[...pose.slice(9)].map((x) => Number(x.toFixed(3)) + 0).join(',')}`;
  const [a, b, c, d, e, f, g, h, i, x, y, z] = pose;
  return `m=${[a, d, g, 0, b, e, h, 0, c, f, i, 0, x, y, z, 1].join(',')}`;
}

function distanceText(metres: number): string {
  return metres < 1000
    ? `${Number(metres.toPrecision(3))} m`
    : `${Number((metres / 1000).toPrecision(3))} km`;
}

/** `a, b and 3 more`. */
function listed(names: readonly string[]): string {
  if (names.length <= 3) return names.join(names.length === 2 ? ' and ' : ', ');
  return `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}
