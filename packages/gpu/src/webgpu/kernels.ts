/**
 * The compute pipelines, made when first used, and their bind groups, made anew when a buffer was replaced.
 * Compiling takes far longer than a query, so all backends of a device share its pipelines.
 *
 * All layouts fit into the default limits: eight storage buffers in a stage.
 */
import { COLLECT } from './collect.wgsl.js';
import { CLASH, COLOUR } from './colour.wgsl.js';
import { COMPUTE_STAGE } from './layout.js';
import { CANDIDATES, OBJECT_PAIRS, PART_ITEMS, PART_PAIRS } from './pairs.wgsl.js';
import { GATHER, PLACE } from './place.wgsl.js';
import { NEAR, PRUNE } from './prune.wgsl.js';
import { TEST, WRITE } from './raster.wgsl.js';
import { SETTLE, SWEEP, WIPE } from './settle.wgsl.js';
import { SORT } from './sort.wgsl.js';
import { STEP_BYTES } from './step.js';
import { VERDICT } from './verdict.wgsl.js';

/** Everything that kernels are bound to. */
export interface Bindings {
  readonly steps: GPUBuffer;
  readonly views: GPUBuffer;
  readonly parts: GPUBuffer;
  readonly objects: GPUBuffer;
  readonly ids: GPUBuffer;
  readonly table: GPUBuffer;
  readonly corners: GPUBuffer;
  readonly positions: GPUBuffer;
  readonly placed: GPUBuffer;
  readonly boxes: GPUBuffer;
  readonly state: GPUBuffer;
  readonly objectPairs: GPUBuffer;
  readonly partItems: GPUBuffer;
  readonly partPairs: GPUBuffer;
  readonly candidates: GPUBuffer;
  readonly results: GPUBuffer;
  readonly columns: GPUBuffer;
  readonly images: GPUBuffer;
  readonly drawn: GPUBuffer;
  readonly tasks: GPUBuffer;
  readonly answers: GPUBuffer;
}

type Binding = keyof Bindings;
/** A buffer that the kernel writes has a star. */
type Bound = Binding | `${Binding}*`;

interface ModuleSource {
  readonly code: string;
  readonly bound: readonly Bound[];
}

/** The modules, with their bindings from binding 1 on. */
const MODULES = {
  place: { code: PLACE, bound: ['parts', 'table', 'corners', 'positions', 'placed*', 'boxes*'] },
  gather: { code: GATHER, bound: ['objects', 'boxes*', 'state*'] },
  colour: { code: COLOUR, bound: ['boxes*', 'state*'] },
  clash: { code: CLASH, bound: ['boxes', 'state*', 'objectPairs'] },
  collect: { code: COLLECT, bound: ['parts', 'state*', 'drawn*'] },
  write: {
    code: WRITE,
    bound: ['parts', 'table', 'placed', 'boxes', 'drawn', 'state*', 'tasks*', 'views', 'images*'],
  },
  test: {
    code: TEST,
    bound: ['parts', 'table', 'placed', 'boxes', 'drawn', 'state*', 'tasks*', 'views', 'images'],
  },
  near: {
    code: NEAR,
    bound: ['parts', 'objects', 'table', 'placed', 'boxes', 'state*', 'objectPairs'],
  },
  prune: { code: PRUNE, bound: ['state*'] },
  wipe: { code: WIPE, bound: ['images*'] },
  settle: { code: SETTLE, bound: ['parts', 'state*', 'answers'] },
  sweep: { code: SWEEP, bound: ['parts', 'objects', 'state*'] },
  objectPairs: { code: OBJECT_PAIRS, bound: ['objects', 'table', 'boxes', 'state*', 'objectPairs*'] },
  partItems: { code: PART_ITEMS, bound: ['objects', 'boxes', 'state*', 'objectPairs', 'partItems*'] },
  partPairs: { code: PART_PAIRS, bound: ['objects', 'boxes', 'state*', 'partItems', 'partPairs*', 'parts'] },
  candidates: {
    code: CANDIDATES,
    bound: ['parts', 'table', 'placed', 'boxes', 'state*', 'partPairs', 'candidates*'],
  },
  verdict: {
    code: VERDICT,
    bound: ['parts', 'table', 'placed', 'corners', 'positions', 'state*', 'candidates', 'results*'],
  },
  // candidates have been decided by then: their list, which is long enough, is used again
  sort: { code: SORT, bound: ['parts', 'ids', 'results', 'state*', 'candidates*', 'columns*'] },
} as const satisfies Record<string, ModuleSource>;

export type ModuleName = keyof typeof MODULES;

const nameOf = (bound: Bound) => bound.replace('*', '') as Binding;

interface Module {
  readonly source: ModuleSource;
  readonly shader: GPUShaderModule;
  readonly groupLayout: GPUBindGroupLayout;
  readonly layout: GPUPipelineLayout;
  /** By entry point. */
  readonly variants: Map<string, Variant>;
}

/** The modules of each device, as long as it exists. */
const MODULES_OF = new WeakMap<GPUDevice, Map<ModuleName, Module>>();

/** A pipeline with some constants, in their order, and those with more. */
interface Variant {
  pipeline: GPUComputePipeline | undefined;
  readonly more: Map<number, Variant>;
}

function variantOf<Key>(variants: Map<Key, Variant>, key: Key): Variant {
  let variant = variants.get(key);
  if (!variant) {
    variant = { pipeline: undefined, more: new Map() };
    variants.set(key, variant);
  }
  return variant;
}

export class Kernels {
  readonly #device: GPUDevice;
  readonly #modules: Map<ModuleName, Module>;
  readonly #groups = new Map<Module, GPUBindGroup>();
  #bindings: Bindings | undefined;
  /** The last bindings and their pass: binding the same again takes longer than comparing. */
  #pass: GPUComputePassEncoder | undefined;
  #set: GPUBindGroup | undefined;
  readonly #offsets = [0];

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#modules = MODULES_OF.get(device) ?? new Map();
    MODULES_OF.set(device, this.#modules);
  }

  /** From now on kernels are bound to these. */
  bind(bindings: Bindings): void {
    this.#bindings = bindings;
    this.#groups.clear();
  }

  /** Sets the pipeline and its bindings, with the step at a byte offset. */
  use(
    pass: GPUComputePassEncoder,
    name: ModuleName,
    entryPoint: string,
    constants: Record<string, number>,
    stepAt = 0,
  ): void {
    const module = this.#module(name);
    pass.setPipeline(this.#pipeline(module, entryPoint, constants));
    const group = this.#groupOf(module);
    if (pass === this.#pass && group === this.#set && stepAt === this.#offsets[0]) return;
    this.#pass = pass;
    this.#set = group;
    this.#offsets[0] = stepAt;
    pass.setBindGroup(0, group, this.#offsets);
  }

  #module(name: ModuleName): Module {
    let module = this.#modules.get(name);
    if (!module) {
      const source: ModuleSource = MODULES[name];
      const entries: GPUBindGroupLayoutEntry[] = [
        {
          binding: 0,
          visibility: COMPUTE_STAGE,
          buffer: { type: 'uniform', hasDynamicOffset: true, minBindingSize: STEP_BYTES },
        },
      ];
      source.bound.forEach((bound, i) => {
        const type = bound === 'views' ? 'uniform' : bound.endsWith('*') ? 'storage' : 'read-only-storage';
        entries.push({ binding: i + 1, visibility: COMPUTE_STAGE, buffer: { type } });
      });
      const groupLayout = this.#device.createBindGroupLayout({ entries });
      module = {
        source,
        shader: this.#device.createShaderModule({ label: `impinge ${name}`, code: source.code }),
        groupLayout,
        layout: this.#device.createPipelineLayout({ bindGroupLayouts: [groupLayout] }),
        variants: new Map(),
      };
      this.#modules.set(name, module);
    }
    return module;
  }

  #groupOf(module: Module): GPUBindGroup {
    const known = this.#groups.get(module);
    if (known) return known;
    const bindings = this.#bindings!;
    const entries: GPUBindGroupEntry[] = [
      { binding: 0, resource: { buffer: bindings.steps, size: STEP_BYTES } },
      ...module.source.bound.map((bound, i) => ({
        binding: i + 1,
        resource: { buffer: bindings[nameOf(bound)] },
      })),
    ];
    const group = this.#device.createBindGroup({ layout: module.groupLayout, entries });
    this.#groups.set(module, group);
    return group;
  }

  #pipeline(module: Module, entryPoint: string, constants: Record<string, number>): GPUComputePipeline {
    const { shader, layout, variants } = module;
    let variant = variantOf(variants, entryPoint);
    for (const constant in constants) variant = variantOf(variant.more, constants[constant]);
    variant.pipeline ??= this.#device.createComputePipeline({
      label: `impinge ${entryPoint}`,
      layout,
      compute: { module: shader, entryPoint, constants },
    });
    return variant.pipeline;
  }
}
