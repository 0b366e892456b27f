/** Encodes PNG files with a palette. */
import { crc32, deflateSync } from 'node:zlib';

/** One byte per pixel, rows from the top: an index into `palette`, which has at most 256 entries 0xrrggbb. */
export interface IndexedImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly palette: readonly number[];
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export function encodePng({ width, height, pixels, palette }: IndexedImage): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8); // bits per pixel
  header.setUint8(9, 3); // palette
  const colours = Uint8Array.from(palette.flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rowsOf(width, height, pixels))),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** Each row starts with its filter type, 0: none. */
function rowsOf(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const rows = new Uint8Array((1 + width) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (1 + width) + 1);
  return rows;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
