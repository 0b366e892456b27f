/**
 * The FCL side of the benchmarks: compiles programs of lab/bench/native where FCL is installed.
 *
 * Of queries between two meshes there are two binaries, because a distribution compiles FCL for the oldest processor it
 * supports: `fcl` links that library as it comes; `fcl-native` compiles the templates that the queries spend their time
 * in for this machine. The headers declare those templates `extern`; a copy without that word, in the build folder, is
 * what makes the compiler do it.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_FOLDER, compile, compileError } from './compile.mjs';

const HEADERS = '/usr/include/fcl';
const HOT_HEADERS = [
  'geometry/bvh/BVH_utility-inl.h',
  'math/bv/AABB-inl.h',
  'math/bv/OBB-inl.h',
  'math/bv/OBBRSS-inl.h',
  'math/bv/RSS-inl.h',
  'math/bv/utility-inl.h',
  'narrowphase/detail/primitive_shape_algorithm/triangle_distance-inl.h',
  'narrowphase/detail/traversal/collision/intersect-inl.h',
  'narrowphase/detail/traversal/collision/mesh_collision_traversal_node-inl.h',
  'narrowphase/detail/traversal/distance/mesh_distance_traversal_node-inl.h',
  'narrowphase/detail/traversal/traversal_recurse-inl.h',
];

/**
 * @returns {{ contenders: { name: string, label: string, command: string[] }[], note: string }}
 */
export function findFcl() {
  const { binary, version, note } = findFclDriver('fcl-bench');
  if (note) return { contenders: [], note };
  try {
    const native = compileFcl('fcl-bench-native', 'fcl-bench.cpp', ['-I', patchedHeaders()]);
    return {
      contenders: [
        { name: 'fcl', label: `FCL ${version}, library as installed`, command: [binary] },
        { name: 'fcl-native', label: `FCL ${version}, compiled for this machine`, command: [native] },
      ],
      note: '',
    };
  } catch (error) {
    return { contenders: [], note: compileError(error) };
  }
}

/**
 * A program of ../native that links the library as it is installed.
 * @returns {{ binary?: string, version?: string, note?: string }}
 */
export function findFclDriver(name) {
  if (!existsSync(join(HEADERS, 'fcl.h'))) return { note: 'not installed (Debian: libfcl-dev)' };
  try {
    return { binary: compileFcl(name, `${name}.cpp`, []), version: pkgConfig('--modversion') };
  } catch (error) {
    return { note: compileError(error) };
  }
}

function compileFcl(name, source, extraFlags) {
  const words = (text) => text.split(/\s+/).filter((flag) => flag !== '' && !flag.startsWith('-std='));
  // the installed library was compiled with 16-byte alignment; wider would not match its structures
  const flags = ['-DEIGEN_MAX_ALIGN_BYTES=16', ...extraFlags, ...words(pkgConfig('--cflags'))];
  return compile(name, source, flags, words(pkgConfig('--libs')));
}

function patchedHeaders() {
  const include = join(BUILD_FOLDER, 'include');
  rmSync(include, { recursive: true, force: true });
  cpSync(HEADERS, join(include, 'fcl'), { recursive: true });
  for (const header of HOT_HEADERS) {
    const path = join(include, 'fcl', header);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/\bextern\s+template\b/g, 'template'));
  }
  return include;
}

function pkgConfig(what) {
  return execFileSync('pkg-config', [what, 'fcl'], { encoding: 'utf8' }).trim();
}
