/** Where shapes are sorted that are too large for memory. */

/** Room outside memory: written once, front to back, then read anywhere. */
export interface SpillFile {
  write(bytes: Uint8Array): Promise<void>;
  read(at: number, into: Uint8Array): Promise<void>;
  dispose(): Promise<void>;
}

export interface Spill {
  /** Approximate number of triangles in memory at once; each takes some 90 bytes. */
  readonly triangles: number;
  open(): Promise<SpillFile>;
}
