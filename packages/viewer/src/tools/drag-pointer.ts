/**
 * Dragging with a pointer: a press on the moved object drags it, any other moves the camera. Arrow keys move it a
 * little, comma and period turn it.
 *
 * Whether a press is on the object must be known immediately. A mouse is tracked while it hovers; for a finger, the
 * object's box is tested.
 */
import { stateOf } from '../picture/camera-state.js';
import { type Ray, rayThrough } from '../picture/lens.js';
import type { Picture } from '../picture/picture.js';
import type { Point } from '../picture/types.js';
import { add, subtract } from '../picture/vectors.js';
import { draggedTo, meetsBox } from './drag-ray.js';
import { type Dragging, middleOf } from './dragging.js';
import { angleBetween } from './turns.js';

/** Metres per press of an arrow key, and with Shift. */
const STEP = 0.01;
const LONG_STEP = 0.1;
/** Degrees per press of comma or period, and with Shift. */
const TURN = 1;
const LONG_TURN = 15;
/** By physical key: with Shift they are other characters. */
const TURNS: Readonly<Record<string, number>> = { Comma: 1, Period: -1 };
const KEYS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowDown: [0, -1, 0],
  ArrowUp: [0, 1, 0],
  PageDown: [0, 0, -1],
  PageUp: [0, 0, 1],
};

interface Grab {
  readonly pointer: number;
  readonly point: Point;
  /** The object's move at that time. */
  readonly before: Point;
  /** Its turn at that time. */
  readonly turned: Point;
  /** The centre of its turns. */
  readonly middle: Point;
}

/** Listens until the returned function is called. */
export function listenToDrag(dragging: Dragging, picture: Picture, metresPerUnit: () => number): () => void {
  const { canvas } = picture;
  const container = canvas.parentElement ?? canvas;
  const ends = new AbortController();
  let grab: Grab | undefined;
  let hovered: { readonly object: number; readonly point: Point } | undefined;
  /** The last position of the mouse that has not been picked yet. */
  let pointed: PointerEvent | undefined;
  let isPicking = false;

  const rayOf = (event: PointerEvent): Ray => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const state = stateOf(picture.view);
    return rayThrough({ state, width, height }, event.clientX - left, event.clientY - top);
  };
  const hover = async (event: PointerEvent) => {
    if (event.buttons !== 0) return;
    pointed = event;
    if (isPicking) return;
    isPicking = true;
    try {
      const { left, top } = canvas.getBoundingClientRect();
      // the pointer may have moved on meanwhile
      while (pointed) {
        const { clientX, clientY }: PointerEvent = pointed;
        pointed = undefined;
        const found = await picture.pick(clientX - left, clientY - top);
        if (!grab) setHovered(found);
      }
    } catch {
      setHovered(undefined); // the picture was disposed
    } finally {
      isPicking = false;
    }
  };
  const setHovered = (found: typeof hovered) => {
    hovered = found;
    canvas.style.cursor = found && found.object === dragging.object.peek() ? 'move' : '';
  };
  /** The grabbed point, if the object was hit. */
  const grabbedAt = (event: PointerEvent, object: number): Point | undefined => {
    if (event.pointerType === 'mouse') return hovered?.object === object ? hovered.point : undefined;
    const { box } = dragging;
    const ray = rayOf(event);
    return box && meetsBox(ray, box.min, box.max)
      ? draggedTo('view', middleOf(box), ray, picture.view)
      : undefined;
  };
  const listen = <K extends keyof HTMLElementEventMap>(
    name: K,
    listener: (event: HTMLElementEventMap[K]) => void,
  ) => container.addEventListener(name, listener, { capture: true, signal: ends.signal });

  listen('pointerdown', (event) => {
    const object = dragging.object.peek();
    if (event.target !== canvas || object === undefined || event.button !== 0 || !event.isPrimary) return;
    const point = grabbedAt(event, object);
    const { box } = dragging;
    if (!point || !box) return;
    event.stopPropagation();
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    grab = {
      ...{ pointer: event.pointerId, point, middle: middleOf(box) },
      ...{ before: dragging.move.peek(), turned: dragging.turn.peek() },
    };
  });
  listen('pointermove', (event) => {
    if (event.target !== canvas || dragging.object.peek() === undefined) return;
    if (!grab) return void hover(event);
    event.stopPropagation();
    if (event.pointerId !== grab.pointer) return;
    const to = draggedTo(dragging.way.peek(), grab.point, rayOf(event), picture.view);
    if (!to) return;
    const { point, before, turned, middle } = grab;
    if (dragging.way.peek() === 'turn') {
      const [x, y, z] = turned;
      void dragging.turnTo([x, y, z + angleBetween(middle, point, to)]);
      return;
    }
    void dragging.moveTo(add(before, subtract(to, point)));
  });
  const release = (event: PointerEvent) => {
    if (event.pointerId !== grab?.pointer) return;
    event.stopPropagation();
    grab = undefined;
    void dragging.rest();
    setHovered(undefined);
    if (event.pointerType === 'mouse') void hover(event);
  };
  listen('pointerup', release);
  listen('pointercancel', release);
  listen('keydown', (event) => {
    const [way, turn] = [KEYS[event.key], TURNS[event.code]];
    if (dragging.object.peek() === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!way && turn === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (!way) return void dragging.turnBy(turn * (event.shiftKey ? LONG_TURN : TURN));
    const step = (event.shiftKey ? LONG_STEP : STEP) / metresPerUnit();
    void dragging.moveBy([step * way[0], step * way[1], step * way[2]]);
  });
  return () => {
    ends.abort();
    canvas.style.cursor = '';
  };
}
