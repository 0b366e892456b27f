/** Helpers for canvases: colours of the page, compressed data. */

/** A colour of the style sheet at an element, as `rgb(…)`. */
export function colourOf(where: Element, value: string, className = ''): string {
  const probe = document.createElement('i');
  probe.className = className;
  probe.style.color = value;
  where.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Decodes base64 and raw deflate. */
export async function inflated(text: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}
