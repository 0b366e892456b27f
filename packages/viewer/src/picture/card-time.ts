/**
 * First delay and maximum interval between two polls of the GPU, in milliseconds: polling takes time of the main
 * thread.
 */
const [FIRST_MS, MOST_MS] = [2, 16];

/** Resolves when the GPU has executed all commands so far, or its context is lost. */
export async function cardIsDone(gl: WebGL2RenderingContext): Promise<void> {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  for (let ms = FIRST_MS; fence && !gl.isContextLost(); ms = Math.min(MOST_MS, 2 * ms)) {
    if (gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED) break;
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
  gl.deleteSync(fence);
}

/** Measures the GPU time of a frame without waiting for it. */
export class CardTime {
  /** Of the last completed frame, and when it completed. */
  ms = 0;
  doneAt = 0;
  readonly #gl: WebGL2RenderingContext;
  #fence: WebGLSync | null = null;
  #begunAt = 0;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
  }

  /** Call after all commands of a frame. */
  begin(): void {
    const gl = this.#gl;
    if (this.#fence) gl.deleteSync(this.#fence);
    this.#fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.#begunAt = performance.now();
    gl.flush();
  }

  /** Whether the GPU has executed them. */
  isDone(): boolean {
    const gl = this.#gl;
    if (!this.#fence) return true;
    if (gl.getSyncParameter(this.#fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
    gl.deleteSync(this.#fence);
    this.#fence = null;
    this.doneAt = performance.now();
    this.ms = this.doneAt - this.#begunAt;
    return true;
  }

  /** Call after the context was replaced. */
  forget(): void {
    this.#fence = null;
  }
}
