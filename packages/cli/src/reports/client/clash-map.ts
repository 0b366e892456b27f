/** The points of the clashes seen along an axis, on a canvas. Runs in the reader's browser. */
import type { PageData } from '../page-data.js';
import type { PageTools } from './page-tools.js';

export function clashMap(
  data: PageData,
  tools: PageTools,
  canvas: HTMLCanvasElement,
  vertical: 'y' | 'z',
  caption: (i: number) => string,
  onPick: (clash: number) => void,
) {
  const { clashes, kinds, statuses, box } = data;
  const up = vertical === 'y' ? 1 : 2;
  const right = clashes.x;
  const above = clashes[vertical];
  const note = tools.byId(`${canvas.id}-note`);
  const rest = note.textContent;
  let rows: number[] = [];
  let chosen = new Uint8Array(right.length);
  let scale = 1;
  let left = 0;
  let bottom = 0;

  /** Puts the model, and whatever lies beyond it, into the middle of the canvas. */
  function place(width: number, height: number): void {
    let [x0, x1, y0, y1] = [box.min[0], box.max[0], box.min[up], box.max[up]];
    for (let i = 0; i < right.length; i++) {
      x0 = Math.min(x0, right[i]);
      x1 = Math.max(x1, right[i]);
      y0 = Math.min(y0, above[i]);
      y1 = Math.max(y1, above[i]);
    }
    const margin = 14;
    const footer = 30;
    scale = Math.min(
      (width - 2 * margin) / Math.max(x1 - x0, 1e-9),
      (height - 2 * margin - footer) / Math.max(y1 - y0, 1e-9),
    );
    left = (width - (x1 - x0) * scale) / 2 - x0 * scale;
    bottom = (height - footer + (y1 - y0) * scale) / 2 + y0 * scale;
  }

  function draw(): void {
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (width === 0) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext('2d');
    if (!pen) return;
    pen.scale(ratio, ratio);
    place(width, height);
    const style = getComputedStyle(canvas);
    const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
    const outline = [box.min[0] * scale + left, bottom - box.max[up] * scale] as const;
    const size = [(box.max[0] - box.min[0]) * scale, (box.max[up] - box.min[up]) * scale] as const;
    pen.fillStyle = colour('sunken');
    pen.fillRect(...outline, ...size);
    pen.strokeStyle = colour('line-strong');
    pen.strokeRect(...outline, ...size);
    // what the filters leave out stays as a shadow; the worst are drawn last
    const dot = right.length > 5000 ? 2 : right.length > 500 ? 3 : 5;
    pen.fillStyle = colour('line-strong');
    for (let i = 0; i < right.length; i++) {
      if (!chosen[i] && !['resolved', 'approved'].includes(statuses[clashes.status[i]]))
        spot(pen, i, Math.min(dot, 2));
    }
    for (let k = rows.length - 1; k >= 0; k--) {
      const i = rows[k];
      pen.fillStyle = colour(
        statuses[clashes.status[i]] === 'resolved' ? 'resolved' : kinds[clashes.kind[i]],
      );
      spot(pen, i, rows.length <= 20 ? 7 : dot);
    }
    pen.globalAlpha = 1;
    drawScale(pen, height, colour('quiet'));
  }

  function spot(pen: CanvasRenderingContext2D, i: number, size: number): void {
    const [x, y] = [right[i] * scale + left, bottom - above[i] * scale];
    if (size < 4) pen.fillRect(x - size / 2, y - size / 2, size, size);
    else {
      pen.beginPath();
      pen.arc(x, y, size / 2, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  function drawScale(pen: CanvasRenderingContext2D, height: number, colour: string): void {
    const wanted = 90 / scale;
    const decade = 10 ** Math.floor(Math.log10(wanted));
    const step = decade * ([5, 2].find((n) => n * decade <= wanted) ?? 1);
    pen.strokeStyle = pen.fillStyle = colour;
    pen.font = `16px ${getComputedStyle(canvas).fontFamily}`;
    const y = height - 10.5;
    pen.beginPath();
    pen.moveTo(14.5, y - 5);
    pen.lineTo(14.5, y);
    pen.lineTo(14.5 + step * scale, y);
    pen.lineTo(14.5 + step * scale, y - 5);
    pen.stroke();
    pen.fillText(tools.length(step), 24 + step * scale, y + 1);
  }

  /** The shown clash nearest to the pointer. */
  function nearest(event: MouseEvent): number {
    const frame = canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - frame.left, event.clientY - frame.top];
    let best = -1;
    let bestSq = 18 * 18;
    for (const i of rows) {
      const distanceSq = (right[i] * scale + left - px) ** 2 + (bottom - above[i] * scale - py) ** 2;
      if (distanceSq < bestSq) [best, bestSq] = [i, distanceSq];
    }
    return best;
  }

  canvas.addEventListener('mousemove', (event) => {
    const i = nearest(event);
    note.textContent = i < 0 ? rest : caption(i);
    canvas.classList.toggle('over', i >= 0);
  });
  canvas.addEventListener('mouseleave', () => {
    note.textContent = rest;
  });
  canvas.addEventListener('click', (event) => {
    const i = nearest(event);
    if (i >= 0) onPick(i);
  });
  new ResizeObserver(draw).observe(canvas);

  return {
    draw,
    show(selected: number[]): void {
      rows = selected;
      chosen = new Uint8Array(right.length);
      for (const i of rows) chosen[i] = 1;
      draw();
    },
  };
}
