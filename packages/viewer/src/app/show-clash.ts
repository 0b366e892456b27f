/** Shows the clash that is looked at: the camera goes there, and marks say what it is. */
import { effect } from '@preact/signals';
import { boxAround } from '../model/object-columns.js';
import { grown } from '../model/sections.js';
import type { Mark, Picture, Point } from '../picture/types.js';
import { curveMark, depthMark, dotMark, gapMark, wayOut } from '../review/clash-marks.js';
import type { ClashReview } from '../review/clash-review.js';
import { asBox, inUnits, type Viewer } from './viewer.js';

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
    const measure = plainMarks(viewer, review, clash);
    viewer.clashMarks.value = measure;
    const unit = viewer.metresPerUnit.peek();
    const contact = asBox(inUnits(review.report.boxOf(clash), unit));
    const shown = asBox(inUnits(grown(review.report.boxOf(clash), 0.6, 0.4), unit));
    const [a, b] = review.report.objectsOf(clash);
    const isSolid = ['show', 'cut'].includes(review.surroundings.peek());
    if (a < 0 || b < 0) picture.fit(shown, undefined, true);
    else void picture.seeClash([a, b], { contact, shown }, isSolid ? 'all' : [], true);
    // the exact curve follows when the engine has it; another clash may be looked at by then
    void exactMarks(viewer, review, clash)
      .then((marks) => {
        if (!gone && marks.length > 0) viewer.clashMarks.value = marks;
      })
      .catch((error) => {
        if (!gone) viewer.fail('The contact cannot be drawn', error);
      });
    return () => {
      gone = true;
    };
  });
}

/** What the report knows. */
function plainMarks(viewer: Viewer, review: ClashReview, clash: number): Mark[] {
  const { report } = review;
  const { clashes, measures } = report.data;
  const unit = viewer.metresPerUnit.peek();
  const [x, y, z] = inUnits(report.pointOf(clash), unit);
  const point: Point = [x, y, z];
  const columns = viewer.columns.peek();
  const [a, b] = report.objectsOf(clash);
  if (!columns || a < 0 || b < 0 || measures[clashes.kind[clash]] !== 'depth') return [dotMark(point)];
  const [boxA, boxB] = [a, b].map((object) => boxAround(columns, [object])!);
  const direction = wayOut(inUnits(report.boxOf(clash), unit), boxA, boxB, point);
  return [depthMark(point, direction, clashes.depth[clash] / unit, report.measureOf(clash))];
}

/** With the curve in which the two meet, or the line of their distance. */
async function exactMarks(viewer: Viewer, review: ClashReview, clash: number): Promise<Mark[]> {
  const { report } = review;
  const [a, b] = report.objectsOf(clash);
  if (a < 0 || b < 0) return [];
  const engine = await viewer.engine();
  if (report.data.measures[report.data.clashes.kind[clash]] === 'distance') {
    const { pointA, pointB, distance } = await engine.distance(a, b);
    if (distance > 0)
      return [gapMark(pointA, pointB, report.measureOf(clash)), dotMark(pointA), dotMark(pointB)];
  }
  const { segments } = await engine.contactCurve(a, b);
  return segments.length === 0 ? [] : [...plainMarks(viewer, review, clash), curveMark(segments)];
}
