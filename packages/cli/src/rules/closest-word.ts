/** Suggests a word for a misspelt one. */

/** The known word nearest to `word`, if it is near: two typing errors for long words, one for short ones. */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[-_ ]/g, '');
  let best: string | undefined;
  let bestSlips = word.length > 4 ? 3 : 2;
  for (const candidate of known) {
    const slips = slipsBetween(plain(word), plain(candidate));
    if (slips < bestSlips) {
      best = candidate;
      bestSlips = slips;
    }
  }
  return best;
}

/** The number of letters to insert, drop, change or swap with their neighbour to turn one word into the other. */
function slipsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(change, last[j] + 1, row[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length];
}
