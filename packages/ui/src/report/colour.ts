/** What is drawn on a canvas, in the colours of the page. */

/** A colour of the style sheet, where an element is, as `rgb(…)`. */
export function colourOf(where: Element, value: string, className = ''): string {
  const probe = document.createElement('i');
  probe.className = className;
  probe.style.color = value;
  where.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** What was compressed (raw deflate) and written in base64. */
export async function inflated(text: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}
