/** A tool of the toolbar: a card over the picture, and what picking and drawing have to do with it while it is open. */
import type { ComponentChildren } from 'preact';
import type { IconName } from '../../../ui/src/icons.js';
import type { Viewer } from '../app/viewer.js';
import type { Picture } from '../picture/picture.js';
import type { Mark, Pick } from '../picture/types.js';

/** A tool of one viewer. */
export interface Tool {
  /** What its card shows. */
  card(): ComponentChildren;
  /** Its button stays pressed when the card is closed. */
  readonly isOn?: boolean;
  /** Drawn over the model instead of the marks of a clash. */
  readonly marks?: readonly Mark[];
  /** Something is under way that a reload of the model would undo. */
  readonly isBusy?: boolean;
  /** Something was picked in the picture: it is not selected then. */
  pick?(pick: Pick): Promise<void>;
  /** These objects are selected. */
  selected?(objects: ReadonlySet<number>): void;
  /** Listens to a picture, whether it is open or not, until what it returns is called. */
  follow?(picture: Picture): () => void;
  /** The report of the model has come. */
  reported?(): void;
  /** The model is about to be read again. */
  letGo?(): Promise<void>;
  /** Another one was opened, or none. */
  close?(): void;
}

/** An entry of `TOOLS`. */
export interface ToolEntry {
  /** Of the card. */
  readonly title: string;
  /** In tooltips and the list of keys. */
  readonly help: string;
  readonly key: string;
  readonly icon: IconName;
  /** Where its button and its key are listed. */
  readonly group: 'Picture' | 'Objects';
  make(viewer: Viewer): Tool;
}
