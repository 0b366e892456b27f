/** A map of the clashes, seen from above or from the front. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ReportPageData } from '../../../cli/src/wire/report.js';
import type { ClashReview } from '../clash-review.js';
import { printing } from '../printing.js';
import { shownTheme } from '../theme.js';
import { drawMap, type MapDrawing } from './map-drawing.js';

interface Props {
  readonly review: ClashReview;
  readonly data: ReportPageData;
  readonly title: string;
  readonly vertical: 'y' | 'z';
  readonly onPick: (clash: number) => void;
}

export function ClashMap({ review, data, title, vertical, onPick }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = useRef<MapDrawing>(null);
  const over = useSignal(-1);
  useEffect(() => {
    drawing.current = drawMap(data, canvas.current!, vertical, (clash) => (over.value = clash), onPick);
  }, []);
  useSignalEffect(() => drawing.current?.show(review.passing()));
  useSignalEffect(() => {
    // redraw in the colours of the paper
    if (shownTheme.value !== undefined || printing.value) drawing.current?.draw();
  });
  const { report } = review;
  const zoom = (sign: string, label: string, act: () => void) => (
    <button type="button" aria-label={label} title={label} onClick={act}>
      {sign}
    </button>
  );
  return (
    <figure>
      <figcaption>
        {title}
        <span class="zoom">
          {zoom('+', 'Zoom in', () => drawing.current?.zoomBy(2))}
          {zoom('−', 'Zoom out', () => drawing.current?.zoomBy(0.5))}
          {zoom('⤢', 'Show all', () => drawing.current?.showAll())}
        </span>
      </figcaption>
      <canvas ref={canvas} id={`map-${vertical}`} role="img" aria-label={`Clashes: ${title.toLowerCase()}`} />
      <p class="quiet">
        {over.value < 0
          ? `x to the right, ${vertical} up. Click a point to select its clash; drag to pan.`
          : `${report.kindOf(over.value)} ${report.measureOf(over.value)}: ${report.namesOf(over.value).join(' / ')}`}
      </p>
    </figure>
  );
}
