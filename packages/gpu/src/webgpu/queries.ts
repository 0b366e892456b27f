/**
 * Culling by occlusion queries: for each view, in the order of the objects and in reverse, each object, part or
 * triangle is tested against the near image of the objects before it, then its object is drawn into the image. An item
 * that passes the test at no pixel is free of them. The rule and its proof: visibility.ts; covers: item-cover.wgsl.ts.
 *
 * Rounds look from the front and from behind in turn; their findings accumulate (settle.wgsl.ts). All rounds are
 * encoded at once and nothing is read back: the vertex shader skips dropped items.
 *
 * Paper: Govindaraju et al., CULLIDE: Interactive Collision Detection Between Complex Models in Large Environments
 * using Graphics Hardware, 2003.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { CullingInput, CullingRequest } from '../backend.js';
import type { CullingStage } from '../types.js';
import type { Kernels } from './kernels.js';
import { QUERY_DRAW } from './queries.wgsl.js';
import type { SentRequest } from './sent-request.js';
import { STAGE_NUMBER, stageWord, unitCountOf } from './split-tree.js';
import { STEP_BYTES, STEP_LAST, type Steps } from './step.js';

/** Most queries in a set. */
const SET_SIZE = 4096;
const SETTLE_GROUPS = 256;

// GPUShaderStage, GPUTextureUsage: globals only where there is WebGPU
const VERTEX = 0x1;
const FRAGMENT = 0x2;
const RENDER_ATTACHMENT = 0x10;

/** The units a stage drops, and the items it draws for them, one each or all for the one; by object, [first, end). */
interface Runs {
  units(object: number): readonly [first: number, end: number];
  items(object: number): readonly [first: number, end: number];
}

interface Pipelines {
  readonly layout: GPUBindGroupLayout;
  readonly test: GPURenderPipeline;
  readonly write: GPURenderPipeline;
}

/** The pipelines of each device, as long as it exists. */
const PIPELINES_OF = new WeakMap<GPUDevice, Pipelines>();

function pipelinesFor(device: GPUDevice): Pipelines {
  const storage = 'read-only-storage';
  const types = ['uniform', storage, storage, storage, storage, storage, 'uniform'] as const;
  const layout = device.createBindGroupLayout({
    entries: types.map((type, binding) => ({
      binding,
      visibility: binding === 0 ? VERTEX | FRAGMENT : VERTEX,
      buffer: { type, hasDynamicOffset: binding === 0 },
    })),
  });
  const module = device.createShaderModule({ code: QUERY_DRAW });
  const pipeline = (entryPoint: string, depthCompare: GPUCompareFunction, depthWriteEnabled: boolean) =>
    device.createRenderPipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      vertex: { module, entryPoint: 'cover' },
      fragment: { module, entryPoint, targets: [] },
      depthStencil: { format: 'depth32float', depthCompare, depthWriteEnabled },
    });
  return {
    layout,
    test: pipeline('far', 'greater-equal', false),
    write: pipeline('near', 'less-equal', true),
  };
}

/** Bytes of the answers of a round: a row for each pass, of two words for each unit. */
export function answerBytesOf(sent: SentRequest): number {
  const { stages, views } = sent.request;
  return (2 * views.length * rowBytesOf(Math.max(...stages.map((stage) => unitCountOf(sent, stage))))) / 9;
}

/** A row begins where query sets may be resolved to. */
function rowBytesOf(unitCount: number): number {
  return 8 * Math.ceil(unitCount / 32) * 32;
}

/** How many steps the stages of a request take: each side of each view, and the end of each round. */
export function queryStepsOf({ stages, views }: CullingRequest, rounds: number): number {
  return stages.length * ((2 * views.length) / 9 + rounds);
}

export class QueryCuller {
  readonly #device: GPUDevice;
  readonly #pipelines: Pipelines;
  readonly #sets: GPUQuerySet[] = [];
  #image: GPUTexture | undefined;
  #imageView: GPUTextureView | undefined;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#pipelines = PIPELINES_OF.get(device) ?? pipelinesFor(device);
    PIPELINES_OF.set(device, this.#pipelines);
  }

  /** Encodes all rounds of the i-th stage of a request; no pass is open. */
  cull(
    encoder: GPUCommandEncoder,
    kernels: Kernels,
    steps: Steps,
    sent: SentRequest,
    i: number,
    rounds: number,
    buffers: { readonly steps: GPUBuffer; readonly views: GPUBuffer; readonly answers: GPUBuffer },
  ): void {
    const { request, input, parts, table, placed, boxes, state } = sent;
    const stage = request.stages[i];
    const unitCount = unitCountOf(sent, stage);
    const viewCount = request.views.length / 9;
    const { partSize } = input;
    this.#reserve(request.resolution, unitCount);
    const draw = this.#device.createBindGroup({
      layout: this.#pipelines.layout,
      entries: [
        { binding: 0, resource: { buffer: buffers.steps, size: STEP_BYTES } },
        ...[parts, table, placed, boxes, state, buffers.views].map((buffer, k) => ({
          binding: k + 1,
          resource: { buffer },
        })),
      ],
    });
    // a side of a view is one step, for both orders and all rounds
    const sides = Array.from({ length: 2 * viewCount }, (_, side) =>
      steps.add({
        ...{ stage: STAGE_NUMBER[stage], partSize },
        ...{ firstView: side % viewCount, mirrored: side < viewCount ? 0 : 1 },
      }),
    );
    const rowBytes = rowBytesOf(unitCount);
    for (let round = 0; round < rounds; round++) {
      for (let pass = 0; pass < 2 * viewCount; pass++) {
        const offset = sides[(round & 1) * viewCount + (pass >> 1)];
        this.#orderedPass(
          encoder,
          buffers.answers,
          sent,
          stage,
          draw,
          offset,
          (pass & 1) === 1,
          pass * rowBytes,
        );
      }
      const at = steps.add({
        ends: round === rounds - 1 ? STEP_LAST : 0,
        leftWord: round === 0 ? stageWord(i) : 0,
        droppedWord: stageWord(i) + 1 + round,
      });
      const settle = encoder.beginComputePass();
      kernels
        .use(settle, 'settle', 'settleQueries', { PART: partSize, STAGE: STAGE_NUMBER[stage] }, at)
        .dispatchWorkgroups(Math.min(SETTLE_GROUPS, Math.ceil(unitCount / 64)));
      settle.end();
    }
  }

  /** One query for each unit. A pass is cut where its query set ends; the image continues. */
  #orderedPass(
    encoder: GPUCommandEncoder,
    answers: GPUBuffer,
    sent: SentRequest,
    stage: CullingStage,
    bindGroup: GPUBindGroup,
    offset: number,
    reverse: boolean,
    answersAt: number,
  ): void {
    const runs = runsOf(sent.input, stage);
    const unitCount = unitCountOf(sent, stage);
    let pass: GPURenderPassEncoder | undefined;
    let set = -1;
    const resolve = (ended: GPURenderPassEncoder) => {
      ended.end();
      const count = Math.min(SET_SIZE, unitCount - set * SET_SIZE);
      const at = answersAt + 8 * SET_SIZE * set;
      encoder.resolveQuerySet(this.#sets[set], 0, count, answers, at);
    };
    for (let i = 0; i < sent.objectCount; i++) {
      const object = reverse ? sent.objectCount - 1 - i : i;
      const [first, end] = runs.units(object);
      const [firstItem, endItem] = runs.items(object);
      const perUnit = (endItem - firstItem) / (end - first);
      let testing = false;
      for (let k = 0; k < end - first; k++) {
        const unit = reverse ? end - 1 - k : first + k;
        if (!pass || Math.floor(unit / SET_SIZE) !== set) {
          if (pass) resolve(pass);
          const begins = set < 0;
          set = Math.floor(unit / SET_SIZE);
          pass = encoder.beginRenderPass({
            colorAttachments: [],
            depthStencilAttachment: {
              view: this.#imageView!,
              depthClearValue: 1,
              depthLoadOp: begins ? 'clear' : 'load',
              depthStoreOp: 'store',
            },
            occlusionQuerySet: this.#sets[set],
          });
          pass.setBindGroup(0, bindGroup, [offset]);
          testing = false;
        }
        if (!testing) pass.setPipeline(this.#pipelines.test);
        testing = true;
        pass.beginOcclusionQuery(unit % SET_SIZE);
        pass.draw(6 * perUnit, 1, 6 * (firstItem + (unit - first) * perUnit));
        pass.endOcclusionQuery();
      }
      pass?.setPipeline(this.#pipelines.write);
      pass?.draw(6 * (endItem - firstItem), 1, 6 * firstItem);
    }
    if (pass) resolve(pass);
  }

  /** An image of that size, and sets for that many queries. */
  #reserve(resolution: number, unitCount: number): void {
    const device = this.#device;
    const most = device.limits.maxTextureDimension2D;
    if (resolution > most) {
      const message = `the device draws images of ${most} pixels a side; ${resolution} were asked for`;
      throw new ImpingeError('unsupported', message, { resolution, maxTextureDimension2D: most });
    }
    if (this.#image?.width !== resolution) {
      this.#image?.destroy();
      this.#image = device.createTexture({
        size: [resolution, resolution],
        format: 'depth32float',
        usage: RENDER_ATTACHMENT,
      });
      this.#imageView = this.#image.createView();
    }
    while (this.#sets.length * SET_SIZE < unitCount) {
      this.#sets.push(device.createQuerySet({ type: 'occlusion', count: SET_SIZE }));
    }
  }

  dispose(): void {
    this.#image?.destroy();
    for (const set of this.#sets) set.destroy();
  }
}

function runsOf({ objects, partBase, partSize }: CullingInput, stage: CullingStage): Runs {
  const one = (object: number) => [object, object + 1] as const;
  const parts = (object: number) => [partBase[object], partBase[object + 1]] as const;
  const slots = (object: number) => {
    const first = partSize * partBase[object];
    return [first, first + objects[object].mesh.triangleCount] as const;
  };
  const runs: Record<CullingStage, Runs> = {
    boxes: { units: one, items: one },
    objects: { units: one, items: slots },
    parts: { units: parts, items: parts },
    triangles: { units: slots, items: slots },
  };
  return runs[stage];
}
