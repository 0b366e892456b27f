/** Finds a proved way for an object to where it is dragged, and plays it. */
import { IconButton } from '../../../ui/src/controls.js';
import { lengthText } from '../../../ui/src/text.js';
import type { Viewer } from '../app/viewer.js';
import type { WayAnswer } from '../exact/types.js';
import { listenToDrag } from './drag-pointer.js';
import { Dragging } from './dragging.js';
import { PlaceFields, placeText, verdictOf } from './move-tool.js';
import type { ToolEntry } from './tool.js';
import { lengthOf, ROOMS, SECONDS, WayFinding } from './way-finding.js';

export const pathTool: ToolEntry = {
  title: 'Way',
  help: 'Find a way to move an object, proved at every instant',
  key: 'y',
  icon: 'way',
  group: 'Objects',
  make: (viewer) => {
    const dragging = new Dragging({
      picture: () => viewer.picture.peek(),
      exact: () => viewer.exact,
      metresPerUnit: () => viewer.metresPerUnit.peek(),
      // what it meets where it rests is enough
      hasLevels: () => false,
      asked: () => viewer.review.peek()?.report.run.asked,
      fail: (what, error) => viewer.fail(what, error),
    });
    dragging.clearance.value = 0;
    const way = new WayFinding(viewer, dragging);
    const end = () => {
      way.forget();
      way.start.value = undefined;
      return dragging.putBack();
    };
    return {
      card: () => <PathCard viewer={viewer} dragging={dragging} way={way} />,
      get marks() {
        return way.answer.value?.found ? way.marks.value : dragging.marks.value;
      },
      get isBusy() {
        return dragging.object.value !== undefined;
      },
      selected: ([object, ...more]: ReadonlySet<number>) => {
        if (object === undefined || more.length > 0 || object === dragging.object.peek()) return;
        way.forget();
        way.start.value = undefined;
        void dragging.take(object);
      },
      follow: (picture) => listenToDrag(dragging, picture, () => viewer.metresPerUnit.peek()),
      letGo: end,
      close: () => void end(),
    };
  },
};

interface Props {
  readonly viewer: Viewer;
  readonly dragging: Dragging;
  readonly way: WayFinding;
}

function PathCard({ viewer, dragging, way }: Props) {
  const object = dragging.object.value;
  if (object === undefined)
    return (
      <p class="hint">Pick the object to move, then drag it to its goal. Closing this tool puts it back.</p>
    );
  const seconds = way.seconds.value;
  return (
    <>
      <p class="moved-name">{viewer.nameOf(object)}</p>
      <PlaceFields dragging={dragging} metresPerUnit={viewer.metresPerUnit.value} />
      <p class={`verdict ${verdictOf(dragging.violations.value)}`}>{placeText(dragging.violations.value)}</p>
      <p class="hint">
        {way.start.value ? 'It starts where you said.' : 'It starts where the model has it.'} What it touches
        there is in its way: start a little beside it.
      </p>
      <div class="button-row">
        <button type="button" disabled={seconds !== undefined} onClick={() => way.startHere()}>
          Start here
        </button>
        {seconds === undefined ? (
          <button type="button" onClick={() => void way.find()}>
            Find a way here
          </button>
        ) : (
          <button type="button" onClick={() => way.cancel()}>
            Cancel
          </button>
        )}
      </div>
      {seconds !== undefined && (
        <label class="way-progress">
          <span>Searching, {Math.round(seconds)} s</span>
          <progress max={SECONDS} value={seconds} />
        </label>
      )}
      <div role="status" aria-live="polite">
        <Answer viewer={viewer} way={way} answer={way.answer.value} />
      </div>
    </>
  );
}

interface AnswerProps {
  readonly viewer: Viewer;
  readonly way: WayFinding;
  readonly answer: WayAnswer | undefined;
}

function Answer({ viewer, way, answer }: AnswerProps) {
  if (!answer) return null;
  if (!answer.found) {
    const why = answer.blocked ?? `No way was found within ${SECONDS} s; there may be one.`;
    return <p class="verdict bad">{why}</p>;
  }
  const unit = viewer.metresPerUnit.value;
  const last = answer.poses.length - 1;
  const isPlaying = way.isPlaying.value;
  return (
    <>
      <p class="verdict good">
        A way of {lengthText(lengthOf(answer) * unit)}, proved to keep {lengthText(answer.clearance * unit)}{' '}
        at least.
      </p>
      <div class="way-row">
        <IconButton
          icon={isPlaying ? 'pause' : 'play'}
          label={isPlaying ? 'Pause' : 'Play'}
          onClick={() => way.toggle()}
        />
        <IconButton icon="fit" label="Show all of the way" onClick={() => way.show()} />
        <input
          type="range"
          aria-label="Place on the way"
          class="way-place"
          min={0}
          max={last}
          value={way.frame.value}
          onInput={(event) => {
            way.isPlaying.value = false;
            way.go(Number(event.currentTarget.value));
          }}
        />
      </div>
      <p class="hint way-rooms">
        Room:
        {ROOMS.map(({ colour, text }) => (
          <span key={text}>
            <i style={{ background: `#${colour.toString(16).padStart(6, '0')}` }} />
            {text}
          </span>
        ))}
      </p>
    </>
  );
}
