/** Statistics of the picture, its error, and what is still loading. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { bytesText, grouped } from '../../../ui/src/text.js';
import type { PictureStats } from '../picture/types.js';
import type { Viewer } from './viewer.js';

/** Limits updates, so that the numbers are readable. */
const EVERY_MS = 250;

export function StatusLine({ viewer }: { readonly viewer: Viewer }) {
  const stats = useSignal<PictureStats | undefined>(undefined);
  const picture = viewer.picture.value;
  useEffect(() => {
    if (!picture) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = () => {
      const now = { ...picture.stats };
      stats.value = now;
      // the last change may come without a frame
      timer = now.sharp ? undefined : setTimeout(take, EVERY_MS);
    };
    take();
    const end = picture.onFrame(() => {
      if (timer === undefined && !picture.stats.sharp) take();
      else timer ??= setTimeout(take, EVERY_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [picture]);
  const now = stats.value;
  const { levels } = viewer.manifest.value;
  const waiting = viewer.loading.value
    ? `loading ${viewer.loading.value} …`
    : now && !now.complete
      ? 'loading …'
      : levels === 'making'
        ? 'building levels …'
        : '';
  return (
    <footer class="status-line" aria-busy={now?.sharp !== true}>
      {now && (
        <>
          <span>
            <b>{grouped(now.triangles)}</b> triangles
          </span>
          <span title="Maximum error of the picture, in pixels">
            <b>{errorText(now.pixelError)}</b> px
          </span>
          <span title="GPU and main memory">
            <b>{bytesText(now.gpuBytes + now.memoryBytes)}</b>
          </span>
        </>
      )}
      <span class="waiting" role="status">
        {waiting}
      </span>
    </footer>
  );
}

function errorText(pixels: number): string {
  if (pixels === 0) return 'exact, 0';
  return Number.isFinite(pixels) ? `≤ ${pixels < 10 ? pixels.toPrecision(2) : Math.round(pixels)}` : '–';
}
