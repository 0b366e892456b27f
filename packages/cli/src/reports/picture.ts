/** The picture of an issue and the model of a clash: what they show, from where, and who makes them. */
import type { Clash } from '@impinge/model';
import type { Vec3 } from 'impinge';
import type { Camera } from './camera.js';
import type { ReportBox } from './report-box.js';

/** An object, as far as it can be found again in its model. */
export type NamedObject = Pick<Clash['a'], 'file' | 'id' | 'path'>;

/** What a view of an issue is about, and its picture shows; passes between threads. */
export interface Subject {
  readonly box: ReportBox;
  readonly point: Vec3;
  /** Each object is on one of the sides. */
  readonly hubs: readonly NamedObject[];
  readonly others: readonly NamedObject[];
  /** The worst first. */
  readonly contacts: readonly { readonly box: ReportBox; readonly point: Vec3 }[];
}

export interface IssueView {
  readonly camera: Camera;
  /** What lies outside is not shown. The camera is outside. */
  readonly section: ReportBox;
}

export interface Picture {
  readonly view: IssueView;
  readonly png: Uint8Array;
}

/** By the position of the subject; each is asked for once. */
export type Pictures = (index: number) => Promise<Picture>;

/** A clash, as far as its model shows it (clash-model.ts); passes between threads. */
export interface ModelledClash {
  readonly a: NamedObject;
  readonly b: NamedObject;
  readonly point: Vec3;
  readonly box: ReportBox;
  readonly depth: number;
}

export interface Models {
  /** By the position of the clash; each is asked for once. */
  of(index: number): Promise<string>;
  /** The others are not wanted. */
  end(): void;
}

export interface Painter {
  /** Has threads start that will be needed if there are so many subjects. */
  prepare(subjects: number): void;
  paint(subjects: readonly Subject[]): Pictures;
  /** For the page to turn, empty where there is nothing to show. */
  models(clashes: readonly ModelledClash[]): Models;
  /** Nothing more. */
  dispose(): Promise<void>;
}
