/**
 * Culling and pairs on a WebGPU device. A request is one submission and one reading back: place, stages, pairs of
 * objects, of parts and of triangles, verdicts. Only the device knows the length of a list; where one did not fit, its
 * buffer grows and the request is repeated, so nothing is cut off.
 *
 * No dispatch is indirect: in Dawn thirty of them take milliseconds. Kernels loop over lists instead.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { Backend, BackendResult, CullingInput, CullingRequest } from '../backend.js';
import type { CullingStage, StageStats } from '../types.js';
import { type Answer, AnswerReader } from './answer-reader.js';
import { BufferStore } from './device-buffer.js';
import { DeviceInput } from './device-input.js';
import { Kernels } from './kernels.js';
import {
  Head,
  MAX_GROUPS,
  MAX_GROUPS_IN_SOFTWARE,
  MAX_ROUNDS,
  MET_WORD,
  SLOTS_PER_BLOCK,
  TILE,
  Usage,
} from './layout.js';
import { type ListName, Lists } from './lists.js';
import { answerBytesOf, QueryCuller, queryStepsOf } from './queries.js';
import type { SentRequest } from './sent-request.js';
import {
  type Batch,
  coloursOf,
  encodeColours,
  encodeStage,
  Generations,
  imageBytesOf,
  planBatches,
  spread,
  stageWord,
} from './split-tree.js';
import { STEP_BYTES, Steps } from './step.js';

/** One request in this many is timed on the device. */
const TIMED_EVERY = 8;

const LEAST_DISTANCE = 2 ** -100;

export class WebGpuBackend implements Backend {
  readonly kind = 'webgpu';
  readonly description: string;
  readonly #device: GPUDevice;
  readonly #store: BufferStore;
  readonly #input: DeviceInput;
  readonly #lists: Lists;
  readonly #reader: AnswerReader;
  readonly #kernels: Kernels;
  readonly #steps = new Steps();
  readonly #stepBuffer;
  readonly #images;
  readonly #drawn;
  readonly #answers;
  readonly #generations = new Generations();
  readonly #times;
  readonly #timestamps: GPUQuerySet | undefined;
  #queries: QueryCuller | undefined;
  #boundVersion = -1;
  #stamp = 0;
  #lost: string | undefined;
  #disposed = false;

  /** `capacity`: entries that lists have room for at first. */
  constructor(device: GPUDevice, capacity: Partial<Record<ListName, number>> = {}) {
    this.#device = device;
    const { vendor, architecture, description, isFallbackAdapter } = device.adapterInfo ?? {};
    const software = isFallbackAdapter || architecture === 'swiftshader';
    this.description = ['WebGPU', vendor, architecture, description].filter(Boolean).join(' ');
    const store = new BufferStore(device);
    this.#store = store;
    this.#input = new DeviceInput(store);
    this.#lists = new Lists(store, software ? MAX_GROUPS_IN_SOFTWARE : MAX_GROUPS, capacity);
    this.#reader = new AnswerReader(store, this.#lists);
    this.#kernels = new Kernels(device);
    this.#stepBuffer = store.make('steps', Usage.uniform | Usage.copyTarget);
    this.#images = store.make('images');
    this.#drawn = store.make('items drawn');
    this.#answers = store.make('answers of queries', Usage.queryResolve | Usage.storage);
    this.#times = store.make('times', Usage.queryResolve | Usage.copySource);
    if (device.features.has('timestamp-query')) {
      this.#timestamps = device.createQuerySet({ type: 'timestamp', count: 2 });
    }
    device.lost.then(({ message, reason }) => {
      this.#lost = message || reason || 'unknown';
    });
  }

  async ask(input: CullingInput, request: CullingRequest): Promise<BackendResult> {
    this.#assertUsable();
    try {
      return await this.#answer(input, request);
    } catch (error) {
      // with a lost device everything fails, and the news of it may come after the failure
      if (!(error instanceof ImpingeError)) await new Promise((resolve) => setTimeout(resolve));
      this.#assertUsable();
      if (error instanceof ImpingeError) throw error;
      throw new ImpingeError('unsupported', `WebGPU: ${(error as Error).message}`);
    }
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#queries?.dispose();
    this.#timestamps?.destroy();
    this.#store.dispose();
  }

  #assertUsable(): void {
    if (this.#disposed) throw new ImpingeError('disposed', 'WebGPU: the backend was disposed');
    if (this.#lost === undefined) return;
    throw new ImpingeError('device-lost', `WebGPU: the device was lost: ${this.#lost}`);
  }

  async #answer(input: CullingInput, request: CullingRequest): Promise<BackendResult> {
    const { now } = request;
    const start = now();
    const sent = this.#input.bring(input, request);
    const batches = this.#plan(sent);
    let calls = 0;
    for (;;) {
      const begun = now();
      const commands = this.#encode(sent, batches);
      if (this.#store.pending) await this.#store.settle();
      this.#assertUsable();
      this.#device.queue.submit([commands]);
      calls += now() - (calls === 0 ? start : begun);
      const sorted = isSorted(sent);
      let answer = await this.#reader.read(sent, sorted);
      if (answer.head[Head.stamp] !== this.#stamp) {
        throw new ImpingeError('unsupported', 'WebGPU: the device did not carry out the commands');
      }
      if (this.#lists.grow(answer.head, request)) continue;
      const device = this.#timed && Number(answer.times[1] - answer.times[0]) / 1e6;
      if (!answer.complete) {
        answer = await this.#reader.readAll(sent, sorted && answer.head[Head.mostPartners] === 0);
      }
      const wait = now() - start - calls;
      const ms = device === undefined ? { calls, wait } : { calls, wait, device };
      return this.#found(answer, sent, ms);
    }
  }

  #plan(sent: SentRequest): Batch[] {
    const { objectCount, slotCount, request } = sent;
    const { method, stages, views, resolution } = request;
    const drawing = method === 'split-tree' && stages.length > 0;
    this.#drawn.reserve(drawing ? 4 * Math.max(slotCount, objectCount) : 16);
    this.#answers.reserve(method === 'queries' && stages.length > 0 ? answerBytesOf(sent) : 16);
    if (!drawing) {
      this.#images.reserve(16, 1);
      return [];
    }
    const limit = this.#device.limits.maxStorageBufferBindingSize;
    const batches = planBatches(coloursOf(sent), views.length / 9, resolution, limit);
    this.#images.reserve(imageBytesOf(batches, resolution), 1);
    return batches;
  }

  /** The whole request as commands. */
  #encode(sent: SentRequest, batches: readonly Batch[]): GPUCommandBuffer {
    const { input, request, objectCount, partCount, tallyWord, blockWord } = sent;
    const { kind, stages, method } = request;
    const rounds = Math.min(request.rounds, MAX_ROUNDS);
    const kernels = this.#kernels;
    const lists = this.#lists;
    const part = { PART: input.partSize };
    const queried = method === 'queries' ? queryStepsOf(request, rounds) : 0;
    this.#bind(sent, 1 + queried + stages.length * rounds * batches.length);
    this.#addFirstStep(sent);
    const encoder = this.#device.createCommandEncoder();
    encoder.clearBuffer(sent.state, 0, 4 * (isSorted(sent) ? blockWord : tallyWord));
    let pass = this.#begin(encoder, 'first', method !== 'queries' || stages.length === 0);
    kernels.use(pass, 'place', 'place', part).dispatchWorkgroups(...spread(partCount));
    kernels.use(pass, 'gather', 'gather', {}).dispatchWorkgroups(...spread(objectCount));
    if (stages.length > 0) this.#encodePrune(pass, sent);
    for (let i = 0; i < stages.length; i++) {
      if (method === 'queries') {
        pass.end();
        this.#queries ??= new QueryCuller(this.#device);
        this.#queries.cull(encoder, kernels, this.#steps, sent, i, rounds, {
          steps: this.#stepBuffer.buffer,
          views: this.#input.views.buffer,
          answers: this.#answers.buffer,
        });
        pass = this.#begin(encoder, 'last', false);
      } else {
        encodeStage(pass, kernels, lists, this.#steps, sent, this.#generations, i, batches, rounds);
      }
      this.#encodeSweep(pass, sent, stages[i]);
    }
    this.#encodeObjectPairs(pass, objectCount);
    if (kind === 'pairs') {
      kernels.use(pass, 'partItems', 'partItems', {}).dispatchWorkgroups(lists.groups('objectPairs', 1));
      kernels.use(pass, 'partPairs', 'partPairs', {}).dispatchWorkgroups(lists.groups('partItems', 1));
      kernels.use(pass, 'candidates', 'candidates', part).dispatchWorkgroups(lists.groups('partPairs', 1));
      kernels.use(pass, 'verdict', 'verdict', part).dispatchWorkgroups(lists.groups('candidates', 64));
    }
    if (isSorted(sent)) this.#encodeSort(pass, sent);
    pass.end();
    const timestamps = this.#timed;
    if (timestamps) encoder.resolveQuerySet(timestamps, 0, 2, this.#times.buffer, 0);
    this.#reader.copy(encoder, sent, isSorted(sent), timestamps && this.#times.buffer);
    this.#device.queue.writeBuffer(this.#stepBuffer.buffer, 0, this.#steps.bytes);
    return encoder.finish();
  }

  #encodeObjectPairs(pass: GPUComputePassEncoder, objectCount: number): void {
    const tiles = Math.ceil(objectCount / TILE);
    this.#kernels.use(pass, 'objectPairs', 'objectPairs', {}).dispatchWorkgroups(tiles, tiles);
  }

  /** Meeting pairs into columns. */
  #encodeSort(pass: GPUComputePassEncoder, { slotCount, input }: SentRequest): void {
    const lists = this.#lists;
    const blocks = Math.min(lists.maxGroups, Math.ceil(slotCount / SLOTS_PER_BLOCK));
    this.#kernels.use(pass, 'sort', 'sumBlocks', {}).dispatchWorkgroups(blocks);
    this.#kernels.use(pass, 'sort', 'offsets', {}).dispatchWorkgroups(blocks);
    this.#kernels.use(pass, 'sort', 'scatter', {}).dispatchWorkgroups(lists.groups('meeting', 64));
    this.#kernels
      .use(pass, 'sort', 'rank', { PART: input.partSize })
      .dispatchWorkgroups(lists.groups('meeting', 64));
  }

  /** Culls by boxes alone, before anything is drawn. */
  #encodePrune(pass: GPUComputePassEncoder, sent: SentRequest): void {
    const { objectCount, partCount, slotCount, request, input } = sent;
    const drawn = request.stages.includes('triangles') || request.stages.includes('objects');
    const constants = { PART: input.partSize, TRIANGLES: drawn ? 1 : 0 };
    this.#encodeObjectPairs(pass, objectCount);
    const colours = coloursOf(sent);
    if (colours > 0) encodeColours(pass, this.#kernels, this.#lists, objectCount, colours);
    const { maxGroups } = this.#lists;
    const columns = this.#lists.groups('objectPairs', 1);
    this.#kernels
      .use(pass, 'near', 'near', constants)
      .dispatchWorkgroups(columns, Math.max(1, Math.floor(maxGroups / columns)));
    const words = objectCount + partCount + (drawn ? slotCount : 0);
    const groups = Math.min(maxGroups, Math.ceil(words / 256));
    this.#kernels.use(pass, 'prune', 'prune', constants).dispatchWorkgroups(groups);
  }

  /** Parts with no triangle left, then objects with no part left. */
  #encodeSweep(pass: GPUComputePassEncoder, sent: SentRequest, stage: CullingStage): void {
    const part = { PART: sent.input.partSize };
    if (stage === 'triangles') {
      this.#kernels.use(pass, 'sweep', 'sweepParts', part).dispatchWorkgroups(...spread(sent.partCount));
    }
    if (stage === 'triangles' || stage === 'parts') {
      this.#kernels.use(pass, 'sweep', 'sweepObjects', part).dispatchWorkgroups(...spread(sent.objectCount));
    }
  }

  /** Set if this request is timed on the device: asking for the times takes longer than a small request. */
  get #timed(): GPUQuerySet | undefined {
    return this.#stamp % TIMED_EVERY === 0 ? this.#timestamps : undefined;
  }

  /** The first pass records its beginning, and the last one its end; with split-tree there is only one. */
  #begin(encoder: GPUCommandEncoder, which: 'first' | 'last', only: boolean): GPUComputePassEncoder {
    const querySet = this.#timed;
    if (!querySet) return encoder.beginComputePass();
    return encoder.beginComputePass({
      timestampWrites: {
        querySet,
        ...(which === 'first' ? { beginningOfPassWriteIndex: 0 } : {}),
        ...(which === 'last' || only ? { endOfPassWriteIndex: 1 } : {}),
      },
    });
  }

  #bind({ parts, objects, ids, table, placed, boxes, state }: SentRequest, stepCount: number): void {
    const lists = this.#lists;
    lists.reserve();
    this.#stepBuffer.reserve(stepCount * STEP_BYTES);
    this.#times.reserve(256);
    if (this.#store.version === this.#boundVersion) return;
    this.#boundVersion = this.#store.version;
    this.#kernels.bind({
      parts,
      objects,
      ids,
      table,
      placed,
      boxes,
      state,
      steps: this.#stepBuffer.buffer,
      views: this.#input.views.buffer,
      corners: this.#input.pool.corners.buffer,
      positions: this.#input.pool.positions.buffer,
      objectPairs: lists.objectPairs.buffer,
      partItems: lists.partItems.buffer,
      partPairs: lists.partPairs.buffer,
      candidates: lists.candidates.buffer,
      results: lists.results.buffer,
      columns: lists.columns.buffer,
      images: this.#images.buffer,
      drawn: this.#drawn.buffer,
      tasks: lists.tasks.buffer,
      answers: this.#answers.buffer,
    });
  }

  #addFirstStep(sent: SentRequest): void {
    const { request, objectCount, partCount, objectWord, partWord, slotWord } = sent;
    const { capacity } = this.#lists;
    this.#stamp = (this.#stamp + 1) >>> 0 || 1;
    this.#steps.clear();
    this.#steps.add({
      // not so small that the device flushes it to 0: then all pairs are doubtful
      distance: request.distance === 0 ? 0 : Math.max(request.distance, LEAST_DISTANCE),
      objects: objectCount,
      parts: partCount,
      stamp: this.#stamp,
      objectWord,
      partWord,
      slotWord,
      resolution: request.resolution,
      viewCount: request.views.length / 9,
      colours: coloursOf(sent),
      taskCapacity: capacity.tasks,
      objectPairCapacity: capacity.objectPairs,
      partItemCapacity: capacity.partItems,
      partPairCapacity: capacity.partPairs,
      candidateCapacity: capacity.candidates,
      meetingCapacity: capacity.meeting,
      doubtfulCapacity: capacity.doubtful,
      slots: sent.slotCount,
      tallyWord: sent.tallyWord,
      blockWord: sent.blockWord,
    });
  }

  #found(
    { head, columns, meeting, doubtful }: Answer,
    sent: SentRequest,
    ms: BackendResult['ms'],
  ): BackendResult {
    const { objectCount, request } = sent;
    const objects = new Uint32Array(objectCount);
    let count = 0;
    for (let o = 0; o < objectCount; o++) if (head[MET_WORD + o] !== 0) objects[count++] = o;
    const stages = request.stages.map((stage, i): StageStats => {
      const [left = 0, ...dropped] = head.subarray(stageWord(i), stageWord(i) + 1 + MAX_ROUNDS);
      return { stage, kept: left - dropped.reduce((sum, n) => sum + n, 0), of: left };
    });
    const found = {
      objects: objects.subarray(0, count),
      meeting,
      doubtful,
      stages,
      candidates: head[Head.candidates],
      ms,
    };
    return columns ? { ...found, columns } : found;
  }
}

/** Whether the device puts the meeting pairs in order; within a distance, no pair is certain. */
function isSorted({ request: { kind, distance } }: SentRequest): boolean {
  return kind === 'pairs' && distance === 0;
}
