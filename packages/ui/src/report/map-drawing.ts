/** Draws the points of the clashes along an axis, over the outline of the model. */
import type { ReportPageData } from '../../../cli/src/wire/report.js';
import { lengthText } from '../text.js';
import { colourOf, inflated } from './colour.js';

/** Height of the scale below, in pixels. */
const FOOTER = 30;

export type MapDrawing = ReturnType<typeof drawMap>;

/** `onOver` is called with the clash under the pointer, or -1. */
export function drawMap(
  data: ReportPageData,
  canvas: HTMLCanvasElement,
  vertical: 'y' | 'z',
  onOver: (clash: number) => void,
  onPick: (clash: number) => void,
) {
  const { clashes, kinds, statuses, box } = data;
  const up = vertical === 'y' ? 1 : 2;
  const right = clashes.x;
  const above = clashes[vertical];
  let rows: readonly number[] = [];
  let chosen = new Uint8Array(right.length);
  let scale = 1;
  let left = 0;
  let bottom = 0;
  /** Magnification, and the centre of the view when magnified. */
  let zoom = 1;
  let centre: [number, number] | undefined;
  const outline = data.outline?.[vertical === 'y' ? 'plan' : 'elevation'];
  /** One pixel per cell, and the colours it was painted with. */
  let built: { readonly canvas: HTMLCanvasElement; readonly colours: string } | undefined;
  let shades: Uint8Array | undefined;
  if (outline) {
    inflated(outline.cells).then((bytes) => {
      shades = new Uint8Array(bytes);
      draw();
    });
  }
  const colour = (name: string) => colourOf(canvas.parentElement!, `var(--${name})`);

  /** Fits the model, and any clashes outside it, into the canvas. */
  function place(width: number, height: number): void {
    let [x0, x1, y0, y1] = [box.min[0], box.max[0], box.min[up], box.max[up]];
    for (let i = 0; i < right.length; i++) {
      x0 = Math.min(x0, right[i]);
      x1 = Math.max(x1, right[i]);
      y0 = Math.min(y0, above[i]);
      y1 = Math.max(y1, above[i]);
    }
    const margin = 14;
    scale = Math.min(
      (width - 2 * margin) / Math.max(x1 - x0, 1e-9),
      (height - 2 * margin - FOOTER) / Math.max(y1 - y0, 1e-9),
    );
    scale *= zoom;
    const [x, y] = centre ?? [(x0 + x1) / 2, (y0 + y1) / 2];
    left = width / 2 - x * scale;
    bottom = (height - FOOTER) / 2 + y * scale;
  }

  function modelPoint(px: number, py: number): [number, number] {
    return [(px - left) / scale, (bottom - py) / scale];
  }

  /** Zooms about a point of the canvas. */
  function zoomBy(
    factor: number,
    px = canvas.clientWidth / 2,
    py = (canvas.clientHeight - FOOTER) / 2,
  ): void {
    const [x, y] = modelPoint(px, py);
    const before = zoom;
    zoom = Math.min(1000, Math.max(1, zoom * factor));
    const [cx, cy] = modelPoint(canvas.clientWidth / 2, (canvas.clientHeight - FOOTER) / 2);
    const share = before / zoom;
    centre = zoom === 1 ? undefined : [x + (cx - x) * share, y + (cy - y) * share];
    draw();
  }

  /** Draws the density of the model in each cell. */
  function drawBuilt(pen: CanvasRenderingContext2D): boolean {
    if (!outline || !shades) return false;
    const colours = ['page', 'built1', 'built2', 'built3', 'built4'].map(colour);
    if (built?.colours !== colours.join()) {
      const image = document.createElement('canvas');
      [image.width, image.height] = [outline.columns, outline.rows];
      const brush = image.getContext('2d');
      for (let i = 0; i < shades.length && brush; i++) {
        if (shades[i] === 0) continue;
        brush.fillStyle = colours[shades[i]];
        brush.fillRect(i % outline.columns, outline.rows - 1 - Math.floor(i / outline.columns), 1, 1);
      }
      built = { canvas: image, colours: colours.join() };
    }
    const [x0, y1] = [box.min[0] * scale + left, bottom - box.max[up] * scale];
    pen.imageSmoothingEnabled = true;
    pen.drawImage(
      built.canvas,
      ...([x0, y1, (box.max[0] - box.min[0]) * scale, (box.max[up] - box.min[up]) * scale] as const),
    );
    return true;
  }

  /** The grid axes from above, storeys from the front. */
  function drawNames(pen: CanvasRenderingContext2D, width: number, height: number, colour: string): void {
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = 0.5;
    pen.font = `12px ${getComputedStyle(canvas).fontFamily}`;
    const line = (x0: number, y0: number, x1: number, y1: number) => {
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.lineTo(x1, y1);
      pen.stroke();
    };
    if (vertical === 'z') {
      let free = Infinity;
      for (const [name, height] of data.outline?.storeys ?? []) {
        const y = bottom - height * scale;
        line(0, y, width, y);
        // overlapping names are omitted
        if (y > free - 14 || y < 12 || y > height - 34) continue;
        pen.fillText(name, 6, y - 3);
        free = y;
      }
      return;
    }
    const reach = (width + height) / scale;
    for (const [tag, x, y, dx, dy] of data.outline?.axes ?? []) {
      const [px, py] = [x * scale + left, bottom - y * scale];
      const size = (reach * scale) / Math.max(1e-9, Math.hypot(dx, dy));
      line(px - dx * size, py + dy * size, px + dx * size, py - dy * size);
      const isUpright = Math.abs(dy) > Math.abs(dx);
      const at = isUpright ? [px + ((py - 12) * dx) / dy, 12] : [4, py + ((px - 4) * dy) / dx - 3];
      pen.fillText(tag, at[0] + 3, at[1]);
    }
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
    const frame = [
      ...([box.min[0] * scale + left, bottom - box.max[up] * scale] as const),
      ...([(box.max[0] - box.min[0]) * scale, (box.max[up] - box.min[up]) * scale] as const),
    ] as const;
    if (!drawBuilt(pen)) {
      pen.fillStyle = colour('page');
      pen.fillRect(...frame);
    }
    pen.lineWidth = 1;
    pen.strokeStyle = colour('line-strong');
    pen.strokeRect(...frame);
    drawNames(pen, width, height, colour('quiet'));
    pen.lineWidth = 1;
    // clashes that the filters exclude stay as shadows; the worst are drawn last
    const dot = right.length > 5000 ? 2 : right.length > 500 ? 3 : 5;
    pen.fillStyle = colour('line-strong');
    for (let i = 0; i < right.length; i++) {
      if (!chosen[i] && !['resolved', 'approved'].includes(statuses[clashes.status[i]]))
        spot(pen, i, Math.min(dot, 2));
    }
    const colours = kinds.map((kind) => colourOf(canvas.parentElement!, 'var(--kind)', kind));
    const gone = colour('good');
    for (let k = rows.length - 1; k >= 0; k--) {
      const i = rows[k];
      pen.fillStyle = statuses[clashes.status[i]] === 'resolved' ? gone : colours[clashes.kind[i]];
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
    pen.fillText(lengthText(step), 24 + step * scale, y + 1);
  }

  /** The listed clash nearest to the pointer. */
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

  let grip: readonly [x: number, y: number] | undefined;
  let moved = false;
  canvas.addEventListener('pointerdown', (event) => {
    moved = false;
    if (zoom === 1 || event.pointerType === 'touch') return;
    grip = modelPoint(event.offsetX, event.offsetY);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!grip) return;
    const [x, y] = modelPoint(event.offsetX, event.offsetY);
    const [cx, cy] = modelPoint(canvas.clientWidth / 2, (canvas.clientHeight - FOOTER) / 2);
    moved ||= Math.hypot(x - grip[0], y - grip[1]) * scale > 4;
    if (!moved) return;
    centre = [cx + grip[0] - x, cy + grip[1] - y];
    draw();
  });
  canvas.addEventListener('pointerup', () => {
    grip = undefined;
  });
  canvas.addEventListener(
    'wheel',
    (event) => {
      // without Ctrl, the wheel scrolls the page
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomBy(2 ** (-event.deltaY / 200), event.offsetX, event.offsetY);
    },
    { passive: false },
  );
  canvas.addEventListener('mousemove', (event) => {
    const i = nearest(event);
    onOver(i);
    canvas.classList.toggle('over', i >= 0);
  });
  canvas.addEventListener('mouseleave', () => onOver(-1));
  canvas.addEventListener('click', (event) => {
    if (moved) return;
    const i = nearest(event);
    if (i >= 0) onPick(i);
  });
  new ResizeObserver(draw).observe(canvas);

  return {
    draw,
    show(selected: readonly number[]): void {
      rows = selected;
      chosen = new Uint8Array(right.length);
      for (const i of rows) chosen[i] = 1;
      draw();
    },
    zoomBy,
    showAll(): void {
      [zoom, centre] = [1, undefined];
      draw();
    },
  };
}
