/** The state and the actions of the page; components render it, `picture-link.ts` passes it to the picture. */
import { batch, computed, effect, signal } from '@preact/signals';
import { readRecording } from '../../../cli/src/wire/recording.js';
import type { ReportWay } from '../../../cli/src/wire/report.js';
import type { ViewManifest } from '../../../cli/src/wire/view-manifest.js';
import { SavingKeeper } from '../../../ui/src/saving-keeper.js';
import { createExactClient, type ExactClient } from '../exact/exact-client.js';
import { readManifest } from '../model/manifest.js';
import { allObjects, boxAround, type TreeText } from '../model/object-columns.js';
import { ObjectTable } from '../model/object-table.js';
import { grown, type Section } from '../model/sections.js';
import { type Storey, storeysOf } from '../model/storeys.js';
import { GHOSTED, HIDDEN, isolated, toggled, type Visibility } from '../model/visibility.js';
import type { Picture } from '../picture/picture.js';
import type { Box, Mark, Navigation } from '../picture/types.js';
import { Replay } from '../replay/replay.js';
import { ModelReview, readReport } from '../review/report.js';
import type { Tool } from '../tools/tool.js';
import { TOOL_NAMES, TOOLS, type ToolName } from '../tools/tools.js';
import { makeRoom, showDetails } from './layout.js';

export type Dialog = 'none' | 'help' | 'matrix' | 'exchange';

const NO_SECTION: Section = {
  kind: 'none',
  box: [0, 0, 0, 0, 0, 0],
  planes: [0, 1, 2].map(() => ({ on: false, offset: 0, flipped: false })) as unknown as Section['planes'],
};

export class Viewer {
  readonly manifest;
  readonly table = signal<ObjectTable | undefined>(undefined);
  readonly review = signal<ModelReview | undefined>(undefined);
  readonly picture = signal<Picture | undefined>(undefined);
  /** What is being loaded; empty: nothing. */
  readonly loading = signal('');
  /** The last error message; empty: none. */
  readonly problem = signal('');
  readonly navigation = signal<Navigation>('orbit');
  /** The open tool. */
  readonly tool = signal<ToolName | 'none'>('none');
  readonly dialog = signal<Dialog>('none');
  readonly tree = signal<TreeText>('storey');
  readonly search = signal('');
  readonly selection = signal<ReadonlySet<number>>(new Set());
  readonly visibility = signal<Visibility>(new Uint8Array(0));
  readonly section = signal<Section>(NO_SECTION);
  readonly plan = signal<Storey | undefined>(undefined);
  /** The recording that is shown, if there is one. */
  readonly replay = signal<Replay | undefined>(undefined);
  /** The way of the report that it is; undefined: none. */
  readonly way = signal<ReportWay | undefined>(undefined);
  /** Marks of the selected clash. */
  readonly clashMarks = signal<readonly Mark[]>([]);
  readonly tools = Object.fromEntries(TOOL_NAMES.map((name) => [name, TOOLS[name].make(this)])) as Readonly<
    Record<ToolName, Tool>
  >;
  #exact: ExactClient | undefined;

  readonly columns = computed(() => this.table.value?.columns);
  readonly metresPerUnit = computed(() => this.columns.value?.metresPerUnit ?? 1);
  readonly storeys = computed(() => (this.columns.value ? storeysOf(this.columns.value) : []));
  /** Bounds of the model. */
  readonly wholeBox = computed(() => {
    const columns = this.columns.value;
    return (columns && boxAround(columns, allObjects(columns))) ?? [0, 0, 0, 1, 1, 1];
  });
  readonly somethingHidden = computed(() => this.visibility.value.some((mode) => mode !== 0));

  constructor(manifest: ViewManifest) {
    this.manifest = signal(manifest);
  }

  /** Absolute, since workers resolve relative URLs differently. */
  readonly storeUrl = computed(() => new URL(this.manifest.value.store, location.href).href);

  /** Loads the list of objects, and the report and the recording if there are any. */
  async load(): Promise<void> {
    const { report, recording } = this.manifest.peek();
    await Promise.all([
      this.#loadObjects(),
      report === null ? undefined : this.#loadReport(report),
      recording === null ? undefined : this.#loadRecording(recording),
    ]);
    if (this.manifest.peek().live) this.#listen();
  }

  async #loadObjects(): Promise<void> {
    const url = this.storeUrl.peek();
    this.loading.value = 'objects';
    try {
      const table = await ObjectTable.open(url);
      const before = this.table.peek();
      batch(() => {
        if (this.visibility.peek().length !== table.columns.count) {
          this.visibility.value = new Uint8Array(table.columns.count);
        }
        this.table.value = table;
      });
      before?.dispose();
    } catch (error) {
      this.fail('Could not list the objects', error);
    } finally {
      this.loading.value = '';
    }
  }

  async #loadReport(url: string): Promise<void> {
    try {
      const report = await readReport(url);
      const keeper = new SavingKeeper(this.manifest.peek(), report);
      await keeper.load().catch((error) => this.fail('Could not load decisions', error));
      this.review.value = new ModelReview(report, keeper);
      for (const tool of Object.values(this.tools)) tool.reported?.();
    } catch (error) {
      this.fail('Could not show the clashes', error);
    }
  }

  /** Plays a way of the report; undefined: no longer shows any. */
  async showWay(way: ReportWay | undefined): Promise<void> {
    batch(() => {
      this.way.value = way;
      this.replay.value = undefined;
      if (way) this.review.peek()?.showNone();
    });
    if (!way) return;
    await this.#loadRecording({ url: way.url, isModel: false }, () => this.way.peek() === way);
    if (this.way.peek() === way) this.replay.peek()?.toggle();
  }

  async #loadRecording(
    { url, isModel }: NonNullable<ViewManifest['recording']>,
    isWanted = () => true,
  ): Promise<void> {
    try {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`the server responded ${response.status}`);
      const run = readRecording(new Uint8Array(await response.arrayBuffer()));
      await until(() => this.columns.value !== undefined);
      if (!isWanted()) return;
      const { names, metresPerUnit } = this.columns.peek()!;
      this.replay.value = new Replay(run, {
        metresPerUnit,
        names: isModel ? names : [],
        allNames: names,
      });
    } catch (error) {
      this.fail('Could not show the recording', error);
    }
  }

  /** Follows decisions of other users, and levels that become ready. */
  #listen(): void {
    const events = new EventSource('events');
    events.addEventListener('review', () => {
      this.review
        .peek()
        ?.keeper.load()
        .catch((error) => this.fail('Could not load decisions of others', error));
    });
    events.addEventListener('view', () => void this.#readAgain());
    // for messages sent before there was a listener
    events.addEventListener('open', () => void this.#readAgain());
  }

  async #readAgain(): Promise<void> {
    try {
      // wait for the end of a drag: the new store is the same model with levels
      await until(() => !Object.values(this.tools).some(({ isBusy }) => isBusy));
      const manifest = await readManifest();
      const isOther = manifest.store !== this.manifest.peek().store;
      this.manifest.value = manifest;
      if (!isOther) return;
      for (const tool of Object.values(this.tools)) await tool.letGo?.();
      this.#exact?.dispose();
      this.#exact = undefined;
      await this.#loadObjects();
    } catch (error) {
      this.fail('Could not reload the view', error);
    }
  }

  /** Exact answers from a worker that starts on first use. */
  get exact(): ExactClient {
    const url = this.storeUrl.peek();
    const picture = this.picture.peek();
    this.#exact ??= createExactClient(url, picture?.storeUrl === url ? picture.pages() : undefined);
    return this.#exact;
  }

  get openTool(): Tool | undefined {
    return this.tool.value === 'none' ? undefined : this.tools[this.tool.value];
  }

  nameOf(object: number): string {
    return this.columns.value?.names[object] ?? '';
  }

  open(dialog: Dialog): void {
    this.dialog.value = dialog;
  }

  fail(what: string, error: unknown): void {
    this.problem.value = `${what}: ${error instanceof Error ? error.message : String(error)}`;
  }

  /** Replaces the selection, or adds to it; optionally frames it. */
  select(objects: Iterable<number>, { add = false, frame = false } = {}): void {
    const next = new Set(add ? this.selection.peek() : []);
    for (const object of objects) if (!(add && next.delete(object))) next.add(object);
    batch(() => {
      this.selection.value = next;
      if (next.size > 0) {
        this.review.peek()?.showNone();
        showDetails();
      }
    });
    if (frame) this.frame(next);
  }

  /** Selects a clash; the picture follows. */
  showClash(clash: number): void {
    this.#turnToClash((review) => review.show(clash));
  }

  stepClash(by: 1 | -1): void {
    this.#turnToClash((review) => review.step(by));
  }

  #turnToClash(turn: (review: ModelReview) => void): void {
    batch(() => {
      if (this.way.peek()) void this.showWay(undefined);
      this.selection.value = new Set();
      this.plan.value = undefined;
      if (this.review.peek()) turn(this.review.peek()!);
      showDetails();
    });
  }

  /** Fits these objects, or the whole model, into the picture. */
  frame(objects: ReadonlySet<number>): void {
    const columns = this.columns.peek();
    const box = (columns && boxAround(columns, objects)) ?? this.wholeBox.peek();
    this.picture.peek()?.fit(asBox(grown(box, 0.05, 0.1 / this.metresPerUnit.peek())), undefined, true);
  }

  /** The objects that buttons act on: the selection, or the two of the selected clash. */
  chosen(): number[] {
    const selection = [...this.selection.peek()];
    const review = this.review.peek();
    if (selection.length > 0 || !review || review.current.peek() < 0) return selection;
    return review.report.objectsOf(review.current.peek()).filter((object) => object >= 0);
  }

  hide(objects: readonly number[] = this.chosen()): void {
    this.visibility.value = toggled(this.visibility.peek(), objects, HIDDEN);
  }

  ghost(objects: readonly number[] = this.chosen()): void {
    this.visibility.value = toggled(this.visibility.peek(), objects, GHOSTED);
  }

  isolate(objects: readonly number[] = this.chosen()): void {
    if (objects.length > 0) this.visibility.value = isolated(this.visibility.peek().length, objects);
  }

  showAll(): void {
    this.visibility.value = new Uint8Array(this.visibility.peek().length);
  }

  /** Shows a storey from above, cut above its floor; undefined: the whole model. */
  showPlan(storey: Storey | undefined): void {
    this.plan.value = storey;
    const picture = this.picture.peek();
    if (!picture) return;
    if (!storey) {
      picture.fit(asBox(this.wholeBox.peek()), [0.55, 0.75, -0.42], true);
      return;
    }
    this.navigation.value = 'orbit';
    const { box } = storey;
    const [x, y] = [(box[0] + box[3]) / 2, (box[1] + box[4]) / 2];
    const { clientWidth, clientHeight } = picture.canvas;
    const across = ((box[3] - box[0]) * clientHeight) / Math.max(1, clientWidth);
    const height = 1.08 * Math.max(box[4] - box[1], across, 1 / this.metresPerUnit.peek());
    const above = storey.floor + height;
    picture.look(
      { eye: [x, y, above], target: [x, y, storey.floor], up: [0, 1, 0], fieldOfView: 0, height },
      true,
    );
  }

  /** Opens a tool instead of another, or closes the open one. */
  toggleTool(tool: ToolName | 'none'): void {
    const before = this.openTool;
    const opened = this.tool.peek() === tool ? 'none' : tool;
    this.tool.value = opened;
    if (opened !== 'none') makeRoom();
    before?.close?.();
  }

  /** Undoes one thing at a time, the last first. */
  escape(): void {
    if (this.tool.peek() !== 'none') this.toggleTool('none');
    else if (this.plan.peek()) this.showPlan(undefined);
    else if (this.way.peek()) void this.showWay(undefined);
    else if (this.selection.peek().size > 0) this.selection.value = new Set();
    else this.review.peek()?.showNone();
  }
}

/** Resolves when a condition on signals holds. */
async function until(holds: () => boolean): Promise<void> {
  let stop = () => {};
  await new Promise<void>((resolve) => {
    stop = effect(() => {
      if (holds()) resolve();
    });
  });
  stop();
}

/** Converts metres, the unit of reports, to the model's unit. */
export function inUnits(lengths: readonly number[], metresPerUnit: number): number[] {
  return lengths.map((x) => x / metresPerUnit);
}

export function asBox(box: readonly number[]): Box {
  return { min: [box[0], box[1], box[2]], max: [box[3], box[4], box[5]] };
}
