/** The choice of demos, their sliders, the picture, and the time of each stage. */
import { computed, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import '../../../packages/ui/src/style/tokens.css';
import '../../../packages/ui/src/style/controls.css';
import '../../../packages/viewer/src/app/styles/base.css';
import '../../../packages/viewer/src/app/styles/controls.css';
import { nextTheme, shownTheme } from '../../../packages/ui/src/theme.js';
import { DEMOS, type DemoInfo } from './demos/list.js';
import './gallery.css';
import type { Answer, Frame, Request, Values } from './protocol.js';
import { Stage } from './stage.js';

/** Weight of the newest frame in the displayed milliseconds. */
const SMOOTHING = 0.15;

const chosen = signal<DemoInfo>(DEMOS.find(({ id }) => `#${id}` === location.hash) ?? DEMOS[0]);
const values = signal<Values>(startValues(chosen.value));
const isRunning = signal(true);
const stages = signal<readonly (readonly [string, number])[]>([]);
const figures = signal<Frame['figures']>([]);
const fault = signal('');
/** The number of the current run; late answers of earlier runs are dropped. */
const run = signal(0);
/** Shown until the first frame; empty after it. */
const waiting = signal('Preparing …');

const most = computed(() => Math.max(1, ...stages.value.map(([, ms]) => ms)));

function startValues({ sliders }: DemoInfo): Values {
  return Object.fromEntries(sliders.map(({ key, value }) => [key, value]));
}

function choose(demo: DemoInfo): void {
  chosen.value = demo;
  values.value = startValues(demo);
  history.replaceState(null, '', `#${demo.id}`);
  run.value++;
}

export function Gallery() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => show(place.current!), []);
  return (
    <div class="gallery">
      <header>
        <h1>impinge, live</h1>
        <p>The engines of the library in this browser, on one thread. Drag to turn, scroll to zoom.</p>
        <button
          type="button"
          class="icon-button"
          onClick={nextTheme}
          aria-label="Light or dark"
          title="Light or dark"
        >
          ◐
        </button>
      </header>
      <nav aria-label="Demos">
        {DEMOS.map((demo) => (
          <button
            key={demo.id}
            type="button"
            aria-current={demo === chosen.value ? 'page' : undefined}
            onClick={() => choose(demo)}
          >
            {demo.title}
          </button>
        ))}
      </nav>
      <main>
        <div class="picture" ref={place}>
          {fault.value !== '' && <p role="alert">{fault}</p>}
          {fault.value === '' && waiting.value !== '' && <p class="waiting">{waiting.value}</p>}
        </div>
        <aside>
          <p>{chosen.value.says}</p>
          <Sliders />
          <div class="button-row">
            <button type="button" onClick={() => (isRunning.value = !isRunning.value)}>
              {isRunning.value ? 'Pause' : 'Go on'}
            </button>
            <button type="button" onClick={() => run.value++}>
              From the beginning
            </button>
          </div>
          <Stages />
          <dl>
            {figures.value.map(([name, value, colour]) => (
              <div key={name}>
                <dt>
                  {colour !== undefined && <Swatch colour={colour} />}
                  {name}
                </dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </aside>
      </main>
    </div>
  );
}

function Swatch({ colour }: { colour: number }) {
  return <i class="swatch" style={{ background: `#${colour.toString(16).padStart(6, '0')}` }} />;
}

function Sliders() {
  return (
    <div class="sliders">
      {chosen.value.sliders.map(({ key, label, min, max, step, live, text }) => (
        <label key={key}>
          <span>
            {label} <b>{text ? text(values.value[key]) : values.value[key].toLocaleString('en')}</b>
          </span>
          <input
            type="range"
            {...{ min, max, step }}
            value={values.value[key]}
            onInput={(event) => {
              values.value = { ...values.value, [key]: event.currentTarget.valueAsNumber };
            }}
            onChange={() => {
              if (!live) run.value++;
            }}
          />
        </label>
      ))}
    </div>
  );
}

function Stages() {
  return (
    <table class="stages">
      <caption>Milliseconds per stage</caption>
      <tbody>
        {stages.value.map(([name, ms]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <meter min={0} max={most.value} value={ms} aria-label={name} />
            </td>
            <td class="number">{ms.toFixed(ms < 10 ? 2 : 1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Runs the selected demo until the page is left. */
function show(place: HTMLElement): () => void {
  const worker = new Worker(new URL('./demo-worker.ts', import.meta.url), { type: 'module' });
  const send = (request: Request) => worker.postMessage(request);
  let stage: Stage;
  try {
    stage = new Stage(place);
  } catch {
    fault.value = 'This browser does not draw in three dimensions (WebGL).';
    worker.terminate();
    return () => {};
  }
  /** Whether a request is pending. */
  let isAsked = false;
  const ask = (request: Request) => {
    isAsked = true;
    send(request);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    if (data.run !== run.peek()) return;
    if (data.kind === 'progress') {
      waiting.value = data.text;
      return;
    }
    isAsked = false;
    waiting.value = '';
    if (data.kind === 'failed') {
      fault.value = data.message;
      return;
    }
    const { frame } = data;
    stage.show(frame);
    figures.value = frame.figures;
    const before = new Map(stages.peek());
    stages.value = frame.stages.map(([name, ms]) => {
      const known = before.get(name);
      return [name, known === undefined ? ms : known + SMOOTHING * (ms - known)] as const;
    });
    requestAnimationFrame(next);
  });
  worker.addEventListener('error', () => {
    fault.value = 'The engine could not be started.';
  });
  const next = () => {
    if (!isAsked && isRunning.peek() && fault.peek() === '') ask({ kind: 'step' });
  };
  const ends = [
    run.subscribe((number) => {
      stage.clear();
      stage.describe(`${chosen.peek().title}: ${chosen.peek().says}`);
      [stages.value, figures.value, fault.value, waiting.value] = [[], [], '', 'Preparing …'];
      isRunning.value = true;
      ask({ kind: 'start', run: number, demo: chosen.peek().id, values: values.peek() });
    }),
    values.subscribe((now) => send({ kind: 'set', values: now })),
    isRunning.subscribe(next),
    shownTheme.subscribe(() => {}),
  ];
  return () => {
    for (const end of ends) end();
    worker.terminate();
    stage.dispose();
  };
}
