/** The times of steps as lines over the steps, on a logarithmic scale. */

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** Powers of ten that the scale covers, in milliseconds. */
export interface ChartScale {
  readonly least: number;
  readonly most: number;
}

/** More would be drawn over each other. */
const MOST_POINTS = 600;

/** The decades that all times above 0 lie in, three of them or more. */
export function scaleOf(times: readonly ArrayLike<number>[]): ChartScale {
  let [least, most] = [Infinity, 0];
  for (const list of times) {
    for (let i = 0; i < list.length; i++) {
      if (!(list[i] > 0)) continue; // not measured, or below the clock
      least = Math.min(least, list[i]);
      most = Math.max(most, list[i]);
    }
  }
  if (most === 0) return { least: 0.1, most: 100 };
  const top = Math.max(Math.ceil(Math.log10(most)), 0);
  return { least: 10 ** Math.min(Math.floor(Math.log10(least)), top - 3), most: 10 ** top };
}

/** From the top; times beyond the scale lie on its ends. */
export function heightOf(ms: number, { least, most }: ChartScale, height: number): number {
  const share = Math.log(Math.min(most, Math.max(least, ms)) / least) / Math.log(most / least);
  return height * (1 - share);
}

/** The path of a line, with the largest of steps that share a point, and gaps where nothing was measured. */
export function pathOf(times: ArrayLike<number>, scale: ChartScale, { width, height }: ChartSize): string {
  const each = Math.max(1, Math.ceil(times.length / MOST_POINTS));
  const last = Math.max(1, times.length - 1);
  let path = '';
  let isOn = false;
  for (let from = 0; from < times.length; from += each) {
    let most = Number.NaN;
    for (let i = from; i < Math.min(from + each, times.length); i++) {
      if (!(times[i] <= most)) most = Number.isNaN(times[i]) ? most : times[i];
    }
    if (Number.isNaN(most)) {
      isOn = false;
      continue;
    }
    const [x, y] = [(width * from) / last, heightOf(most, scale, height)];
    // a point by itself is seen, too
    path += isOn ? `L${x.toFixed(1)} ${y.toFixed(1)}` : `M${x.toFixed(1)} ${y.toFixed(1)}h0.01`;
    isOn = true;
  }
  return path;
}
