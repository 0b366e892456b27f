/** Encodes PNG files with a palette. */
import { crc32, deflateSync } from 'node:zlib';

/** One byte per pixel, rows from the top: an index into `palette`, which has at most 256 entries 0xrrggbb. */
export interface IndexedImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly palette: readonly number[];
}

/** Flat colours are small at any level, and most of the time is saved here. */
const LEVEL = 3;

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
    chunk('IDAT', deflateSync(rowsOf(width, height, pixels), { level: LEVEL })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** Each row starts with its filter type, 0: none. */
function rowsOf(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const rows = new Uint8Array((1 + width) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (1 + width) + 1);
  return rows;
}

/** The parts of a file that `encodePng` made, as other formats take them: colours, and rows as they are compressed. */
export function paletteImage(png: Uint8Array): {
  readonly width: number;
  readonly height: number;
  readonly colours: Uint8Array;
  readonly data: Uint8Array;
} {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const parts = new Map<string, Uint8Array>();
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    parts.set(type, png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return {
    width: view.getUint32(SIGNATURE.length + 8),
    height: view.getUint32(SIGNATURE.length + 12),
    colours: parts.get('PLTE')!,
    data: parts.get('IDAT')!,
  };
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
