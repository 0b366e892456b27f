/**
 * Connects the page's state to the picture: styles, sections, marks, the selected clash; and picks back to the page.
 */
import { effect } from '@preact/signals';
import { shownTheme } from '../../../ui/src/theme.js';
import { boxAround } from '../model/object-columns.js';
import { boxPlanes, grown, leastOfPlan, planPlanes, sectionPlanes } from '../model/sections.js';
import { reaching, type Visibility } from '../model/visibility.js';
import { createPicture } from '../picture/create-picture.js';
import type { Picture } from '../picture/picture.js';
import type { SectionPlane } from '../picture/types.js';
import type { ModelReview } from '../review/report.js';
import { objectStyles } from './object-styles.js';
import { followClash } from './show-clash.js';
import { inUnits, type Viewer } from './viewer.js';
import { letWalk } from './walking.js';

/**
 * Creates the picture and keeps it up to date until the returned function is called. When the store is replaced, the
 * new picture appears once it is open.
 */
export function linkPicture(viewer: Viewer, container: HTMLElement): () => void {
  let ends: (() => void)[] = [];
  const end = () => {
    for (const one of ends) one();
    ends = [];
  };
  const stop = effect(() => {
    const url = viewer.storeUrl.value;
    let gone = false;
    const options = {
      theme: shownTheme.peek(),
      label: `The model ${viewer.manifest.peek().title}`,
      onFailure: (message: string) => viewer.fail('Could not read the model', message),
    };
    createPicture(container, url, options).then(
      (picture) => {
        if (gone) {
          picture.dispose();
          return;
        }
        const before = viewer.picture.peek();
        if (before) picture.look(before.view);
        end();
        ends = [() => picture.dispose(), ...follow(viewer, picture)];
        viewer.picture.value = picture;
      },
      (error) => viewer.fail('Could not draw the model', error),
    );
    return () => {
      gone = true;
    };
  });
  return () => {
    stop();
    end();
  };
}

function follow(viewer: Viewer, picture: Picture): (() => void)[] {
  letWalk(viewer, picture);
  return [
    effect(() => picture.setTheme(shownTheme.value)),
    effect(() => {
      picture.navigation = viewer.navigation.value;
      if (viewer.navigation.value !== 'walk') picture.refine(null);
    }),
    effect(() => {
      const review = viewer.review.value;
      const way = viewer.way.value;
      const clash =
        review && review.current.value >= 0 ? review.report.objectsOf(review.current.value) : undefined;
      const surroundings = review?.surroundings.value ?? 'show';
      const visibility = viewer.visibility.value;
      if (visibility.length === 0) return;
      const outer = !way && clash && review ? outerOf(viewer, review, clash) : undefined;
      const { styles, ofObject } = objectStyles(
        visibleInPlan(viewer, visibility),
        viewer.selection.value,
        way ? [way.object, -1] : clash,
        surroundings,
        outer,
        viewer.replay.value?.hit.value ?? [],
        viewer.replay.value?.looks.value ?? [],
      );
      picture.setStyles(styles, ofObject);
    }),
    effect(() => picture.setSections(sectionsOf(viewer))),
    // of the open tool, of the recording, or of the clash
    effect(() =>
      picture.setMarks(viewer.openTool?.marks ?? viewer.replay.value?.marks.value ?? viewer.clashMarks.value),
    ),
    effect(() => viewer.replay.value?.follow(picture)),
    effect(() => viewer.openTool?.selected?.(viewer.selection.value)),
    ...Object.values(viewer.tools).flatMap((tool) => tool.follow?.(picture) ?? []),
    followClash(viewer, picture),
    listenToTaps(viewer, picture),
  ];
}

/** If one object is inside the other, the index of the larger one. */
function outerOf(
  viewer: Viewer,
  review: ModelReview,
  objects: readonly [number, number],
): number | undefined {
  const columns = viewer.columns.value;
  if (!columns || review.report.kindOf(review.current.value) !== 'inside') return undefined;
  const [a, b] = objects.map((object) => {
    const box = boxAround(columns, object < 0 ? [] : [object]) ?? [0, 0, 0, 0, 0, 0];
    return (box[3] - box[0]) * (box[4] - box[1]) * (box[5] - box[2]);
  });
  return a >= b ? 0 : 1;
}

/** What of the visible objects a plan shows, if there is one. */
function visibleInPlan(viewer: Viewer, visibility: Visibility): Visibility {
  const plan = viewer.plan.value;
  const columns = viewer.columns.value;
  if (!plan || !columns) return visibility;
  return reaching(visibility, columns.boxes, leastOfPlan(plan.floor, viewer.metresPerUnit.value));
}

/** The planes of a plan, of a cut-out clash, or of the section tool. */
function sectionsOf(viewer: Viewer): readonly SectionPlane[] {
  const plan = viewer.plan.value;
  if (plan) return planPlanes(plan.floor, viewer.metresPerUnit.value);
  const review = viewer.review.value;
  if (review && review.current.value >= 0 && review.surroundings.value === 'cut') {
    return boxPlanes(
      inUnits(grown(review.report.boxOf(review.current.value), 0.5, 0.5), viewer.metresPerUnit.value),
    );
  }
  return sectionPlanes(viewer.section.value);
}

/** A click selects, adds to the selection with Ctrl or Shift, or goes to the open tool; a double click frames. */
function listenToTaps(viewer: Viewer, picture: Picture): () => void {
  const frame = () => viewer.frame(viewer.selection.peek());
  picture.canvas.addEventListener('dblclick', frame);
  const end = picture.onTap(async ({ x, y, event }) => {
    try {
      const pick = await picture.pick(x, y);
      const tool = viewer.openTool;
      if (tool?.pick) {
        if (pick) await tool.pick(pick);
      } else if (pick)
        viewer.select([pick.object], { add: event.ctrlKey || event.metaKey || event.shiftKey });
      else viewer.selection.value = new Set();
    } catch (error) {
      viewer.fail('Could not pick', error);
    }
  });
  return () => {
    picture.canvas.removeEventListener('dblclick', frame);
    end();
  };
}
