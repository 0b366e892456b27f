/**
 * Where walls of layers are hollow: between studs, and where there is air. Layers are those of an
 * IfcMaterialLayerSetUsage across the wall (AXIS2); a layer is hollow if it is ventilated, or its material or its own
 * name says so.
 */
import { shortName } from '../growth-limit.js';
import type { IfcEngine, StepLine, StepValue } from './engine.js';
import { addTo, eachLine, eachOf, refs, text } from './step-lines.js';

/** Studs and furring, air, and soft filling between them; in English, German, Dutch, French, Spanish, Italian. */
const HOLLOW = new RegExp(
  [
    String.raw`\b(air|cavity|void|hollow|stud|furring|batt|mineral wool|glass wool)`,
    'ständer|luft|hohlraum|mineralwolle|glaswolle|spouw|lucht|stijl|regelwerk|glaswol|steenwol',
    String.raw`lame d.air|ossature|laine|cámara|montante|intercapedine|\baria\b`,
  ].join('|'),
  'i',
);

const MAX_LAYERS = 32;
/** Limit per wall of different usages. */
const MAX_USAGES = 4;

interface Layer {
  readonly material: number | undefined;
  /** In metres. */
  readonly thickness: number;
  readonly isHollow: boolean;
}

/** By the number of the wall: `16-108 of 124 mm`, from the side that is least along its own y axis. */
export async function readCavities(engine: IfcEngine, metresPerUnit: number): Promise<Map<number, string>> {
  const wallsOf = new Map<number, number[]>();
  await eachLine(engine, 'IFCRELASSOCIATESMATERIAL', ({ values }) => {
    for (const usage of refs(values[5])) for (const wall of refs(values[4])) addTo(wallsOf, usage, wall);
  });
  const usages: { id: number; set: number; isReversed: boolean }[] = [];
  await eachOf(engine, [...wallsOf.keys()], ({ id, type, values }) => {
    const [set] = refs(values[0]);
    if (type !== 'IfcMaterialLayerSetUsage' || set === undefined || text(values[1]) !== 'AXIS2') return;
    usages.push({ id, set, isReversed: text(values[2]) === 'NEGATIVE' });
  });
  const sets = new Map<number, readonly number[]>();
  await eachOf(engine, [...new Set(usages.map(({ set }) => set))], ({ id, values }) => {
    sets.set(id, refs(values[0]));
  });
  const layers = await readLayers(engine, [...new Set([...sets.values()].flat())], metresPerUnit);
  const found = new Map<number, string[]>();
  for (const { id, set, isReversed } of usages) {
    const own = (sets.get(set) ?? []).map((layer) => layers.get(layer));
    if (own.length > MAX_LAYERS || own.some((layer) => layer === undefined)) continue;
    const across = isReversed ? own.reverse() : own;
    const cavities = cavitiesOf(across as readonly Layer[]);
    for (const wall of wallsOf.get(id)!) addTo(found, wall, cavities, MAX_USAGES);
  }
  // a wall with two usages has one that does not hold
  const sure = [...found].filter(([, [first, ...others]]) => first !== '' && others.length === 0);
  return new Map(sure.map(([wall, [cavities]]) => [wall, cavities]));
}

async function readLayers(
  engine: IfcEngine,
  ids: readonly number[],
  metresPerUnit: number,
): Promise<Map<number, Layer>> {
  const layers = new Map<number, Layer>();
  await eachOf(engine, ids, ({ id, values }: StepLine) => {
    const thickness = metresPerUnit * number(values[1]);
    if (!(thickness >= 0)) return;
    const isHollow = text(values[2]) === 'T' || values[2] === true || HOLLOW.test(text(values[3]));
    layers.set(id, { material: refs(values[0])[0], thickness, isHollow });
  });
  const hollow = new Set<number>();
  const materials = [...layers.values()].flatMap(({ material }) => material ?? []);
  await eachOf(engine, [...new Set(materials)], ({ id, values }) => {
    if (HOLLOW.test(shortName(text(values[0])))) hollow.add(id);
  });
  for (const [id, layer] of layers) {
    if (layer.material !== undefined && hollow.has(layer.material))
      layers.set(id, { ...layer, isHollow: true });
  }
  return layers;
}

/** Empty where there are none. */
function cavitiesOf(layers: readonly Layer[]): string {
  const ranges: [from: number, to: number][] = [];
  let at = 0;
  for (const { thickness, isHollow } of layers) {
    const last = ranges.at(-1);
    if (isHollow && last?.[1] === at) last[1] = at + thickness;
    else if (isHollow) ranges.push([at, at + thickness]);
    at += thickness;
  }
  const mm = (length: number) => Number((1000 * length).toFixed(2));
  const said = ranges.map(([from, to]) => `${mm(from)}-${mm(to)}`);
  return said.length === 0 ? '' : `${said.join(', ')} of ${mm(at)} mm`;
}

function number(value: StepValue | undefined): number {
  return typeof value === 'number' ? value : Number.NaN;
}
