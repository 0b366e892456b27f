/**
 * Platform types, from the DOM, Node or WebGPU typings where the compiling project has them, and otherwise reduced to
 * the members the library uses. So its declarations compile without any of those typings.
 */
type Platform = typeof globalThis;

export type AbortSignalLike = Platform extends { AbortSignal: { prototype: infer T } }
  ? T
  : {
      readonly aborted: boolean;
      readonly reason: unknown;
      addEventListener(type: 'abort', listener: () => void): void;
      removeEventListener(type: 'abort', listener: () => void): void;
    };

export type UrlLike = Platform extends { URL: { prototype: infer T } } ? T : { readonly href: string };

/** `navigator.gpu`. */
export type GpuLike = Platform extends { GPU: { prototype: infer T } } ? T : object;

export type GpuDeviceLike = Platform extends { GPUDevice: { prototype: infer T } } ? T : object;

export type WasmMemory = Platform extends { WebAssembly: { Memory: { prototype: infer T } } }
  ? T
  : { readonly buffer: ArrayBufferLike };

export type WasmModule = Platform extends { WebAssembly: { Module: { prototype: infer T } } } ? T : object;

/** Arrays that own their memory, under the names of TypeScript before 5.7, where they have no parameter. */
export type OwnBytes = ReturnType<typeof Uint8Array.of>;
export type OwnUint32 = ReturnType<typeof Uint32Array.of>;
