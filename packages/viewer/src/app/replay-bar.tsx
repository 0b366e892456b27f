/** The controls of a recording under the picture, and what happened over its frames. */
import type { Signal } from '@preact/signals';
import { IconButton } from '../../../ui/src/controls.js';
import { lengthText, plural } from '../../../ui/src/text.js';
import type { Replay } from '../replay/replay.js';
import { type ChartScale, heightOf, pathOf, scaleOf } from '../replay/time-chart.js';
import { CommandButton } from './controls.js';
import type { Viewer } from './viewer.js';

const SIZE = { width: 1000, height: 72 };

/** A line of the chart: of milliseconds, or a number of things. */
interface Line {
  readonly name: 'collide' | 'prefetch' | 'render' | 'contacts' | 'asleep';
  readonly values: ArrayLike<number>;
}

export function ReplayBar({ viewer }: { readonly viewer: Viewer }) {
  const replay = viewer.replay.value;
  if (!replay) return null;
  const { frame, frameCount, run } = replay;
  const last = frameCount - 1;
  return (
    <section class="replay" aria-label="Recording">
      <div class="replay-row">
        <CommandButton
          viewer={viewer}
          name="play"
          icon={replay.isPlaying.value ? 'pause' : 'play'}
          pressed={replay.isPlaying.value}
        />
        <IconButton
          icon="previous"
          label="One frame back"
          disabled={frame.value === 0}
          onClick={() => replay.go(frame.peek() - 1)}
        />
        <IconButton
          icon="next"
          label="One frame forward"
          disabled={frame.value === last}
          onClick={() => replay.go(frame.peek() + 1)}
        />
        <span class="replay-step">
          Frame {frame.value + 1} of {frameCount}
        </span>
        <span class="replay-seconds">{run.times[frame.value].toFixed(2)} s</span>
        <Happening replay={replay} />
        {run.flight && <Box label="Follow" isOn={replay.isFollowed} />}
        {run.contacts && <Box label="Contacts" isOn={replay.showsContacts} />}
      </div>
      {!run.path && <Chart replay={replay} />}
      <input
        type="range"
        aria-label="Frame"
        min={0}
        max={last}
        value={frame.value}
        onInput={(event) => replay.go(Number(event.currentTarget.value))}
      />
    </section>
  );
}

function Box({ label, isOn }: { readonly label: string; readonly isOn: Signal<boolean> }) {
  return (
    <label class="replay-follow">
      <input
        type="checkbox"
        checked={isOn.value}
        onChange={(event) => {
          isOn.value = event.currentTarget.checked;
        }}
      />
      {label}
    </label>
  );
}

/** What touches or sleeps in this frame. */
function Happening({ replay }: { readonly replay: Replay }) {
  const { step, contactCount, bodies, run } = replay;
  if (run.path) {
    return <span class="replay-hits">proved to keep {lengthText(run.path.clearance)} at least</span>;
  }
  if (step) {
    const { hits } = step;
    return (
      <span class={hits.length > 0 ? 'replay-hits some' : 'replay-hits'}>
        {hits.length > 0 ? `${plural(replay.hit.value.length, 'object')} hit` : 'no hit'}
      </span>
    );
  }
  const asleep = `${replay.asleep[replay.frame.value]} of ${plural(bodies.length, 'body', 'bodies')} asleep`;
  return (
    <span class="replay-hits">
      {contactCount === undefined ? asleep : `${plural(contactCount, 'contact')}, ${asleep}`}
    </span>
  );
}

/** Of a flight the times of its steps; of a simulation contacts, bodies asleep and the time of drawing. */
function linesOf({ run, renderMs, asleep }: Replay): readonly Line[] {
  const { flight, contacts } = run;
  const render: Line = { name: 'render', values: renderMs };
  if (flight)
    return [
      { name: 'collide', values: flight.steps.map(({ collideMs }) => collideMs) },
      { name: 'prefetch', values: flight.steps.map(({ prefetchMs }) => prefetchMs) },
      render,
    ];
  const counts = contacts?.map(({ length }) => length / 3);
  return [
    ...(counts ? [{ name: 'contacts', values: counts } as const] : []),
    { name: 'asleep', values: asleep },
  ];
}

/** The values of the shown frame. */
function Values({ replay, lines }: { readonly replay: Replay; readonly lines: readonly Line[] }) {
  const frame = replay.frame.value;
  return (
    <div class="replay-times">
      {lines.map(({ name, values }) => {
        if (name === 'contacts' || name === 'asleep')
          return (
            <span key={name} class={name}>
              {name} <b>{values[frame]}</b>
            </span>
          );
        // while it plays, a frame is drawn a little later than it is shown
        const isLate = name === 'render' && Number.isNaN(values[frame]) && replay.isPlaying.value;
        return (
          <span key={name} class={name}>
            {name} <b>{msText(values[isLate ? frame - 1 : frame] ?? Number.NaN)}</b>
          </span>
        );
      })}
    </div>
  );
}

function Chart({ replay }: { readonly replay: Replay }) {
  void replay.drawn.value; // changes with `renderMs`
  const lines = linesOf(replay);
  const scale = scaleOf(lines.map(({ values }) => values));
  const x = (SIZE.width * replay.frame.value) / Math.max(1, replay.frameCount - 1);
  const textOf = replay.run.flight ? msText : String;
  const names = lines.map(({ name }) => name).join(', ');
  return (
    <>
      <Values replay={replay} lines={lines} />
      <div class="replay-chart">
        <svg
          viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${replay.run.flight ? 'Milliseconds' : 'Numbers'} of each frame: ${names}`}
        >
          {decades(scale).map((value) => (
            <path key={value} class="decade" d={`M0 ${heightOf(value, scale, SIZE.height)}H${SIZE.width}`} />
          ))}
          {lines.map(({ name, values }) => (
            <path key={name} class={name} d={pathOf(values, scale, SIZE)} />
          ))}
          <path class="now" d={`M${x} 0V${SIZE.height}`} />
        </svg>
        <span class="replay-most">{textOf(scale.most)}</span>
        <span class="replay-least">{textOf(scale.least)}</span>
      </div>
    </>
  );
}

function decades({ least, most }: ChartScale): number[] {
  const count = Math.round(Math.log10(most / least));
  return Array.from({ length: count + 1 }, (_, i) => least * 10 ** i);
}

function msText(ms: number): string {
  if (Number.isNaN(ms)) return '–';
  if (ms > 0 && ms < 0.01) return '< 0.01 ms';
  if (ms >= 1000) return `${Number((ms / 1000).toPrecision(2))} s`;
  return `${Number(ms >= 100 ? ms.toFixed(0) : ms.toPrecision(2))} ms`;
}
