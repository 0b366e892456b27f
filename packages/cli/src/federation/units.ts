/**
 * Files that are probably in another unit: judged by the extents of the others, and by whether another unit makes them
 * fit.
 */
import { type Box, distanceBoxBox } from '../box.js';
import { decimal } from '../terminal.js';
import type { Finding } from '../wire/finding.js';
import { lengthText } from '../wire/text.js';
import { boxOfAll, type FileExtent, longestSide, shortestSide } from './file-extents.js';

const UNITS = [
  { unit: 'mm', metres: 1e-3 },
  { unit: 'cm', metres: 1e-2 },
  { unit: 'in', metres: 0.0254 },
  { unit: 'ft', metres: 0.3048 },
  { unit: 'm', metres: 1 },
] as const;

/** Ratio to the extent of the others above which a file is suspect: if its format has no unit, and if it states one. */
const LARGE = { guessed: 20, stated: 1000 } as const;
/** The same for smaller files. */
const SMALL = { guessed: 300, stated: 1000 } as const;
/** Least and greatest extent of a file in the right unit, relative to the others. */
const LEAST_SHARE = 1 / 300;
const MOST_SHARE = 10;
/**
 * In metres: size of a single object that is suspect by itself. Roads and terrain may be that large if a unit is
 * stated.
 */
const LARGE_OBJECT = { guessed: 1000, stated: 10_000 } as const;
/** In metres: maximum size of usual objects of buildings and plants. */
const USUAL_OBJECT = 250;
/** In metres: a larger extent is more probably wrong than a smaller one. */
const LARGE_MODEL = 300;

/** Findings about the sizes of files; the files concerned are not used to judge the places of the others. */
export function unitFindings(files: readonly FileExtent[]): Finding[] {
  return files.flatMap((file) => {
    const others = referenceFor(file, files);
    const finding = (others.length > 0 ? againstOthers(file, others) : undefined) ?? byItself(file);
    return finding ? [finding] : [];
  });
}

/** Files whose unit is known are better references than those whose unit is not. */
function referenceFor(file: FileExtent, files: readonly FileExtent[]): readonly FileExtent[] {
  const others = files.filter((other) => other !== file);
  const stated = others.filter(isStated);
  return isStated(file) || stated.length === 0 ? others : stated;
}

function isStated({ source }: FileExtent): boolean {
  return source?.unit?.stated !== false;
}

function trustOf(file: FileExtent): 'stated' | 'guessed' {
  return isStated(file) ? 'stated' : 'guessed';
}

function againstOthers(file: FileExtent, others: readonly FileExtent[]): Finding | undefined {
  const reference = boxOfAll(others);
  const extent = longestSide(reference);
  if (!(extent > 0 && file.extent > 0)) return undefined;
  const ratio = file.extent / extent;
  const trust = trustOf(file);
  const isLarge = ratio >= LARGE[trust];
  const isSmall = ratio <= 1 / SMALL[trust];
  if (!isLarge && !isSmall) return undefined;
  // of two files, the one without a unit, or of a less likely size, is to blame
  if (others.length === 1 && isBlamed(others[0], file)) return undefined;
  const unit = fittingUnit(file, reference, isLarge);
  // small parts, and sites around small buildings, are common
  if (unit === undefined && (isSmall || ratio < LARGE.stated)) return undefined;
  const times = decimal(Number((isLarge ? ratio : 1 / ratio).toPrecision(2)));
  const names = others.length === 1 ? others[0].name : 'all other files together';
  // a file that surrounds the others may be the ground that they stand on, which is flat
  const isSure = isLarge
    ? distanceBoxBox(file.box, reference) > 0 || shortestSide(file.box) > extent
    : trust === 'guessed';
  return {
    kind: unit === undefined ? 'size' : 'unit',
    severity: unit !== undefined && isSure ? 'red' : 'amber',
    message: `${file.name} is ${lengthText(file.extent)} long, ${times} times as ${isLarge ? 'large' : 'small'} as ${names}`,
    suggestion: unit === undefined ? '' : unitText(file, unit),
    files: [file.name],
    objects: [],
  };
}

/** Whether this one of two files of very different sizes is the one that is probably wrong. */
function isBlamed(file: FileExtent, other: FileExtent): boolean {
  if (isStated(file) !== isStated(other)) return !isStated(file);
  const isLarger = file.extent > other.extent;
  return Math.max(file.extent, other.extent) > LARGE_MODEL ? isLarger : !isLarger;
}

function unitText({ name }: FileExtent, unit: string): string {
  return `if it is in ${unit}, say so: --unit "${name}: ${unit}"`;
}

/**
 * The unit in which the file lies where the others are, and has a compatible size. A small part that lies there already
 * fits in no larger unit, unless all files are at the origin.
 */
function fittingUnit({ source, box }: FileExtent, reference: Box, isLarge: boolean): string | undefined {
  const now = source?.unit?.metres ?? 1;
  const fits = UNITS.filter(({ metres }) => (isLarge ? metres < now : metres > now)).find(({ metres }) => {
    const scaled = source?.place ? undefined : box.map((x) => (x * metres) / now);
    const share = ((metres / now) * longestSide(box)) / longestSide(reference);
    if (share < LEAST_SHARE || share > MOST_SHARE) return false;
    return scaled === undefined || distanceBoxBox(scaled, reference) <= longestSide(reference) / 2;
  });
  return fits?.unit;
}

/** A finding about an object of kilometres. */
function byItself(file: FileExtent): Finding | undefined {
  const { name, extent } = file.largest;
  if (extent <= LARGE_OBJECT[trustOf(file)]) return undefined;
  const now = file.source?.unit?.metres ?? 1;
  const fitting = UNITS.find(({ metres }) => {
    const length = (extent * metres) / now;
    return metres < now && length >= 0.1 && length <= USUAL_OBJECT;
  });
  return {
    kind: 'size',
    severity: 'amber',
    message: `${file.name}: "${name}" is ${decimal(Number((extent / 1000).toPrecision(3)))} km long`,
    suggestion: fitting ? unitText(file, fitting.unit) : '',
    files: [file.name],
    objects: [name],
  };
}
