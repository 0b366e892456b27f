/**
 * The compute pipelines, made when first used, and their bind groups, made anew when a buffer was replaced.
 * Compiling takes far longer than a query, so all backends of a device share its pipelines.
 *
 * All layouts fit into the default limits: eight storage buffers in a stage.
 */
import { COLLECT } from './collect.wgsl.js';
import { CLASH, COLOUR } from './colour.wgsl.js';
import { COMMON } from './common.wgsl.js';
import { COMPUTE_STAGE } from './layout.js';
import { CANDIDATES, OBJECT_PAIRS, PART_ITEMS, PART_PAIRS } from './pairs.wgsl.js';
import { GATHER, PLACE } from './place.wgsl.js';
import { NEAR, PRUNE } from './prune.wgsl.js';
import { TEST, WRITE } from './raster.wgsl.js';
import { SETTLE, SWEEP, WIPE } from './settle.wgsl.js';
import { SORT } from './sort.wgsl.js';
import { STEP_BYTES } from './step.js';
import { VERDICT } from './verdict.wgsl.js';

/** Everything that kernels are bound to, and what it holds (sent-request.ts, lists.ts). */
const HOLDS = {
  /** Per view: u, v, w; in the fourth place of u and v the pixels per unit. */
  views: 'array<array<vec4f, 3>, 32>',
  parts: 'array<vec4u>',
  objects: 'array<u32>',
  ids: 'array<u32>',
  table: 'array<vec4f>',
  corners: 'array<vec4u>',
  /** Bits of floats: to be compared, too. */
  positions: 'array<u32>',
  placed: 'array<f32>',
  boxes: 'array<Box>',
  state: 'array<atomic<u32>>',
  objectPairs: 'array<vec2u>',
  partItems: 'array<vec2u>',
  partPairs: 'array<vec2u>',
  candidates: 'array<vec2u>',
  results: 'array<vec2u>',
  columns: 'array<vec2u>',
  /** Near and far of each pixel. */
  images: 'array<vec2u>',
  drawn: 'array<u32>',
  tasks: 'array<vec2u>',
  /** Of occlusion queries: two words each, 0 if nothing of the item was at or behind the image. */
  answers: 'array<vec2u>',
} as const;

type Binding = keyof typeof HOLDS;
export type Bindings = Readonly<Record<Binding | 'steps', GPUBuffer>>;
/** A buffer, with a name of its own in the kernel; one that the kernel writes has a star. */
type Bound = `${`${string}=` | ''}${Binding}${'*' | ''}`;

interface ModuleSource {
  readonly code: string;
  readonly bound: readonly Bound[];
}

function read(bound: Bound): { buffer: Binding; name: string; type: GPUBufferBindingType } {
  const [, name, buffer, star] = /^(?:(\w+)=)?(\w+)(\*?)$/.exec(bound)!;
  const type = buffer === 'views' ? 'uniform' : star ? 'storage' : 'read-only-storage';
  return { buffer: buffer as Binding, name: name ?? buffer, type };
}

/** The whole text of a module: what is common to all, what it is bound to from binding 1 on, its own. */
function textOf({ code, bound }: ModuleSource): string {
  const lines = bound.map((entry, i) => {
    const { buffer, name, type } = read(entry);
    const space = type === 'uniform' ? type : `storage, ${type === 'storage' ? 'read_write' : 'read'}`;
    const holds = buffer === 'images' && type === 'storage' ? 'array<array<atomic<u32>, 2>>' : HOLDS[buffer];
    return `@group(0) @binding(${i + 1}) var<${space}> ${name}: ${holds};`;
  });
  return [COMMON, ...lines, code].join('\n');
}

/** Forgets the texts in types: declarations would repeat them. */
function modules<Name extends string>(sources: Readonly<Record<Name, ModuleSource>>): typeof sources {
  return sources;
}

const MODULES = modules({
  place: { code: PLACE, bound: ['parts', 'table', 'corners', 'positions', 'placed*', 'boxes*'] },
  gather: { code: GATHER, bound: ['objects', 'boxes*', 'state*'] },
  colour: { code: COLOUR, bound: ['boxes*', 'state*'] },
  clash: { code: CLASH, bound: ['boxes', 'state*', 'previous=objectPairs'] },
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
    bound: ['parts', 'objects', 'table', 'placed', 'boxes', 'state*', 'previous=objectPairs'],
  },
  prune: { code: PRUNE, bound: ['state*'] },
  wipe: { code: WIPE, bound: ['images*'] },
  settle: { code: SETTLE, bound: ['parts', 'state*', 'answers'] },
  sweep: { code: SWEEP, bound: ['parts', 'objects', 'state*'] },
  objectPairs: { code: OBJECT_PAIRS, bound: ['objects', 'table', 'boxes', 'state*', 'list=objectPairs*'] },
  partItems: {
    code: PART_ITEMS,
    bound: ['objects', 'boxes', 'state*', 'previous=objectPairs', 'list=partItems*'],
  },
  partPairs: {
    code: PART_PAIRS,
    bound: ['objects', 'boxes', 'state*', 'previous=partItems', 'list=partPairs*', 'parts'],
  },
  candidates: {
    code: CANDIDATES,
    bound: ['parts', 'table', 'placed', 'boxes', 'state*', 'previous=partPairs', 'list=candidates*'],
  },
  verdict: {
    code: VERDICT,
    bound: [
      'parts',
      'table',
      'placed',
      'corners',
      'positions',
      'state*',
      'previous=candidates',
      'list=results*',
    ],
  },
  // candidates have been decided by then: their list, which is long enough, is used again
  sort: { code: SORT, bound: ['parts', 'ids', 'found=results', 'state*', 'grouped=candidates*', 'columns*'] },
});

export type ModuleName = keyof typeof MODULES;

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

  /** Sets the pipeline and its bindings, with the step at a byte offset; returns the pass. */
  use(
    pass: GPUComputePassEncoder,
    name: ModuleName,
    entryPoint: string,
    constants: Record<string, number>,
    stepAt = 0,
  ): GPUComputePassEncoder {
    const module = this.#module(name);
    pass.setPipeline(this.#pipeline(module, entryPoint, constants));
    const group = this.#groupOf(module);
    if (pass === this.#pass && group === this.#set && stepAt === this.#offsets[0]) return pass;
    this.#pass = pass;
    this.#set = group;
    this.#offsets[0] = stepAt;
    pass.setBindGroup(0, group, this.#offsets);
    return pass;
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
        entries.push({ binding: i + 1, visibility: COMPUTE_STAGE, buffer: { type: read(bound).type } });
      });
      const groupLayout = this.#device.createBindGroupLayout({ entries });
      module = {
        source,
        shader: this.#device.createShaderModule({ label: `impinge ${name}`, code: textOf(source) }),
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
        resource: { buffer: bindings[read(bound).buffer] },
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
