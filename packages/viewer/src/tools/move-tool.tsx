/** Moves an object and shows its clashes and the nearest free place. */
import { Segments } from '../../../ui/src/controls.js';
import { setter } from '../../../ui/src/signals.js';
import { lengthText, plural } from '../../../ui/src/text.js';
import type { Viewer } from '../app/viewer.js';
import type { FreePlace, LiveAnswer, LiveNear, Violation } from '../exact/types.js';
import type { Point } from '../picture/types.js';
import { listenToDrag } from './drag-pointer.js';
import { WAYS } from './drag-ray.js';
import { Dragging, isTooNear, mayTouch } from './dragging.js';
import { NumberInput } from './number-input.js';
import type { ToolEntry } from './tool.js';

export const moveTool: ToolEntry = {
  title: 'Move',
  help: 'Move an object and see what it hits',
  key: 'o',
  icon: 'move',
  group: 'Objects',
  make: (viewer) => {
    const dragging = new Dragging({
      picture: () => viewer.picture.peek(),
      exact: () => viewer.exact,
      metresPerUnit: () => viewer.metresPerUnit.peek(),
      hasLevels: () => viewer.manifest.peek().levels === 'ready',
      asked: () => viewer.review.peek()?.report.run.asked,
      fail: (what, error) => viewer.fail(what, error),
    });
    return {
      card: () => <MoveCard viewer={viewer} dragging={dragging} />,
      get marks() {
        return dragging.marks.value;
      },
      get isBusy() {
        return dragging.object.value !== undefined;
      },
      selected: ([object, ...more]: ReadonlySet<number>) => {
        if (object !== undefined && more.length === 0) void dragging.take(object);
      },
      follow: (picture) => listenToDrag(dragging, picture, () => viewer.metresPerUnit.peek()),
      // the check's own clearance applies
      reported: () => {
        dragging.clearance.value = 0;
      },
      letGo: () => dragging.putBack(),
      close: () => void dragging.putBack(),
    };
  },
};

interface Props {
  readonly viewer: Viewer;
  readonly dragging: Dragging;
}

const AXES = ['X', 'Y', 'Z'] as const;
/** Maximum number of listed violations. */
const MOST_ROWS = 200;

function MoveCard({ viewer, dragging }: Props) {
  const object = dragging.object.value;
  const metresPerUnit = viewer.metresPerUnit.value;
  if (object === undefined)
    return <p class="hint">Pick the object to move. Closing this tool puts it back.</p>;
  return (
    <>
      <p class="moved-name">{viewer.nameOf(object)}</p>
      <PlaceFields dragging={dragging} metresPerUnit={metresPerUnit} />
      {dragging.live.value ? (
        <LiveNears viewer={viewer} live={dragging.live.value} />
      ) : (
        <>
          <div role="status" aria-live="polite">
            <p class={`verdict ${verdictOf(dragging.violations.value)}`}>
              {placeText(dragging.violations.value)}
            </p>
            <p class="hint">{freeText(dragging.free.value, metresPerUnit)}</p>
          </div>
          <Violations viewer={viewer} dragging={dragging} />
        </>
      )}
      <div class="button-row">
        <button
          type="button"
          disabled={!((dragging.free.value?.length ?? 0) > 0)}
          onClick={() => void dragging.goFree()}
        >
          Move to the free place
        </button>
        <button type="button" onClick={() => void dragging.putBack()}>
          Put back
        </button>
      </div>
    </>
  );
}

/** How it is dragged, where it is, and the clearance. */
export function PlaceFields({
  dragging,
  metresPerUnit,
}: {
  readonly dragging: Dragging;
  readonly metresPerUnit: number;
}) {
  return (
    <>
      <Segments
        label="Drag along"
        options={WAYS}
        value={dragging.way.value}
        onChange={setter(dragging.way)}
      />
      <div class="three">
        {AXES.map((name, axis) => (
          <MillimetreField
            key={name}
            label={`Moved ${name}`}
            metres={dragging.move.value[axis] * metresPerUnit}
            least={-1e7}
            onChange={(metres) =>
              void dragging.moveTo(withAxis(dragging.move.peek(), axis, metres / metresPerUnit))
            }
          />
        ))}
      </div>
      <div class="three">
        {AXES.map((name, axis) => (
          <NumberField
            key={name}
            label={`Turned ${name}`}
            unit="°"
            unitName="degrees"
            value={dragging.turn.value[axis]}
            step={5}
            range={[-360, 360]}
            onChange={(degrees) => void dragging.turnTo(withAxis(dragging.turn.peek(), axis, degrees))}
          />
        ))}
      </div>
      <MillimetreField
        label="Clearance"
        metres={dragging.clearance.value}
        least={0}
        onChange={(metres) => void dragging.setClearance(metres)}
      />
    </>
  );
}

function withAxis(point: Point, axis: number, value: number): Point {
  return point.map((x, k) => (k === axis ? value : x)) as unknown as Point;
}

function Violations({ viewer, dragging }: Props) {
  const rows = (dragging.violations.value ?? []).map((violation) => {
    const text = violationText(violation, viewer.metresPerUnit.value);
    return { object: violation.object, text: violation.before ? `${text}, existing` : text };
  });
  return <ObjectRows viewer={viewer} rows={rows} />;
}

/** The answer while it moves, from levels. */
function LiveNears({ viewer, live }: { readonly viewer: Viewer; readonly live: LiveAnswer }) {
  const metresPerUnit = viewer.metresPerUnit.value;
  const rows = live.tooNear.map((one) => ({ object: one.object, text: liveText(one, metresPerUnit) }));
  const { next } = live;
  return (
    <>
      <p class={`verdict ${liveVerdict(live.tooNear)}`}>{liveSummary(live.tooNear)}</p>
      {next && (
        <p class="hint">
          Next: {viewer.nameOf(next.object)}, {liveText(next, metresPerUnit)}
        </p>
      )}
      <p class="hint">
        While it moves, within {lengthText(live.error * metresPerUnit)}; exact when it rests.
      </p>
      <ObjectRows viewer={viewer} rows={rows} />
    </>
  );
}

interface ObjectRowsProps {
  readonly viewer: Viewer;
  readonly rows: readonly { readonly object: number; readonly text: string }[];
}

function ObjectRows({ viewer, rows }: ObjectRowsProps) {
  if (rows.length === 0) return null;
  return (
    <ul class="choices near">
      {rows.slice(0, MOST_ROWS).map(({ object, text }) => (
        <li key={object}>
          <button type="button" onClick={() => viewer.frame(new Set([object]))}>
            <span>{viewer.nameOf(object)}</span>
            <small>{text}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** In metres: shorter distances are none. */
const ROUNDING = 1e-6;

/** `≥ 12.3 mm (± 0.4 mm)`. */
function liveText(near: LiveNear, metresPerUnit: number): string {
  const [least, most] = near.bounds;
  if (most * metresPerUnit < ROUNDING) return 'touches';
  if (mayTouch(near)) return `≤ ${lengthText(most * metresPerUnit)}, may touch`;
  return `≥ ${lengthText(least * metresPerUnit)} (± ${lengthText((most - least) * metresPerUnit)})`;
}

function liveVerdict(tooNear: readonly LiveNear[]): string {
  if (tooNear.some(mayTouch)) return 'bad';
  return tooNear.length > 0 ? 'near' : 'good';
}

function liveSummary(tooNear: readonly LiveNear[]): string {
  if (tooNear.length === 0) return 'Touches nothing here.';
  const met = tooNear.filter(mayTouch).length;
  const near = tooNear.length - met;
  const parts = [
    ...(met > 0 ? [`may touch ${plural(met, 'object')}`] : []),
    ...(near > 0 ? [`is too close to ${plural(near, 'object')}`] : []),
  ];
  return `It ${parts.join(' and ')}.`;
}

/** `hard, 12 mm deep`. */
function violationText({ kind, distance, depth }: Violation, metresPerUnit: number): string {
  if (kind === 'clearance') return `${lengthText(distance * metresPerUnit)} apart`;
  return depth > 0 ? `${kind}, ${lengthText(depth * metresPerUnit)} deep` : kind;
}

interface MillimetreFieldProps {
  readonly label: string;
  readonly metres: number;
  readonly least: number;
  onChange(metres: number): void;
}

function MillimetreField({ label, metres, least, onChange }: MillimetreFieldProps) {
  return (
    <NumberField
      label={label}
      unit="mm"
      unitName="millimetres"
      value={1000 * metres}
      step={10}
      range={[least, 1e7]}
      onChange={(millimetres) => onChange(millimetres / 1000)}
    />
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly unit: string;
  readonly unitName: string;
  readonly value: number;
  readonly step: number;
  readonly range: readonly [least: number, most: number];
  onChange(value: number): void;
}

function NumberField({ label, unit, unitName, value, step, range, onChange }: NumberFieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the input is a component
    <label class="field-line moves">
      <span>{label}</span>
      <NumberInput
        label={`${label}, ${unitName}`}
        value={value}
        step={step}
        digits={2}
        range={range}
        onChange={onChange}
      />
      <span>{unit}</span>
    </label>
  );
}

export function verdictOf(violations: readonly Violation[] | undefined): string {
  if (!violations) return '';
  if (!violations.every(isTooNear)) return 'bad';
  return violations.length > 0 ? 'near' : 'good';
}

export function placeText(violations: readonly Violation[] | undefined): string {
  if (!violations) return 'Checking …';
  const near = violations.filter(isTooNear).length;
  const met = violations.length - near;
  if (violations.length === 0) return 'Free here.';
  const parts = [
    ...(met > 0 ? [`clashes with ${plural(met, 'object')}`] : []),
    ...(near > 0 ? [`is too close to ${plural(near, 'object')}`] : []),
  ];
  return `It ${parts.join(' and ')}.`;
}

function freeText(free: FreePlace | null | undefined, metresPerUnit: number): string {
  if (free === undefined) return '';
  if (free === null) return 'No free place was found nearby.';
  if (free.length === 0) return '';
  const [x, y, z] = free.move.map((part) => lengthText(part * metresPerUnit));
  return `A free place is ${lengthText(free.length * metresPerUnit)} away (${x}, ${y}, ${z}); there may be a nearer one.`;
}
