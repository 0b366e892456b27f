/** What was fastest on each kind of device; any choice gives the same pairs. */
import type { CullingRequest } from './backend.js';
import type { BackendKind, CullingLevel, CullingMethod } from './types.js';

export interface Choices {
  readonly resolution: number;
  readonly method: CullingMethod;
  readonly levels: readonly CullingLevel[];
}

/** The levels depend on the query: those that are worth it for a smaller set seldom are for the pairs as well. */
type Defaults = Omit<Choices, 'levels'> & {
  readonly levels: Readonly<Record<CullingRequest['kind'], Choices['levels']>>;
};

const DEFAULTS: Readonly<Record<BackendKind, Defaults>> = {
  webgpu: { resolution: 800, method: 'split-tree', levels: { objects: ['triangles'], pairs: [] } },
  webgl2: { resolution: 256, method: 'split-tree', levels: { objects: ['triangles'], pairs: [] } },
  // rasterising costs a CPU more than all the pairs that it would save
  cpu: { resolution: 128, method: 'queries', levels: { objects: [], pairs: [] } },
};

export function defaultChoices(backend: BackendKind, kind: CullingRequest['kind']): Choices {
  const { levels, ...rest } = DEFAULTS[backend];
  return { ...rest, levels: levels[kind] };
}
