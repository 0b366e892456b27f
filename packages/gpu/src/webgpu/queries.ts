/**
 * Culling by occlusion queries: for each view, in the order of the objects and in reverse, each object, part or
 * triangle is tested against the near image of the objects before it, then its object is drawn into the image. An item
 * that passes the test at no pixel is free of them. The rule and its proof: visibility.ts; covers: drawn-cover.ts.
 *
 * Rounds look from the front and from behind in turn; their findings accumulate (queries.wgsl.ts). All rounds are
 * encoded at once and nothing is read back: the vertex shader skips dropped items.
 *
 * Paper: Govindaraju et al., CULLIDE: Interactive Collision Detection Between Complex Models in Large Environments
 * using Graphics Hardware, 2003.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { VIEW_MAP_STRIDE, writeViewMap } from '../drawn-cover.js';
import type { CullingLevel } from '../types.js';
import { Usage } from './layout.js';
import { PASS_FIELDS, QUERY_DRAW, QUERY_SETTLE, SHAPES, UNITS } from './queries.wgsl.js';
import type { LevelCuller, Stage } from './stage.js';

/** Most queries in a set. */
const SET_SIZE = 4096;
/** Bytes from one `Pass` to the next: the default alignment of dynamic offsets. */
const PASS_BYTES = 256;
/** The place of a level among the passes of a request: each level comes once. */
const LEVELS: readonly CullingLevel[] = ['boxes', 'objects', 'parts', 'triangles'];
const SETTLE_GROUPS = 256;

// GPUShaderStage, GPUTextureUsage: globals only where there is WebGPU
const VERTEX = 0x1;
const COMPUTE = 0x4;
const RENDER_ATTACHMENT = 0x10;

type Pass = Record<(typeof PASS_FIELDS)[number], number>;

/** The items a level draws and the units it drops; by object as [first, end). */
interface Runs {
  readonly shape: number;
  readonly unit: number;
  readonly unitCount: number;
  /** The units of an object, and the items drawn for them: one each, or all for the one unit. */
  units(object: number): readonly [first: number, end: number];
  items(object: number): readonly [first: number, end: number];
}

interface Pipelines {
  readonly drawLayout: GPUBindGroupLayout;
  readonly settleLayout: GPUBindGroupLayout;
  readonly test: GPURenderPipeline;
  readonly write: GPURenderPipeline;
  readonly settle: GPUComputePipeline;
}

/** The pipelines of each device, as long as it exists. */
const PIPELINES_OF = new WeakMap<GPUDevice, Pipelines>();

function pipelinesFor(device: GPUDevice): Pipelines {
  const layout = (visibility: number, types: readonly GPUBufferBindingType[]) =>
    device.createBindGroupLayout({
      entries: types.map((type, binding) => ({
        binding,
        visibility,
        buffer: { type, hasDynamicOffset: binding === 0 },
      })),
    });
  const storage = 'read-only-storage';
  const drawLayout = layout(VERTEX, ['uniform', storage, storage, storage, storage, storage]);
  const settleLayout = layout(COMPUTE, ['uniform', storage, storage, 'storage']);
  const module = device.createShaderModule({ code: QUERY_DRAW });
  const pipeline = (entryPoint: string, depthCompare: GPUCompareFunction, depthWriteEnabled: boolean) =>
    device.createRenderPipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts: [drawLayout] }),
      vertex: { module, entryPoint: 'cover' },
      fragment: { module, entryPoint, targets: [] },
      depthStencil: { format: 'depth32float', depthCompare, depthWriteEnabled },
    });
  return {
    drawLayout,
    settleLayout,
    test: pipeline('far', 'greater-equal', false),
    write: pipeline('near', 'less-equal', true),
    settle: device.createComputePipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts: [settleLayout] }),
      compute: { module: device.createShaderModule({ code: QUERY_SETTLE }), entryPoint: 'settle' },
    }),
  };
}

/** The work space of a request. */
interface Room {
  readonly image: GPUTextureView;
  readonly answers: GPUBuffer;
  readonly passes: GPUBuffer;
}

export class QueryCuller implements LevelCuller {
  readonly #device: GPUDevice;
  readonly #pipelines: Pipelines;
  readonly #sets: GPUQuerySet[] = [];
  #image: GPUTexture | undefined;
  #imageView: GPUTextureView | undefined;
  #answers: GPUBuffer | undefined;
  #passes: GPUBuffer | undefined;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#pipelines = PIPELINES_OF.get(device) ?? pipelinesFor(device);
    PIPELINES_OF.set(device, this.#pipelines);
  }

  cull(encoder: GPUCommandEncoder, stage: Stage, level: CullingLevel): void {
    const { request } = stage;
    const runs = runsOf(stage, level);
    if (runs.unitCount === 0) return;
    const viewCount = request.views.length / 9;
    // for all levels of the request: encoded data must stay until it is submitted
    const mostUnits = Math.max(...request.levels.map((l) => runsOf(stage, l).unitCount));
    const room = this.#reserve(stage, mostUnits, viewCount);
    const firstPass = LEVELS.indexOf(level) * passesPerLevel(viewCount, request.rounds);
    this.#writePasses(room.passes, stage, runs, firstPass, viewCount);
    const passes = { buffer: room.passes, size: PASS_BYTES };
    const resources = (buffers: readonly GPUBuffer[]) =>
      [passes, ...buffers.map((buffer) => ({ buffer }))].map((resource, binding) => ({ binding, resource }));
    const draw = this.#device.createBindGroup({
      layout: this.#pipelines.drawLayout,
      entries: resources([stage.parts, stage.table, stage.placed, stage.boxes, stage.state]),
    });
    const settle = this.#device.createBindGroup({
      layout: this.#pipelines.settleLayout,
      entries: resources([stage.parts, room.answers, stage.state]),
    });
    const answerStride = 8 * Math.ceil(runs.unitCount / 32) * 32;
    for (let round = 0; round < request.rounds; round++) {
      for (let pass = 0; pass < 2 * viewCount; pass++) {
        // a side of a view is one `Pass`, for both orders
        const offset = PASS_BYTES * (firstPass + (round & 1) * viewCount + (pass >> 1));
        this.#orderedPass(encoder, room, stage, runs, draw, offset, (pass & 1) === 1, pass * answerStride);
      }
      const compute = encoder.beginComputePass();
      compute.setPipeline(this.#pipelines.settle);
      compute.setBindGroup(0, settle, [PASS_BYTES * (firstPass + 2 * viewCount + round)]);
      compute.dispatchWorkgroups(Math.min(SETTLE_GROUPS, Math.ceil(runs.unitCount / 64)));
      compute.end();
    }
  }

  /** One query for each unit. A pass is cut where its query set ends; the image continues. */
  #orderedPass(
    encoder: GPUCommandEncoder,
    room: Room,
    stage: Stage,
    runs: Runs,
    bindGroup: GPUBindGroup,
    offset: number,
    reverse: boolean,
    answersAt: number,
  ): void {
    let pass: GPURenderPassEncoder | undefined;
    let set = -1;
    const resolve = (ended: GPURenderPassEncoder) => {
      ended.end();
      const count = Math.min(SET_SIZE, runs.unitCount - set * SET_SIZE);
      const at = answersAt + 8 * SET_SIZE * set;
      encoder.resolveQuerySet(this.#sets[set], 0, count, room.answers, at);
    };
    for (let i = 0; i < stage.objectCount; i++) {
      const object = reverse ? stage.objectCount - 1 - i : i;
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
              view: room.image,
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

  #reserve(stage: Stage, unitCount: number, viewCount: number): Room {
    const device = this.#device;
    const { resolution, rounds } = stage.request;
    if (resolution > device.limits.maxTextureDimension2D) {
      const most = device.limits.maxTextureDimension2D;
      const message = `the device draws images of ${most} pixels a side; ${resolution} were asked for`;
      throw new ImpingeError('unsupported', message, { resolution, maxTextureDimension2D: most });
    }
    let view = this.#imageView;
    if (!view || this.#image?.width !== resolution) {
      this.#image?.destroy();
      this.#image = device.createTexture({
        size: [resolution, resolution],
        format: 'depth32float',
        usage: RENDER_ATTACHMENT,
      });
      view = this.#image.createView();
      this.#imageView = view;
    }
    while (this.#sets.length * SET_SIZE < unitCount) {
      this.#sets.push(device.createQuerySet({ type: 'occlusion', count: SET_SIZE }));
    }
    const bytes = 2 * viewCount * 8 * Math.ceil(unitCount / 32) * 32;
    const most = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
    if (bytes > most) {
      const message = `the answers of ${2 * viewCount * unitCount} queries need ${bytes} bytes; the device binds ${most}`;
      throw new ImpingeError('unsupported', message, { bytes, maxStorageBufferBindingSize: most });
    }
    if (!this.#answers || this.#answers.size < bytes) {
      this.#answers?.destroy();
      const size = Math.min(most, Math.ceil((1.25 * bytes) / 256) * 256);
      this.#answers = device.createBuffer({ size, usage: Usage.queryResolve | Usage.storage });
    }
    const passBytes = PASS_BYTES * LEVELS.length * passesPerLevel(viewCount, rounds);
    if (!this.#passes || this.#passes.size < passBytes) {
      this.#passes?.destroy();
      this.#passes = device.createBuffer({ size: passBytes, usage: Usage.uniform | Usage.copyTarget });
    }
    return { image: view, answers: this.#answers, passes: this.#passes };
  }

  /** A `Pass` for each side of each view, then one for the end of each round. */
  #writePasses(passes: GPUBuffer, stage: Stage, runs: Runs, firstPass: number, viewCount: number): void {
    const { request, world } = stage;
    const count = passesPerLevel(viewCount, request.rounds);
    const words = new Uint32Array((count * PASS_BYTES) / 4);
    const floats = new Float32Array(words.buffer);
    const fields: Pass = {
      resolution: request.resolution,
      shape: runs.shape,
      unit: runs.unit,
      unitCount: runs.unitCount,
      passCount: 2 * viewCount,
      objectCount: stage.objectCount,
      partCount: stage.partCount,
      partSize: world.partSize,
      objectWord: stage.objectWord,
      partWord: stage.partWord,
      slotWord: stage.slotWord,
      countWord: stage.countWord,
      round: 0,
      lastRound: request.rounds - 1,
    };
    for (let pass = 0; pass < count; pass++) {
      const at = (pass * PASS_BYTES) / 4;
      fields.round = Math.max(0, pass - 2 * viewCount);
      if (pass < 2 * viewCount) {
        const map = floats.subarray(at, at + VIEW_MAP_STRIDE);
        const mirrored = pass >= viewCount;
        writeViewMap(map, request.views, pass % viewCount, world.half, request.resolution, mirrored);
      }
      for (let i = 0; i < PASS_FIELDS.length; i++) words[at + VIEW_MAP_STRIDE + i] = fields[PASS_FIELDS[i]];
    }
    this.#device.queue.writeBuffer(passes, PASS_BYTES * firstPass, words);
  }

  dispose(): void {
    this.#image?.destroy();
    this.#answers?.destroy();
    this.#passes?.destroy();
    for (const set of this.#sets) set.destroy();
    this.#sets.length = 0;
    this.#image = undefined;
    this.#answers = undefined;
    this.#passes = undefined;
  }
}

function passesPerLevel(viewCount: number, rounds: number): number {
  return 2 * viewCount + rounds;
}

function runsOf(stage: Stage, level: CullingLevel): Runs {
  const { world, objectCount, partCount, slotCount } = stage;
  const { partBase, partSize } = world;
  const one = (object: number) => [object, object + 1] as const;
  const parts = (object: number) => [partBase[object], partBase[object + 1]] as const;
  const slots = (object: number) => {
    const first = partSize * partBase[object];
    return [first, first + world.objects[object].mesh.triangleCount] as const;
  };
  switch (level) {
    case 'boxes':
      return {
        shape: SHAPES.objectBoxes,
        unit: UNITS.objects,
        unitCount: objectCount,
        units: one,
        items: one,
      };
    case 'objects':
      return {
        shape: SHAPES.triangles,
        unit: UNITS.objects,
        unitCount: objectCount,
        units: one,
        items: slots,
      };
    case 'parts':
      return {
        shape: SHAPES.partBoxes,
        unit: UNITS.parts,
        unitCount: partCount,
        units: parts,
        items: parts,
      };
    case 'triangles':
      return {
        shape: SHAPES.triangles,
        unit: UNITS.slots,
        unitCount: slotCount,
        units: slots,
        items: slots,
      };
  }
}
