/** Wavefront OBJ: one shape per `o` or `g`. */
import type { ModelSource, SourceOptions } from '../model-source.js';
import { shapeShare, sourceOfFile } from '../source-file.js';
import { partsInMemory } from './arrays.js';
import { streamedParts } from './stream.js';

export async function objSource(path: string, options: SourceOptions): Promise<ModelSource> {
  return sourceOfFile(path, options, async (file) => ({
    format: 'OBJ',
    // a line of text takes about as many bytes as its decoded values
    shapes: () => (file.byteLength > shapeShare(file) ? streamedParts(file) : partsInMemory(file)),
  }));
}
