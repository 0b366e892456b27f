/** A tool of the toolbar: a card over the picture, and its handling of picks and marks while it is open. */
import type { ComponentChildren } from 'preact';
import type { IconName } from '../../../ui/src/icons.js';
import type { Viewer } from '../app/viewer.js';
import type { Picture } from '../picture/picture.js';
import type { Mark, Pick } from '../picture/types.js';

/** A tool of one viewer. */
export interface Tool {
  /** The contents of its card. */
  card(): ComponentChildren;
  /** Whether its button stays pressed when the card is closed. */
  readonly isOn?: boolean;
  /** Drawn over the model instead of the marks of a clash. */
  readonly marks?: readonly Mark[];
  /** Whether a reload of the model would interrupt it. */
  readonly isBusy?: boolean;
  /** Handles a pick in the picture, which then selects nothing. */
  pick?(pick: Pick): Promise<void>;
  /** Called with the selected objects. */
  selected?(objects: ReadonlySet<number>): void;
  /** Listens to a picture, whether the tool is open or not, until the returned function is called. */
  follow?(picture: Picture): () => void;
  /** Called when the report is loaded. */
  reported?(): void;
  /** Called before the model is reloaded. */
  letGo?(): Promise<void>;
  /** Called when the tool is closed. */
  close?(): void;
}

/** An entry of `TOOLS`. */
export interface ToolEntry {
  /** Of the card. */
  readonly title: string;
  /** In tooltips and the help dialog. */
  readonly help: string;
  readonly key: string;
  readonly icon: IconName;
  /** Where its button and its key are listed. */
  readonly group: 'Picture' | 'Objects';
  make(viewer: Viewer): Tool;
}
