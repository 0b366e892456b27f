/**
 * Files that are probably in another unit: judged by the extents of the others, and by whether another unit makes them
 * fit.
 */
import type { Box } from '../box.js';
import { decimal } from '../terminal.js';
import type { Finding } from '../wire/finding.js';
import { lengthText } from '../wire/text.js';
import { boxOfAll, type FileExtent, gapBetween, longestSide, shortestSide } from './file-extents.js';

const UNITS = [
  { unit: 'mm', metres: 1e-3 },
  { unit: 'cm', metres: 1e-2 },
  { unit: 'in', metres: 0.0254 },
  { unit: 'ft', metres: 0.3048 },
  { unit: 'm', metres: 1 },
] as const;

/** How many times as large as the others makes a file suspect: where its format has no unit, and where it says one. */
const LARGE = { guessed: 20, stated: 1000 } as const;
/** How many times as small. */
const SMALL = { guessed: 300, stated: 1000 } as const;
/** What a file in the right unit is at least, and at most, compared with the others. */
const LEAST_SHARE = 1 / 300;
const MOST_SHARE = 10;
/** In metres: objects that are as large by themselves. Roads and terrain may be, where a unit is stated. */
const LARGE_OBJECT = { guessed: 1000, stated: 10_000 } as const;
/** In metres: what objects of buildings and plants are at most. */
const USUAL_OBJECT = 250;
/** An extent that is more probably wrong than one below. */
const LARGE_MODEL = 300;

/** What is wrong with the sizes of files, and which files they are; they tell nothing about where the others belong. */
export function unitFindings(files: readonly FileExtent[]): Finding[] {
  return files.flatMap((file) => {
    const others = referenceFor(file, files);
    const finding = (others.length > 0 ? againstOthers(file, others) : undefined) ?? byItself(file);
    return finding ? [finding] : [];
  });
}

/** Those whose unit is known are better witnesses than those whose unit is not. */
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
  // of two, the one that says nothing, or is the less likely size, is to blame
  if (others.length === 1 && isBlamed(others[0], file)) return undefined;
  const unit = fittingUnit(file, reference, isLarge);
  // small parts, and sites around small buildings, are common
  if (unit === undefined && (isSmall || ratio < LARGE.stated)) return undefined;
  const times = decimal(Number((isLarge ? ratio : 1 / ratio).toPrecision(2)));
  const names = others.length === 1 ? others[0].name : 'all other files together';
  // what engulfs the others may be the ground that they stand on, which is flat
  const isSure = isLarge
    ? gapBetween(file.box, reference) > 0 || shortestSide(file.box) > extent
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

/** Whether of two files of very different sizes this one is taken for the wrong one. */
function isBlamed(file: FileExtent, other: FileExtent): boolean {
  if (isStated(file) !== isStated(other)) return !isStated(file);
  const isLarger = file.extent > other.extent;
  return Math.max(file.extent, other.extent) > LARGE_MODEL ? isLarger : !isLarger;
}

function unitText({ name }: FileExtent, unit: string): string {
  return `if it is in ${unit}, say so: --unit "${name}: ${unit}"`;
}

/**
 * The unit in which it lies where the others are, and is of a size that goes with theirs. A small part that lies there
 * already does not with any larger unit, unless all of them are at the origin.
 */
function fittingUnit({ source, box }: FileExtent, reference: Box, isLarge: boolean): string | undefined {
  const now = source?.unit?.metres ?? 1;
  const fits = UNITS.filter(({ metres }) => (isLarge ? metres < now : metres > now)).find(({ metres }) => {
    const scaled = source?.place ? undefined : box.map((x) => (x * metres) / now);
    const share = ((metres / now) * longestSide(box)) / longestSide(reference);
    if (share < LEAST_SHARE || share > MOST_SHARE) return false;
    return scaled === undefined || gapBetween(scaled, reference) <= longestSide(reference) / 2;
  });
  return fits?.unit;
}

/** An object of kilometres. */
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
