/**
 * IfcMapConversion: how the coordinates of an IFC file become eastings, northings and heights of a map.
 *
 *   map = (E, N, H) + Scale · R (x, y, z), with the x axis of the file along (XAxisAbscissa, XAxisOrdinate)
 *
 * E, N and H are in the unit of the map (that of IfcProjectedCRS, else of the project). The scale takes the unit of the
 * project to that of the map, and includes the projection's distortion of lengths, some parts in ten thousand. Files
 * that forget the first part are common, so the part that is a power of units is recognised. Lengths stay those on the
 * ground: the position of the file's origin is scaled, objects are not.
 *
 * Before that comes the world coordinate system of the context, which is nearly always the identity. IFC2X3 has no
 * IfcMapConversion; property sets of the same names (ePSet_MapConversion, ePSet_ProjectedCRS) replace it there. True
 * north is a direction to be drawn, not a placement.
 */
import { type Matrix, multiply } from '../../matrix.js';
import type { Georeference } from '../georeference.js';
import { axisPlacement, PlacementProblem } from './axis-placement.js';
import type { StepLines, StepValue } from './engine.js';
import { metresOf } from './project.js';
import { linesOf, refs } from './step-lines.js';

const LINES_PER_CALL = 1024;
const CONTEXT_DIMENSION = 2;
const CONTEXT_WORLD = 4;
const CRS_NAME = 0;
const CRS_VERTICAL_DATUM = 3;
const CRS_UNIT = 6;
/** Upper bound of a projection's distortion of lengths. */
const MOST_DISTORTION = 0.01;

/** The values of a conversion, by the names of IFC; missing numbers are undefined. */
interface Conversion {
  readonly crs: string;
  readonly metresPerMapUnit: number;
  readonly Eastings: number;
  readonly Northings: number;
  readonly OrthogonalHeight: number;
  readonly XAxisAbscissa: number | undefined;
  readonly XAxisOrdinate: number | undefined;
  readonly Scale: number | undefined;
  /** Of IfcMapConversionScaled, of each axis. */
  readonly factors: readonly [number, number, number];
}

/** Undefined where the file states no location. */
export async function readGeoreference(
  engine: StepLines,
  metresPerUnit: number,
): Promise<Georeference | undefined> {
  const lineOf = async (id: number) => (await engine.lines([id]))[0];
  const contexts = await linesOf(engine, await engine.idsOf('IFCGEOMETRICREPRESENTATIONCONTEXT'));
  const context = contexts.find(({ values }) => values[CONTEXT_DIMENSION] === 3) ?? contexts[0];
  const conversion =
    (await mapConversion(engine, context?.id, metresPerUnit)) ??
    (await rigidOperation(engine, metresPerUnit)) ??
    (await conversionOfSets(engine, metresPerUnit));
  if (conversion === undefined) return undefined;
  const notes: string[] = [];
  let world: Matrix | undefined;
  try {
    world = await axisPlacement(refs(context?.values[CONTEXT_WORLD])[0], lineOf);
  } catch (error) {
    if (!(error instanceof PlacementProblem)) throw error;
    notes.push('its world coordinate system is not supported and was ignored');
  }
  return georeference(conversion, world, metresPerUnit, notes);
}

function georeference(
  conversion: Conversion,
  world: Matrix | undefined,
  metresPerUnit: number,
  notes: string[],
): Georeference {
  const { metresPerMapUnit: map, factors } = conversion;
  const scale = groundScale(conversion, metresPerUnit, notes);
  const [a, o] = [conversion.XAxisAbscissa ?? 1, conversion.XAxisOrdinate ?? 0];
  const length = Math.hypot(a, o);
  const [cos, sin] = length > 0 ? [a / length, o / length] : [1, 0];
  if (!(length > 0)) notes.push('the x axis of its map conversion has no direction; east is used');
  const horizontal = scale * Math.sqrt(factors[0] * factors[1]);
  if (Math.abs(factors[0] - factors[1]) > 1e-9) {
    notes.push(`its map conversion scales x by ${factors[0]} and y by ${factors[1]}; the mean is used`);
  }
  const translation = [
    (conversion.Eastings * map) / horizontal,
    (conversion.Northings * map) / horizontal,
    (conversion.OrthogonalHeight * map) / (scale * factors[2]),
  ];
  const onMap = [cos, sin, 0, 0, -sin, cos, 0, 0, 0, 0, 1, 0, ...translation, 1];
  const inMetres = Array.from(world ?? [], (x, i) => (i >= 12 && i < 15 ? x * metresPerUnit : x));
  const m = world ? multiply(onMap, inMetres) : onMap;
  const pose = Float64Array.from([0, 4, 8, 1, 5, 9, 2, 6, 10, 12, 13, 14], (i) => m[i]);
  return { crs: conversion.crs, pose, scale: horizontal, notes };
}

/** Metres on the map per metre on the ground: the scale without its conversion of units. */
function groundScale(
  { Scale = 1, metresPerMapUnit }: Conversion,
  metresPerUnit: number,
  notes: string[],
): number {
  const isNearOne = (x: number) => Math.abs(x - 1) <= MOST_DISTORTION;
  const byTheBook = (Scale * metresPerMapUnit) / metresPerUnit;
  if (isNearOne(byTheBook)) return byTheBook;
  if (isNearOne(Scale)) return Scale; // units forgotten
  notes.push(`the scale of its map conversion, ${Scale}, fits neither its units nor a map; 1 is used`);
  return 1;
}

async function mapConversion(
  engine: StepLines,
  context: number | undefined,
  metresPerUnit: number,
): Promise<Conversion | undefined> {
  const ids = [
    ...(await engine.idsOf('IFCMAPCONVERSION')),
    ...(await engine.idsOf('IFCMAPCONVERSIONSCALED')),
  ];
  const lines = await linesOf(engine, ids);
  const line = lines.find(({ values }) => refs(values[0])[0] === context) ?? lines[0];
  if (line === undefined) return undefined;
  const number = (i: number) => numberOf(line.values[i]);
  return {
    ...(await targetOf(engine, line.values[1], metresPerUnit)),
    Eastings: number(2) ?? 0,
    Northings: number(3) ?? 0,
    OrthogonalHeight: number(4) ?? 0,
    XAxisAbscissa: number(5),
    XAxisOrdinate: number(6),
    Scale: number(7),
    factors: [number(8) || 1, number(9) || 1, number(10) || 1],
  };
}

/** IFC4X3: a shift without a turn. Latitudes and longitudes are no shift in metres. */
async function rigidOperation(engine: StepLines, metresPerUnit: number): Promise<Conversion | undefined> {
  for (const { values } of await linesOf(engine, await engine.idsOf('IFCRIGIDOPERATION'))) {
    const target = await targetOf(engine, values[1], metresPerUnit);
    const [Eastings, Northings, OrthogonalHeight = 0] = [2, 3, 4].map((i) => numberOf(values[i]));
    if (Eastings === undefined || Northings === undefined || target.isGeographic) continue;
    const turn = { XAxisAbscissa: undefined, XAxisOrdinate: undefined };
    const scale = { Scale: undefined, factors: [1, 1, 1] as const };
    return { ...target, Eastings, Northings, OrthogonalHeight, ...turn, ...scale };
  }
  return undefined;
}

async function targetOf(
  engine: StepLines,
  value: StepValue | undefined,
  metresPerUnit: number,
): Promise<{ crs: string; metresPerMapUnit: number; isGeographic: boolean }> {
  const [crs] = await engine.lines(refs(value));
  const name = [crs?.values[CRS_NAME], crs?.values[CRS_VERTICAL_DATUM]]
    .filter((text) => typeof text === 'string' && text !== '')
    .join(', ');
  const [unit] = crs?.type === 'IfcProjectedCRS' ? await engine.lines(refs(crs.values[CRS_UNIT])) : [];
  const metres = unit === undefined ? metresPerUnit : await metresOf(engine, unit);
  return {
    crs: name,
    metresPerMapUnit: metres > 0 ? metres : metresPerUnit,
    isGeographic: crs?.type === 'IfcGeographicCRS',
  };
}

/** IFC2X3: the same in property sets of a site or project. */
async function conversionOfSets(engine: StepLines, metresPerUnit: number): Promise<Conversion | undefined> {
  let conversion: Map<string, StepValue> | undefined;
  let crs: Map<string, StepValue> | undefined;
  const sets = await engine.idsOf('IFCPROPERTYSET');
  for (let i = 0; i < sets.length; i += LINES_PER_CALL) {
    for (const { values } of await engine.lines(sets.slice(i, i + LINES_PER_CALL))) {
      const [, kind] = /^e?pset_(mapconversion|projectedcrs)$/i.exec(String(values[2])) ?? [];
      if (kind === undefined) continue;
      const members = await linesOf(engine, refs(values[4]));
      const found = new Map(members.map((line) => [String(line.values[0]), line.values[2] ?? null]));
      if (kind.toLowerCase() === 'mapconversion') conversion = found;
      else crs = found;
    }
  }
  const number = (name: string) => numberOf(conversion?.get(name));
  const [Eastings, Northings] = [number('Eastings'), number('Northings')];
  if (Eastings === undefined || Northings === undefined) return undefined;
  const name = crs?.get('Name');
  return {
    crs: typeof name === 'string' ? name : '',
    metresPerMapUnit: MAP_UNITS[String(crs?.get('MapUnit')).toUpperCase()] ?? metresPerUnit,
    Eastings,
    Northings,
    OrthogonalHeight: number('OrthogonalHeight') ?? 0,
    XAxisAbscissa: number('XAxisAbscissa'),
    XAxisOrdinate: number('XAxisOrdinate'),
    Scale: number('Scale'),
    factors: [1, 1, 1],
  };
}

const MAP_UNITS: Readonly<Record<string, number>> = {
  METRE: 1,
  METER: 1,
  M: 1,
  MILLIMETRE: 1e-3,
  FOOT: 0.3048,
};

function numberOf(value: StepValue | undefined): number | undefined {
  const x = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof x === 'number' && Number.isFinite(x) ? x : undefined;
}
