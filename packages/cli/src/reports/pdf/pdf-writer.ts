/**
 * A PDF 1.7 file, written object by object: what is written is not kept.
 *
 * Written here because the libraries for it bring along 17 packages and 27 MB; the pictures and the font are already in
 * forms that the format takes. Nothing depends on the time or place of writing.
 */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Write } from '../staged-files.js';

export class PdfWriter {
  readonly #write: Write;
  /** Of objects by number; the first is not used. */
  readonly #offsets: number[] = [0];
  #length = 0;

  constructor(write: Write) {
    this.#write = write;
  }

  /** The number of an object that is written later. */
  reserve(): number {
    return this.#offsets.push(0) - 1;
  }

  async begin(): Promise<void> {
    // bytes above 127 show programs that the file is not text
    await this.#put(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
  }

  async object(number: number, content: string): Promise<void> {
    this.#offsets[number] = this.#length;
    await this.#put(Buffer.from(`${number} 0 obj\n${content}\nendobj\n`, 'latin1'));
  }

  /** An object with bytes, compressed here unless the entries say how they are. */
  async stream(number: number, entries: string, bytes: Uint8Array): Promise<void> {
    const isPacked = entries.includes('/Filter');
    const content = isPacked ? bytes : deflateSync(bytes);
    const filter = isPacked ? '' : ' /Filter /FlateDecode';
    this.#offsets[number] = this.#length;
    const head = `${number} 0 obj\n<< ${entries}${filter} /Length ${content.length} >>\nstream\n`;
    await this.#put(Buffer.from(head, 'latin1'));
    await this.#put(content);
    await this.#put(Buffer.from('\nendstream\nendobj\n', 'latin1'));
  }

  /** Ends the file with the places of its objects. */
  async end(catalogue: number, info: number, title: string): Promise<void> {
    const start = this.#length;
    const entry = (offset: number) => `${String(offset).padStart(10, '0')} 00000 n \n`;
    const [, ...offsets] = this.#offsets;
    const id = createHash('md5').update(`${title} ${start}`).digest('hex');
    const end = [
      `xref\n0 ${this.#offsets.length}\n0000000000 65535 f \n${offsets.map(entry).join('')}`,
      `trailer\n<< /Size ${this.#offsets.length} /Root ${catalogue} 0 R /Info ${info} 0 R /ID [<${id}> <${id}>] >>\n`,
      `startxref\n${start}\n%%EOF\n`,
    ];
    await this.#put(Buffer.from(end.join(''), 'latin1'));
  }

  async #put(bytes: Uint8Array): Promise<void> {
    this.#length += bytes.length;
    await this.#write(bytes);
  }
}

/** A text of the document's data, such as a title. */
export function pdfText(text: string): string {
  const units = Array.from({ length: text.length }, (_, i) =>
    text.charCodeAt(i).toString(16).padStart(4, '0'),
  );
  return `<feff${units.join('')}>`;
}

/** The time of an ISO 8601 date. */
export function pdfDate(date: Date): string {
  return `(D:${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z)`;
}
