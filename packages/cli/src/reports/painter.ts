/** Draws the pictures of issues in the calling thread, on request. */
import { clashModel } from './clash-model.js';
import type { IssueView, ModelledClash, Models, Painter, Picture, Pictures, Subject } from './picture.js';
import type { ReportBox } from './report-box.js';
import type { Scenery } from './scenery.js';
import { drawSnapshot, snapshotLayers } from './snapshot.js';
import { clearView, plainView, planView } from './view.js';

/** Without a scenery, it draws the boxes of the contacts instead. */
export class PainterHere implements Painter {
  readonly #model: ReportBox;
  readonly #scenery: Scenery | undefined;
  readonly #layers = snapshotLayers();

  constructor(model: ReportBox, scenery: Scenery | undefined) {
    this.#model = model;
    this.#scenery = scenery;
  }

  prepare(): void {}

  paint(subjects: readonly Subject[]): Pictures {
    return (index) => this.picture(subjects[index]);
  }

  models(clashes: readonly ModelledClash[]): Models {
    return { of: (index) => this.model(clashes[index]), end: () => {} };
  }

  async model(clash: ModelledClash): Promise<string> {
    return this.#scenery ? clashModel(clash, this.#model, this.#scenery) : '';
  }

  async picture(subject: Subject): Promise<Picture> {
    const view = this.#viewOf(subject);
    return { view, png: await drawSnapshot(this.#layers, subject, view, this.#model, this.#scenery) };
  }

  #viewOf(subject: Subject): IssueView {
    if (subject.isPlan) return planView(subject, this.#model);
    return this.#scenery
      ? clearView(subject, this.#model, this.#scenery)
      : plainView(subject.box, this.#model);
  }

  async dispose(): Promise<void> {}
}
