/** three.js ships no types: what the tests of recordings use of it. */
declare module 'three' {
  export class Vector3 {
    x: number;
    y: number;
    z: number;
    applyMatrix4(matrix: object): this;
  }
  export interface Object3D {
    readonly name: string;
    readonly children: readonly Object3D[];
    traverse(visit: (object: Object3D) => void): void;
    updateMatrixWorld(force: boolean): void;
    getObjectByName(name: string): Object3D | undefined;
  }
  export class Box3 {
    readonly min: Vector3;
    readonly max: Vector3;
    setFromObject(object: Object3D): this;
  }
  export interface Mesh extends Object3D {
    readonly isMesh: true;
    readonly matrixWorld: object;
    readonly geometry: { readonly attributes: { readonly position?: { readonly count: number } } };
    getVertexPosition(vertex: number, target: Vector3): Vector3;
  }
  export interface AnimationClip {
    readonly duration: number;
  }
  export interface AnimationAction {
    clampWhenFinished: boolean;
    setLoop(mode: number, repetitions: number): this;
    play(): this;
    reset(): this;
  }
  export class AnimationMixer {
    constructor(root: Object3D);
    clipAction(clip: AnimationClip): AnimationAction;
    setTime(seconds: number): this;
  }
  export const LoopOnce: number;
}

declare module 'three/addons/loaders/GLTFLoader.js' {
  import type { AnimationClip, Object3D } from 'three';
  export class GLTFLoader {
    parseAsync(
      data: ArrayBuffer,
      path: string,
    ): Promise<{ readonly scene: Object3D; readonly animations: readonly AnimationClip[] }>;
  }
}
