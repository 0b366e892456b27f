// The kernel modules, by name: one line each. A module has no address of its own. It keeps its state in globals and
// works in the memory that the host allots to each of its instances (packages/impinge/src/kernel/kernel-set.ts), so
// that any number of modules, and any number of instances of each, share one memory without knowing of each other.

/** In packages/: where the sources are, and which folder receives the compiled bytes. */
export const MODULES = {
  main: { kernels: 'impinge/kernels', target: 'impinge/src/kernel' },
  pair: { kernels: 'impinge/kernels/pair', target: 'impinge/src/query/pair' },
  solid: { kernels: 'impinge/kernels/solid', target: 'impinge/src/query/solid' },
  rays: { kernels: 'impinge/kernels/rays', target: 'impinge/src/query/ray' },
  points: { kernels: 'impinge/kernels/points', target: 'impinge/src/query/point' },
  shapes: { kernels: 'impinge/kernels/shapes', target: 'impinge/src/query/shape' },
  pieces: { kernels: 'model/kernels/pieces', target: 'model/src/store' },
  levels: { kernels: 'model/kernels/levels', target: 'model/src/levels' },
  patches: { kernels: 'model/kernels/patches', target: 'model/src/level-queries' },
  deform: { kernels: 'dynamics/kernels/deform', target: 'dynamics/src/deform' },
  hulls: { kernels: 'dynamics/kernels/hulls', target: 'dynamics/src/contact-pairs' },
  contacts: { kernels: 'dynamics/kernels/contacts', target: 'dynamics/src/rigid/exact' },
  rigid: { kernels: 'dynamics/kernels/rigid', target: 'dynamics/src/rigid' },
  springs: { kernels: 'dynamics/kernels/springs', target: 'dynamics/src/bodies' },
  gpu: { kernels: 'gpu/kernels/gpu', target: 'gpu/src' },
  motion: { kernels: 'motion/kernels/motion', target: 'motion/src' },
};

/**
 * Addresses below this are never used (ARENA_BASE of packages/impinge/src/base/arena.ts): the compiler may then fold
 * additions into the offsets of loads and stores.
 */
export const LOW_MEMORY = 1024;

/** What would give a module memory at a fixed address: static data, or objects of the compiler's heap. */
const FIXED_MEMORY = /\bmemory\.data\b|\bStaticArray\b|\bheap\.\w+|\bnew\s+\w+|\b__heap_base\b|['"`]/;
const DATA_SECTION = 11;

/** The first thing in the source of a kernel that takes memory at a fixed address, if there is one. */
export function fixedMemoryIn(source) {
  const code = source
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/\b(?:import|export)\s[^;'=(]*\bfrom\s*'[^']*';/g, '');
  return code.match(FIXED_MEMORY)?.[0];
}

/** Whether a compiled module brings static data. */
export function hasStaticData(wasm) {
  let at = 8; // magic and version
  const leb = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < wasm.length) {
    if (wasm[at++] === DATA_SECTION) return true;
    const size = leb();
    at += size;
  }
  return false;
}
