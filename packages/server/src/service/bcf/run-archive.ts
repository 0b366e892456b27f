/** The BCF archive that a run wrote, for its views and pictures. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SourceFile } from '@impinge/cli/internal/formats/source-file.js';
import { ZipArchive } from '@impinge/cli/internal/formats/zip-archive.js';

const NAME = 'clashes.bcfzip';
const MEMORY_BYTES = 16e6;

export class RunArchive {
  readonly #file: SourceFile;
  readonly #archive: ZipArchive;

  private constructor(file: SourceFile) {
    this.#file = file;
    this.#archive = ZipArchive.open(file);
  }

  /** Undefined if the report has none. */
  static async open(report: string): Promise<RunArchive | undefined> {
    const path = join(report, NAME);
    if (!existsSync(path)) return undefined;
    const file = await SourceFile.open(path, { memoryBytes: MEMORY_BYTES });
    try {
      return new RunArchive(file);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  has(name: string): boolean {
    return this.#archive.has(name);
  }

  /** Undefined if there is no such entry. */
  async read(name: string): Promise<Buffer<ArrayBuffer> | undefined> {
    if (!this.has(name)) return undefined;
    const parts: Uint8Array[] = [];
    for await (const part of this.#archive.read(name)) parts.push(part);
    return Buffer.concat(parts);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
