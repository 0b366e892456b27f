/** Zip archives, recognised by their contents: an IFC file, or the parts of a 3MF file. */
import { asFormatError } from './format-error.js';
import type { ModelSource, SourceOptions } from './model-source.js';
import { SourceFile } from './source-file.js';
import { ZipArchive } from './zip-archive.js';

export async function zippedSource(path: string, options: SourceOptions): Promise<ModelSource> {
  const reader = (await holdsIfc(path, options))
    ? (await import('./ifc/ifc.js')).ifcSource
    : (await import('./three-mf/three-mf.js')).threeMfSource;
  return reader(path, options);
}

async function holdsIfc(path: string, options: SourceOptions): Promise<boolean> {
  const file = await SourceFile.open(path, options);
  try {
    return ZipArchive.open(file).names(/\.ifc(xml)?$/i).length > 0;
  } catch (error) {
    throw asFormatError(error, path);
  } finally {
    await file.close();
  }
}
