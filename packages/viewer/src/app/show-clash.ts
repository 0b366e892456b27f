/** Shows the selected clash: moves the camera, and draws marks. */
import { effect } from '@preact/signals';
import { grown } from '../model/sections.js';
import type { Picture } from '../picture/picture.js';
import type { Box, Mark, Point } from '../picture/types.js';
import { curveMark, depthMark, dotMark, gapMark, straightMark, wayOut } from '../review/clash-marks.js';
import type { ModelReview } from '../review/report.js';
import { middleOf } from '../tools/dragging.js';
import { asBox, inUnits, type Viewer } from './viewer.js';

/** In metres: reports round points to the millimetre. */
const ROUNDED = 0.002;

/** Room around a contact: a share of its own size or of the larger object's, the latter limited in metres. */
const CONTACT_ROOM = 0.6;
const OBJECT_ROOM = 0.35;
const MOST_ROOM = 0.4;
/** Room around an enclosed object: a share of its size, limited to the enclosing object. */
const INSIDE_ROOM = 1.6;

/** Returns a function that stops it. */
export function followClash(viewer: Viewer, picture: Picture): () => void {
  return effect(() => {
    const review = viewer.review.value;
    const clash = review?.current.value ?? -1;
    if (!review || clash < 0) {
      viewer.clashMarks.value = [];
      return;
    }
    let gone = false;
    viewer.clashMarks.value = [dotMark(pointOf(viewer, review, clash))];
    const unit = viewer.metresPerUnit.peek();
    const contact = asBox(inUnits(review.report.boxOf(clash), unit));
    const [a, b] = review.report.objectsOf(clash);
    const boxes = [a, b].map((object) => (object < 0 ? undefined : picture.boxOf(object)));
    const sizes = boxes.map((box) => (box ? unit * sizeOf(box) : Infinity));
    const room = Math.min(MOST_ROOM, OBJECT_ROOM * Math.max(...sizes));
    const near = (share: number): Box => asBox(inUnits(grown(review.report.boxOf(clash), share, room), unit));
    const outer = review.report.kindOf(clash) === 'inside' ? boxes[sizes[0] > sizes[1] ? 0 : 1] : undefined;
    const isBlocked = review.report.kindOf(clash) === 'blocked' && boxes[0] !== undefined;
    const shown = outer
      ? common(near(INSIDE_ROOM), around(outer, near(CONTACT_ROOM)))
      : isBlocked
        ? around(boxes[0]!, near(CONTACT_ROOM))
        : near(CONTACT_ROOM);
    const isSolid = ['show', 'cut'].includes(review.surroundings.peek());
    if (a < 0 || b < 0) picture.fit(shown, undefined, true);
    else void picture.seeClash([a, b], { contact, shown }, isSolid ? 'all' : [], true);
    const draw = (): Promise<Mark[]> => {
      const asked = viewer.exact;
      return exactMarks(viewer, review, clash).catch((error) => {
        // the model has got levels meanwhile, and is open anew
        if (!gone && viewer.exact !== asked) return draw();
        throw error;
      });
    };
    // the exact curve follows later; another clash may be selected by then
    void draw()
      .then((marks) => {
        if (!gone && marks.length > 0) viewer.clashMarks.value = marks;
      })
      .catch((error) => {
        if (!gone) viewer.fail('Could not draw the contact', error);
      });
    return () => {
      gone = true;
    };
  });
}

/** The intersection of two boxes. */
function common(a: Box, b: Box): Box {
  const [min, max] = [a.min.map((x, k) => Math.max(x, b.min[k])), a.max.map((x, k) => Math.min(x, b.max[k]))];
  return { min, max } as unknown as Box;
}

/** The bounding box of two boxes. */
function around(a: Box, b: Box): Box {
  const [min, max] = [a.min.map((x, k) => Math.min(x, b.min[k])), a.max.map((x, k) => Math.max(x, b.max[k]))];
  return { min, max } as unknown as Box;
}

function sizeOf({ min, max }: Box): number {
  return Math.hypot(...max.map((x, k) => x - min[k]));
}

/** The point of the clash in the report. */
function pointOf(viewer: Viewer, { report }: ModelReview, clash: number): Point {
  const [x, y, z] = inUnits(report.pointOf(clash), viewer.metresPerUnit.peek());
  return [x, y, z];
}

/** Marks with the exact contact curve and the way out, the line of the distance, or the zone that is obstructed. */
async function exactMarks(viewer: Viewer, review: ModelReview, clash: number): Promise<Mark[]> {
  const { report } = review;
  const objects = report.objectsOf(clash);
  const [a, b] = objects;
  if (a < 0 || b < 0) return [];
  const measure = report.data.measures[report.data.clashes.kind[clash]];
  if (report.kindOf(clash) === 'obstruction') {
    const rule = report.data.rules[report.data.clashes.rule[clash]];
    const { segments } = await viewer.exact.zone(a, b, rule, report.run.asked);
    return [dotMark(pointOf(viewer, review, clash), report.measureOf(clash)), curveMark(segments)];
  }
  if (report.kindOf(clash) === 'blocked') {
    const box = viewer.picture.peek()?.boxOf(a);
    const point = pointOf(viewer, review, clash);
    return [...(box ? [straightMark(middleOf(box), point)] : []), dotMark(point)];
  }
  if (measure === 'distance') {
    const { pointA, pointB, distance } = await viewer.exact.distance(a, b);
    if (distance > 0)
      return [gapMark(pointA, pointB, report.measureOf(clash)), dotMark(pointA), dotMark(pointB)];
  }
  const point = pointOf(viewer, review, clash);
  const depth = report.data.clashes.depth[clash] / viewer.metresPerUnit.peek();
  const slack = ROUNDED / viewer.metresPerUnit.peek() + 0.01 * depth;
  const end =
    measure === 'depth' && depth > 0 ? await wayOut(viewer.exact, objects, point, depth, slack) : undefined;
  const label = measure === 'depth' || measure === 'excess' ? report.measureOf(clash) : undefined;
  const { segments } = await viewer.exact.contactCurve(a, b);
  return [
    end ? depthMark(point, end, label!) : dotMark(point, label),
    ...(segments.length > 0 ? [curveMark(segments)] : []),
  ];
}
