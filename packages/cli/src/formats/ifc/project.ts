/** The project of an IFC file, and its unit of length. */
import { FormatError } from '../format-error.js';
import type { IfcEngine, StepLine, StepLines } from './engine.js';
import { linesOf, refs, text } from './step-lines.js';

/** Attributes of an IfcProject, besides GUID and name. */
const LONG_NAME = 5;
const UNITS = 8;

const SI_PREFIX: Readonly<Record<string, number>> = {
  EXA: 1e18,
  PETA: 1e15,
  TERA: 1e12,
  GIGA: 1e9,
  MEGA: 1e6,
  KILO: 1e3,
  HECTO: 1e2,
  DECA: 1e1,
  DECI: 1e-1,
  CENTI: 1e-2,
  MILLI: 1e-3,
  MICRO: 1e-6,
  NANO: 1e-9,
  PICO: 1e-12,
  FEMTO: 1e-15,
  ATTO: 1e-18,
};

export interface IfcProject {
  readonly id: number;
  readonly guid: string;
  readonly metresPerUnit: number;
  /** Empty where it has none. */
  readonly name: string;
}

export async function readProject(engine: IfcEngine, file: string): Promise<IfcProject> {
  const [project] = await engine.lines((await engine.idsOf('IFCPROJECT')).slice(0, 1));
  if (project === undefined) throw new FormatError(file, 'it has no IfcProject');
  const { id } = project;
  const guid = text(project.values[0]);
  const name = `${text(project.values[2])} ${text(project.values[LONG_NAME])}`.trim();
  const [assignment] = await engine.lines(refs(project.values[UNITS]));
  const units = await linesOf(engine, refs(assignment?.values[0]));
  const length = units.find(({ values }) => values.includes('LENGTHUNIT'));
  if (length === undefined) return { id, guid, metresPerUnit: 1, name };
  const metresPerUnit = await metresOf(engine, length);
  if (!(metresPerUnit > 0 && Number.isFinite(metresPerUnit))) {
    throw new FormatError(file, 'its unit of length is not supported', `#${length.id}`);
  }
  return { id, guid, metresPerUnit, name };
}

/** The metres of a unit of length; NaN where it is not understood. */
export async function metresOf(engine: StepLines, { type, values }: StepLine, depth = 0): Promise<number> {
  if (type === 'IfcSIUnit') {
    // its derived first attribute is not among the values
    const prefix = values.at(-2);
    if (values.at(-1) !== 'METRE') return Number.NaN;
    if (prefix === null || prefix === 'LENGTHUNIT') return 1;
    return SI_PREFIX[String(prefix)] ?? Number.NaN;
  }
  if (!type.startsWith('IfcConversionBasedUnit') || depth > 4) return Number.NaN;
  const [factor] = await engine.lines(refs(values[3]));
  const [unit] = await engine.lines(refs(factor?.values[1]));
  if (typeof factor?.values[0] !== 'number' || unit === undefined) return Number.NaN;
  return factor.values[0] * (await metresOf(engine, unit, depth + 1));
}
