/** Milliseconds until the card is asked first, and most between two times: asking takes some of the main thread. */
const [FIRST_MS, MOST_MS] = [2, 16];

/** When the card has carried out what it was told until now; at once where it has lost everything. */
export async function cardIsDone(gl: WebGL2RenderingContext): Promise<void> {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  for (let ms = FIRST_MS; fence && !gl.isContextLost(); ms = Math.min(MOST_MS, 2 * ms)) {
    if (gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED) break;
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
  gl.deleteSync(fence);
}

/** How long the card takes for a frame, without waiting for it. */
export class CardTime {
  /** Of the last frame that is done, and when it was. */
  ms = 0;
  doneAt = 0;
  readonly #gl: WebGL2RenderingContext;
  #fence: WebGLSync | null = null;
  #begunAt = 0;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
  }

  /** All commands of a frame have been given. */
  begin(): void {
    const gl = this.#gl;
    if (this.#fence) gl.deleteSync(this.#fence);
    this.#fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.#begunAt = performance.now();
    gl.flush();
  }

  /** Whether the card has carried them out. */
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

  /** The context is another one. */
  forget(): void {
    this.#fence = null;
  }
}
