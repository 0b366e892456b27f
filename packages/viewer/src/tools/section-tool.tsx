/** Cuts the model by a box or by planes. */
import { CheckBox, Segments } from '../../../ui/src/controls.js';
import type { Viewer } from '../app/viewer.js';
import { boxAround } from '../model/object-columns.js';
import { type AxisPlane, grown, type Section } from '../model/sections.js';
import { NumberInput } from './number-input.js';
import type { ToolEntry } from './tool.js';

export const sectionTool: ToolEntry = {
  title: 'Section',
  help: 'Section box and planes',
  key: 'x',
  icon: 'section',
  group: 'Picture',
  make: (viewer) => ({
    card: () => <SectionCard viewer={viewer} />,
    get isOn() {
      return viewer.section.value.kind !== 'none';
    },
  }),
};

const SECTIONS = { none: 'Off', box: 'Box', planes: 'Planes' } as const;
const AXES = ['X', 'Y', 'Z'] as const;

function SectionCard({ viewer }: { readonly viewer: Viewer }) {
  const section = viewer.section.value;
  const whole = viewer.wholeBox.value;
  const set = (change: Partial<Section>) => {
    viewer.section.value = { ...section, ...change };
  };
  function choose(kind: Section['kind']): void {
    if (kind === 'box') set({ kind, box: section.box[0] < section.box[3] ? section.box : [...whole] });
    else if (kind === 'planes') {
      const middle = (axis: number) => (whole[axis] + whole[axis + 3]) / 2;
      const isNew = section.planes.every(({ on, offset }) => !on && offset === 0);
      const planes = section.planes.map((plane, axis) => ({
        ...plane,
        offset: middle(axis),
        on: axis === 2,
      }));
      set({ kind, ...(isNew && { planes: planes as unknown as Section['planes'] }) });
    } else set({ kind });
  }
  function around(): void {
    const columns = viewer.columns.peek();
    const box = columns && boxAround(columns, viewer.chosen());
    set({ kind: 'box', box: box ? grown(box, 0.05, 0.05 / columns!.metresPerUnit) : [...whole] });
  }
  const hasChoice = viewer.selection.value.size > 0 || (viewer.review.value?.current.value ?? -1) >= 0;
  return (
    <>
      <Segments label="Section" options={SECTIONS} value={section.kind} onChange={choose} />
      {section.kind === 'box' && (
        <>
          {AXES.map((name, axis) => (
            <fieldset key={name} class="axis">
              <legend>{name}</legend>
              {[axis, axis + 3].map((side) => (
                <Offset
                  key={side}
                  label={`${name} ${side < 3 ? 'from' : 'to'}`}
                  from={whole[axis]}
                  to={whole[axis + 3]}
                  value={section.box[side]}
                  metresPerUnit={viewer.metresPerUnit.value}
                  onChange={(value) => {
                    const box = section.box.map((x, i) => (i === side ? value : x));
                    // the ends must not cross
                    if (box[axis] < box[axis + 3]) set({ box });
                  }}
                />
              ))}
            </fieldset>
          ))}
          <div class="button-row">
            <button type="button" disabled={!hasChoice} onClick={around}>
              Around the selection
            </button>
            <button type="button" onClick={() => set({ box: [...whole] })}>
              Whole model
            </button>
          </div>
        </>
      )}
      {section.kind === 'planes' &&
        AXES.map((name, axis) => {
          const plane = section.planes[axis];
          const change = (next: Partial<AxisPlane>) =>
            set({
              planes: section.planes.map((one, i) =>
                i === axis ? { ...one, ...next } : one,
              ) as unknown as Section['planes'],
            });
          return (
            <fieldset key={name} class="axis">
              <legend>
                <CheckBox checked={plane.on} onChange={(on) => change({ on })}>
                  {name}
                </CheckBox>
                {plane.on && (
                  <button type="button" class="link" onClick={() => change({ flipped: !plane.flipped })}>
                    {plane.flipped ? 'cuts below' : 'cuts above'}
                  </button>
                )}
              </legend>
              {plane.on && (
                <Offset
                  label={`${name} at`}
                  from={whole[axis]}
                  to={whole[axis + 3]}
                  value={plane.offset}
                  metresPerUnit={viewer.metresPerUnit.value}
                  onChange={(offset) => change({ offset })}
                />
              )}
            </fieldset>
          );
        })}
      {section.kind === 'none' && <p class="hint">A box around the selection, or planes across the model.</p>}
    </>
  );
}

interface OffsetProps {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly metresPerUnit: number;
  readonly onChange: (value: number) => void;
}

/** A slider and an exact number field. */
function Offset({ label, from, to, value, metresPerUnit, onChange }: OffsetProps) {
  const margin = 0.02 * (to - from);
  return (
    <div class="offset">
      <input
        type="range"
        aria-label={label}
        min={from - margin}
        max={to + margin}
        step={Math.max(1e-3 / metresPerUnit, (to - from) / 1000)}
        value={value}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <NumberInput
        label={`${label}, metres`}
        value={value * metresPerUnit}
        step={0.01}
        digits={3}
        range={[-1e9, 1e9]}
        onChange={(metres) => onChange(metres / metresPerUnit)}
      />
    </div>
  );
}
