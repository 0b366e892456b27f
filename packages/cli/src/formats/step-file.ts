/** Files that begin with ISO-10303-21, whatever their names: IFC or CAD, according to the schema in their header. */
import type { ModelSource, SourceOptions } from './model-source.js';
import { SourceFile } from './source-file.js';

/** Where the header must have named its schema. */
const HEADER_BYTES = 1 << 16;
const CAD_SCHEMA = /^(AP\d|CONFIG_CONTROL|AUTOMOTIVE|MANAGED_MODEL|.*DESIGN)/i;

export async function stepFileSource(path: string, options: SourceOptions): Promise<ModelSource> {
  const reader = (await isCad(path, options))
    ? (await import('./cad/cad.js')).stepSource
    : (await import('./ifc/ifc.js')).ifcSource;
  return reader(path, options);
}

async function isCad(path: string, options: SourceOptions): Promise<boolean> {
  const file = await SourceFile.open(path, options);
  try {
    const head = new Uint8Array(Math.min(HEADER_BYTES, file.byteLength));
    file.read(head, 0);
    const text = Buffer.from(head).toString('latin1');
    return CAD_SCHEMA.test(/FILE_SCHEMA\s*\(\s*\(\s*'\s*([^']*)'/i.exec(text)?.[1] ?? '');
  } finally {
    await file.close();
  }
}
