/** Shows the clash that is looked at: the camera goes there, and marks say what it is. */
import { effect } from '@preact/signals';
import { grown } from '../model/sections.js';
import type { Picture } from '../picture/picture.js';
import type { Box, Mark, Point } from '../picture/types.js';
import { curveMark, depthMark, dotMark, gapMark, wayOut } from '../review/clash-marks.js';
import type { ModelReview } from '../review/report.js';
import { asBox, inUnits, type Viewer } from './viewer.js';

/** Metres: reports tell places to the millimetre. */
const ROUNDED = 0.002;

/**
 * Around a contact: so much of its own size, or of that of the larger object, but not for the latter more metres than
 * this.
 */
const CONTACT_ROOM = 0.6;
const OBJECT_ROOM = 0.35;
const MOST_ROOM = 0.4;
/** Around what is inside another: as far as the other goes, or so much of the inner one's size. */
const INSIDE_ROOM = 1.6;

/** Returns what ends it. */
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
    const shown = outer ? common(near(INSIDE_ROOM), around(outer, near(CONTACT_ROOM))) : near(CONTACT_ROOM);
    const isSolid = ['show', 'cut'].includes(review.surroundings.peek());
    if (a < 0 || b < 0) picture.fit(shown, undefined, true);
    else void picture.seeClash([a, b], { contact, shown }, isSolid ? 'all' : [], true);
    // the exact curve follows when it is found; another clash may be looked at by then
    void exactMarks(viewer, review, clash)
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

/** The part of a box that another has, too. */
function common(a: Box, b: Box): Box {
  const [min, max] = [a.min.map((x, k) => Math.max(x, b.min[k])), a.max.map((x, k) => Math.min(x, b.max[k]))];
  return { min, max } as unknown as Box;
}

/** The least box around two. */
function around(a: Box, b: Box): Box {
  const [min, max] = [a.min.map((x, k) => Math.min(x, b.min[k])), a.max.map((x, k) => Math.max(x, b.max[k]))];
  return { min, max } as unknown as Box;
}

function sizeOf({ min, max }: Box): number {
  return Math.hypot(...max.map((x, k) => x - min[k]));
}

/** Where the report says it is. */
function pointOf(viewer: Viewer, { report }: ModelReview, clash: number): Point {
  const [x, y, z] = inUnits(report.pointOf(clash), viewer.metresPerUnit.peek());
  return [x, y, z];
}

/** With the curve in which the two meet and the way out of it, or the line of their distance. */
async function exactMarks(viewer: Viewer, review: ModelReview, clash: number): Promise<Mark[]> {
  const { report } = review;
  const objects = report.objectsOf(clash);
  const [a, b] = objects;
  if (a < 0 || b < 0) return [];
  const measure = report.data.measures[report.data.clashes.kind[clash]];
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
  const label = measure === 'depth' ? report.measureOf(clash) : undefined;
  const { segments } = await viewer.exact.contactCurve(a, b);
  return [
    end ? depthMark(point, end, label!) : dotMark(point, label),
    ...(segments.length > 0 ? [curveMark(segments)] : []),
  ];
}
