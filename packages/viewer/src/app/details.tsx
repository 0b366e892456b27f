/** The details panel: of a clash, of the selection, or of the model. */
import { ClashDetails } from '../../../ui/src/clash-details.js';
import { IconButton, Segments } from '../../../ui/src/controls.js';
import { setter } from '../../../ui/src/signals.js';
import { grouped, lengthText, plural } from '../../../ui/src/text.js';
import type { ModelReview } from '../review/report.js';
import { SURROUNDINGS, type Surroundings } from './address.js';
import { ObjectDetails } from './object-details.js';
import type { Viewer } from './viewer.js';

export function Details({ viewer }: { readonly viewer: Viewer }) {
  const review = viewer.review.value;
  if (viewer.selection.value.size > 0 && viewer.columns.value) return <ObjectDetails viewer={viewer} />;
  if (review && review.current.value >= 0) {
    return <ShownClash viewer={viewer} review={review} />;
  }
  return <ModelDetails viewer={viewer} />;
}

const AROUND = Object.fromEntries(
  SURROUNDINGS.map((one) => [one, one[0].toUpperCase() + one.slice(1)]),
) as Record<Surroundings, string>;

function ShownClash({ viewer, review }: { readonly viewer: Viewer; readonly review: ModelReview }) {
  const clash = review.current.value;
  const objects = review.report.objectsOf(clash);
  return (
    <ClashDetails
      review={review}
      clash={clash}
      onStep={(by) => viewer.stepClash(by)}
      objectTool={(side) => (
        <IconButton
          icon="target"
          label={objects[side] < 0 ? 'Not in this model' : `Select ${'AB'[side]}: its properties`}
          disabled={objects[side] < 0}
          onClick={() => viewer.select([objects[side]])}
        />
      )}
    >
      <Segments
        label="Surroundings"
        options={AROUND}
        value={review.surroundings.value}
        onChange={setter(review.surroundings)}
      />
    </ClashDetails>
  );
}

function ModelDetails({ viewer }: { readonly viewer: Viewer }) {
  const columns = viewer.columns.value;
  const review = viewer.review.value;
  const run = review?.report.run;
  const found = run?.rules.filter(({ clashes }) => clashes > 0) ?? [];
  return (
    <div class="details">
      <header class="details-head">
        <div>
          <p class="eyebrow">Model</p>
          <h2>{viewer.manifest.value.title}</h2>
        </div>
      </header>
      {columns && (
        <dl>
          <dt>Objects</dt>
          <dd>{grouped(columns.count)}</dd>
          <dt>Triangles</dt>
          <dd>{grouped(columns.triangles.reduce((sum, n) => sum + n, 0))}</dd>
          {viewer.storeys.value.length > 0 && (
            <>
              <dt>Storeys</dt>
              <dd>{grouped(viewer.storeys.value.length)}</dd>
            </>
          )}
        </dl>
      )}
      {review && run && (
        <section>
          <h3>Check</h3>
          <dl>
            <dt>Clashes</dt>
            <dd>{grouped(review.counted.value.length)}</dd>
            <dt>Issues</dt>
            <dd>
              {grouped(new Set(review.counted.value.map((i) => review.report.data.clashes.group[i])).size)}
            </dd>
            <dt>Tolerance</dt>
            <dd>{lengthText(run.tolerance)}</dd>
            <dt>Clearance</dt>
            <dd>{run.clearance === 0 ? 'none' : lengthText(run.clearance)}</dd>
            <dt>Date</dt>
            <dd>{review.report.date.slice(0, 10)}</dd>
          </dl>
          {run.rules.length > 1 && (
            <ul class="rules" aria-label="Rules">
              {found.map(({ name, clashes }) => (
                <li key={name}>
                  <button type="button" class="link" onClick={() => review.filter({ rule: name })}>
                    {name}
                  </button>
                  <span class="count">{grouped(clashes)}</span>
                </li>
              ))}
              {found.length < run.rules.length && (
                <li class="hint">{plural(run.rules.length - found.length, 'rule')} without clashes</li>
              )}
            </ul>
          )}
          <div class="button-row">
            <button type="button" class="primary" onClick={() => viewer.stepClash(1)}>
              Show the worst clash (n)
            </button>
          </div>
        </section>
      )}
      <p class="hint">Click an object to see its properties. Press ? for keyboard shortcuts.</p>
    </div>
  );
}
