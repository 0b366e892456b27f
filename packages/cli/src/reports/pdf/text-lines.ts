/** Breaks texts into lines. */

/**
 * Lines no wider than `width`, at most `most`: broken at spaces, and within words that are wider than a line. A text
 * that goes on ends with an ellipsis.
 */
export function brokenText(
  text: string,
  width: number,
  most: number,
  widthOf: (text: string) => number,
): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/).filter((one) => one !== '')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (widthOf(longer) <= width) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = '';
      for (const character of word) {
        if (line !== '' && widthOf(line + character) > width) {
          lines.push(line);
          line = '';
        }
        line += character;
      }
      // as many as can be shown, and one that tells that there are more
      if (lines.length > most) break;
    }
    if (line !== '') lines.push(line);
    if (lines.length > most) break;
  }
  if (lines.length <= most) return lines;
  let last = Array.from(lines[most - 1]);
  while (last.length > 0 && widthOf(`${last.join('').trimEnd()}…`) > width) last = last.slice(0, -1);
  return [...lines.slice(0, most - 1), `${last.join('').trimEnd()}…`];
}
