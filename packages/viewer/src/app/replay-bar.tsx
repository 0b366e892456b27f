/** The controls of a recorded flight under the picture, and the times of its steps. */
import { IconButton } from '../../../ui/src/controls.js';
import { plural } from '../../../ui/src/text.js';
import type { Replay } from '../replay/replay.js';
import { type ChartScale, heightOf, pathOf, scaleOf } from '../replay/time-chart.js';
import { CommandButton } from './controls.js';
import type { Viewer } from './viewer.js';

const SIZE = { width: 1000, height: 72 };
const PHASES = ['collide', 'prefetch', 'render'] as const;

export function ReplayBar({ viewer }: { readonly viewer: Viewer }) {
  const replay = viewer.replay.value;
  if (!replay) return null;
  const { step, record } = replay;
  const last = record.steps.length - 1;
  const { hits } = replay.now;
  return (
    <section class="replay" aria-label="Flight">
      <div class="replay-row">
        <CommandButton
          viewer={viewer}
          name="play"
          icon={replay.isPlaying.value ? 'pause' : 'play'}
          pressed={replay.isPlaying.value}
        />
        <IconButton
          icon="previous"
          label="One step back"
          disabled={step.value === 0}
          onClick={() => replay.go(step.peek() - 1)}
        />
        <IconButton
          icon="next"
          label="One step forward"
          disabled={step.value === last}
          onClick={() => replay.go(step.peek() + 1)}
        />
        <span class="replay-step">
          Step {step.value + 1} of {record.steps.length}
        </span>
        <span class={hits.length > 0 ? 'replay-hits some' : 'replay-hits'}>
          {hits.length > 0 ? `${plural(replay.hit.value.length, 'object')} hit` : 'no hit'}
        </span>
        <label class="replay-follow">
          <input
            type="checkbox"
            checked={replay.isFollowed.value}
            onChange={(event) => {
              replay.isFollowed.value = event.currentTarget.checked;
            }}
          />
          Follow
        </label>
      </div>
      <Times replay={replay} />
      <Chart replay={replay} />
      <input
        type="range"
        aria-label="Step"
        min={0}
        max={last}
        value={step.value}
        onInput={(event) => replay.go(Number(event.currentTarget.value))}
      />
    </section>
  );
}

/** The times of the shown step, and the colours of their lines. */
function Times({ replay }: { readonly replay: Replay }) {
  void replay.drawn.value; // changes with `renderMs`
  const step = replay.step.value;
  const { collideMs, prefetchMs } = replay.now;
  // while it plays, a step is drawn a little later than it is shown
  const measured = Number.isNaN(replay.renderMs[step]) && replay.isPlaying.value ? step - 1 : step;
  const times = { collide: collideMs, prefetch: prefetchMs, render: replay.renderMs[measured] ?? Number.NaN };
  return (
    <div class="replay-times">
      {PHASES.map((phase) => (
        <span key={phase} class={phase}>
          {phase} <b>{msText(times[phase])}</b>
        </span>
      ))}
    </div>
  );
}

function Chart({ replay }: { readonly replay: Replay }) {
  void replay.drawn.value; // changes with `renderMs`
  const { steps } = replay.record;
  const times = {
    collide: steps.map(({ collideMs }) => collideMs),
    prefetch: steps.map(({ prefetchMs }) => prefetchMs),
    render: replay.renderMs,
  };
  const scale = scaleOf(Object.values(times));
  const x = (SIZE.width * replay.step.value) / Math.max(1, steps.length - 1);
  return (
    <div class="replay-chart">
      <svg
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Milliseconds of each step: collide, prefetch, render"
      >
        {decades(scale).map((ms) => (
          <path key={ms} class="decade" d={`M0 ${heightOf(ms, scale, SIZE.height)}H${SIZE.width}`} />
        ))}
        {PHASES.map((phase) => (
          <path key={phase} class={phase} d={pathOf(times[phase], scale, SIZE)} />
        ))}
        <path class="now" d={`M${x} 0V${SIZE.height}`} />
      </svg>
      <span class="replay-most">{msText(scale.most)}</span>
      <span class="replay-least">{msText(scale.least)}</span>
    </div>
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
