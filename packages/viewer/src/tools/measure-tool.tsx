/** Exact measurements, independent of the picture's detail. */
import { Copy, Segments } from '../../../ui/src/controls.js';
import { lengthText } from '../../../ui/src/text.js';
import type { Viewer } from '../app/viewer.js';
import { HINTS, MEASURES, Measuring } from './measuring.js';
import { NumberInput } from './number-input.js';
import type { ToolEntry } from './tool.js';

export const measureTool: ToolEntry = {
  title: 'Measure',
  help: 'Measure',
  key: 'm',
  icon: 'measure',
  group: 'Picture',
  make: (viewer) => {
    const measuring = new Measuring(viewer);
    return {
      card: () => <MeasureCard viewer={viewer} measuring={measuring} />,
      get marks() {
        return measuring.marks.value;
      },
      pick: (pick) => measuring.pick(pick),
      close: () => measuring.clear(),
    };
  },
};

interface Props {
  readonly viewer: Viewer;
  readonly measuring: Measuring;
}

function MeasureCard({ viewer, measuring }: Props) {
  const kind = measuring.kind.value;
  const result = measuring.result.value;
  const picks = measuring.picks.value;
  const columns = viewer.columns.value;
  return (
    <>
      <Segments label="Measure" options={MEASURES} value={kind} onChange={(next) => measuring.begin(next)} />
      {kind === 'clearance' && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the input is a component
        <label class="field-line">
          <span>Within</span>
          <NumberInput
            label="Within, millimetres"
            value={measuring.clearance.value * 1000}
            step={10}
            digits={3}
            range={[0, 1e5]}
            onChange={(millimetres) => void measuring.again(millimetres / 1000)}
          />
          <span>mm</span>
        </label>
      )}
      <div role="status" aria-live="polite">
        {result ? (
          <div class="measured">
            <Copy text={result.text} label="the result" />
            <p class="hint">{result.detail}</p>
          </div>
        ) : (
          <p class="hint">{measuring.busy.value ? 'Measuring …' : HINTS[kind][picks.length]}</p>
        )}
      </div>
      {columns && picks.length > 0 && kind !== 'point' && (
        <ol class="picked">
          {picks.map(({ object }, i) => (
            <li key={i}>{columns.names[object]}</li>
          ))}
        </ol>
      )}
      {columns && result && result.near.length > 0 && (
        <ul class="choices near">
          {result.near.map(({ object, distance }) => (
            <li key={object}>
              <button type="button" onClick={() => viewer.select([object])}>
                <span>{columns.names[object]}</span>
                <small>{distance === 0 ? 'touching' : lengthText(distance * columns.metresPerUnit)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
