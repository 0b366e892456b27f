/** The picture of an issue and the model of a clash: their contents, and the interface of painters. */
import type { Clash } from '@impinge/model';
import type { Vec3 } from 'impinge';
import type { Camera } from './camera.js';
import type { ReportBox } from './report-box.js';

/** The identity of an object in its model. */
export type NamedObject = Pick<Clash['a'], 'file' | 'id' | 'path'>;

/** The contents of an issue's picture; sent between threads. */
export interface Subject {
  readonly box: ReportBox;
  readonly point: Vec3;
  /** Each object is on one of the two sides. */
  readonly hubs: readonly NamedObject[];
  readonly others: readonly NamedObject[];
  /** Worst first. */
  readonly contacts: readonly { readonly box: ReportBox; readonly point: Vec3 }[];
  /** Whether it is seen from above, cut at its height, instead of from the side. */
  readonly isPlan?: boolean;
}

export interface IssueView {
  readonly camera: Camera;
  /** Clips the picture. The camera is outside. */
  readonly section: ReportBox;
}

export interface Picture {
  readonly view: IssueView;
  readonly png: Uint8Array;
}

/** By the index of the subject; each is requested once. */
export type Pictures = (index: number) => Promise<Picture>;

/** The part of a clash that its model shows (clash-model.ts); sent between threads. */
export interface ModelledClash {
  readonly a: NamedObject;
  readonly b: NamedObject;
  readonly point: Vec3;
  readonly box: ReportBox;
  readonly depth: number;
}

export interface Models {
  /** By the index of the clash; each is requested once. */
  of(index: number): Promise<string>;
  /** Cancels the rest. */
  end(): void;
}

export interface Painter {
  /** Starts threads early if this many subjects will need them. */
  prepare(subjects: number): void;
  paint(subjects: readonly Subject[]): Pictures;
  /** Models for the page to rotate, empty if there is nothing to show. */
  models(clashes: readonly ModelledClash[]): Models;
  dispose(): Promise<void>;
}
