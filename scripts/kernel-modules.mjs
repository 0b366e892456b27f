// The kernel modules, by name: one line each. A module has no address of its own. It keeps its state in globals and
// works in the memory that the host allots to each of its instances (src/kernel/kernel-set.ts), so that any number of
// modules, and any number of instances of each, share one memory without knowing of each other.

/**
 * Where the sources are, below packages/impinge, which folder receives the compiled bytes, and whose sources it uses as
 * well.
 */
export const MODULES = {
  main: { kernels: 'kernels', target: 'src/kernel' },
  solid: { kernels: 'kernels/solid', target: 'src/query/solid' },
  deform: { kernels: 'kernels/deform', target: 'src/deform' },
  gpu: { kernels: 'kernels/gpu', target: 'src/gpu' },
  patches: { kernels: 'kernels/patches', target: 'src/query/levels' },
  hulls: { kernels: 'kernels/hulls', target: 'src/query/contact-levels' },
  contacts: { kernels: 'kernels/contacts', target: 'src/dynamics/rigid/exact' },
  levels: { kernels: 'kernels/levels', target: 'src/levels' },
  pieces: { kernels: 'kernels/pieces', target: 'src/store' },
  rays: { kernels: 'kernels/rays', target: 'src/query/ray' },
  points: { kernels: 'kernels/points', target: 'src/query/point', uses: 'kernels/rays' },
  shapes: { kernels: 'kernels/shapes', target: 'src/query/shape', uses: 'kernels/rays' },
  rigid: { kernels: 'kernels/rigid', target: 'src/dynamics/rigid' },
};

/**
 * Addresses below this are never used (ARENA_BASE of src/base/arena.ts): the compiler may then fold additions into the
 * offsets of loads and stores.
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
