/** The clashes of the report and the state of the review. */
import { Apart, ClashFilters, FilterTags, listedText, Sorting } from '../../../ui/src/clash-filters.js';
import { ClashList } from '../../../ui/src/clash-list.js';
import { IconButton } from '../../../ui/src/controls.js';
import { SavingNote } from '../../../ui/src/saving-note.js';
import type { ModelReview } from '../review/report.js';
import { CommandButton } from './controls.js';
import { FindingsBox } from './findings-box.js';
import type { Viewer } from './viewer.js';
import { WaysBox } from './ways-box.js';

interface Props {
  readonly viewer: Viewer;
  readonly review: ModelReview;
}

export function ClashesPanel({ viewer, review }: Props) {
  const state = review.keeper.state.value;
  const isSaved = state.kind === 'saved' || (state.kind === 'here' && state.count === 0);
  return (
    <div class="panel-content">
      <FindingsBox findings={review.report.run.findings} />
      <WaysBox viewer={viewer} ways={review.report.ways} />
      <div class="panel-tools">
        <ClashFilters review={review}>
          <CommandButton
            viewer={viewer}
            name="matrix"
            icon="matrix"
            pressed={review.filters.value.pair !== null}
          />
          <IconButton
            icon="exchange"
            label="Exchange decisions: BCF, review.json"
            onClick={() => viewer.open('exchange')}
          />
        </ClashFilters>
        <FilterTags review={review} />
        <Apart review={review} />
        <Sorting review={review} />
      </div>
      <ClashList review={review} onShow={(clash) => viewer.showClash(clash)} />
      <div class="panel-foot clash-foot">
        <span role="status">{listedText(review)}</span>
        {viewer.manifest.value.reportPage !== null && (
          <a href={viewer.manifest.value.reportPage}>Open the report</a>
        )}
        {!isSaved && <SavingNote state={state} />}
      </div>
    </div>
  );
}
