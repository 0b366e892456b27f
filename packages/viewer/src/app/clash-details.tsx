/** One clash: what it is, which two objects, and what people decide about it. */
import { useSignal } from '@preact/signals';
import { grouped, pointText } from '../model/text.js';
import type { ClashReview } from '../review/clash-review.js';
import { commentsOf, REVIEW_STATUSES, type ReviewStatus, statusOf } from '../review/decisions.js';
import { SURROUNDINGS, type Surroundings } from './address.js';
import { COMMANDS, tip } from './commands.js';
import { Copy, IconButton, Segments } from './controls.js';
import { isPhone } from './layout.js';
import { SavingNote } from './saving-note.js';
import type { Viewer } from './viewer.js';

const AROUND = Object.fromEntries(
  SURROUNDINGS.map((one) => [one, one[0].toUpperCase() + one.slice(1)]),
) as Record<Surroundings, string>;

interface Props {
  readonly viewer: Viewer;
  readonly review: ClashReview;
  readonly clash: number;
}

export function ClashDetails({ viewer, review, clash }: Props) {
  const { report } = review;
  const { clashes, groups, rules, storeys } = report.data;
  const form = clashes.form[clash] ? `, ${clashes.form[clash]}` : '';
  const [issueId, issueTitle] = groups[clashes.group[clash]];
  const at = review.position.value;
  return (
    <div class="details">
      <header class="details-head">
        <div>
          <p class="eyebrow">
            {at < 0 ? 'Clash' : `Clash ${grouped(at + 1)} of ${grouped(review.listed.value)}`}
          </p>
          <h2>
            <span class={`kind ${report.kindOf(clash)}`}>
              {report.kindOf(clash)}
              {form}
            </span>{' '}
            <span class="whole">{report.measureOf(clash)}</span>
          </h2>
        </div>
        <span class="head-buttons">
          <IconButton
            icon="previous"
            label={tip(COMMANDS.previous)}
            disabled={at === 0}
            onClick={() => viewer.stepClash(-1)}
          />
          <IconButton
            icon="next"
            label={tip(COMMANDS.next)}
            disabled={at === review.listed.value - 1}
            onClick={() => viewer.stepClash(1)}
          />
          <IconButton icon="close" label="Deselect the clash (Escape)" onClick={() => review.showNone()} />
        </span>
      </header>
      <Segments
        label="The surroundings"
        options={AROUND}
        value={review.surroundings.value}
        onChange={(around) => {
          review.surroundings.value = around;
        }}
      />
      <ClashObject viewer={viewer} review={review} clash={clash} side={0} />
      <ClashObject viewer={viewer} review={review} clash={clash} side={1} />
      <DecisionForm key={clash} review={review} clash={clash} />
      <section>
        <h3>Location and rule</h3>
        <dl>
          <dt>At</dt>
          <dd>
            <Copy text={pointText(report.pointOf(clash))} label="the point" /> m
          </dd>
          {storeys[clashes.storey[clash]] !== '' && (
            <>
              <dt>Storey</dt>
              <dd>{storeys[clashes.storey[clash]]}</dd>
            </>
          )}
          <dt>Rule</dt>
          <dd>{rules[clashes.rule[clash]] || '–'}</dd>
          <dt>Issue</dt>
          <dd>
            <button type="button" class="link" onClick={() => review.filter({ issue: issueId })}>
              {issueTitle}
            </button>
          </dd>
          {clashes.pairs[clash] > 0 && (
            <>
              <dt>Contact</dt>
              <dd>{grouped(clashes.pairs[clash])} pairs of triangles</dd>
            </>
          )}
          <dt>Id</dt>
          <dd>
            <Copy text={clashes.id[clash]} label="this id" />
          </dd>
        </dl>
      </section>
    </div>
  );
}

interface ClashObjectProps extends Props {
  readonly side: 0 | 1;
}

function ClashObject({ viewer, review, clash, side }: ClashObjectProps) {
  const { objects, clashes } = review.report.data;
  const [name, , , type, file] = objects[side === 0 ? clashes.a[clash] : clashes.b[clash]];
  const object = review.report.objectsOf(clash)[side];
  const letter = side === 0 ? 'A' : 'B';
  return (
    <section class={`clash-card side-${letter.toLowerCase()}`} aria-label={`Object ${letter}`}>
      <span class="letter">{letter}</span>
      <div>
        <b>{name}</b>
        <small>{[type, file].filter(Boolean).join(' · ')}</small>
      </div>
      <IconButton
        icon="target"
        label={object < 0 ? 'Not in this model' : `Select ${letter}: its properties`}
        disabled={object < 0}
        onClick={() => viewer.select([object])}
      />
    </section>
  );
}

function DecisionForm({ review, clash }: { readonly review: ClashReview; readonly clash: number }) {
  const { keeper, report } = review;
  const { decisions } = keeper;
  const decision = decisions.value && keeper.decisionOf(report.data.clashes.id[clash]);
  const issue = report.data.clashes.group[clash];
  const whole = useSignal(false);
  const members = review.clashesOf(issue);
  const chosen = whole.value ? members : [clash];
  const text = useSignal('');
  const comments = commentsOf(decision);
  function say(): void {
    const said = text.peek().trim();
    if (said === '') return;
    review.say(chosen, said);
    text.value = '';
  }
  return (
    <section class="decision">
      <h3>
        Decision <SavingNote state={keeper.state.value} />
      </h3>
      <div class="fields">
        <label>
          <span>Status</span>
          <select
            value={statusOf(decision)}
            onChange={(event) => review.decide(chosen, { status: event.currentTarget.value as ReviewStatus })}
          >
            {REVIEW_STATUSES.map((status, i) => (
              <option key={status} value={status} selected={status === statusOf(decision)}>
                {isPhone.value ? status : `${status} (Shift+${i + 1})`}
              </option>
            ))}
          </select>
        </label>
        <DraftField
          label="Assignee"
          type="text"
          list="people"
          value={decision?.assignee ?? ''}
          onDone={(assignee) => review.decide(chosen, { assignee })}
        />
        <DraftField
          label="Due"
          type="date"
          value={decision?.due?.slice(0, 10) ?? ''}
          onDone={(due) => review.decide(chosen, { due })}
        />
        <datalist id="people">
          {keeper.people.value.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      {members.length > 1 && (
        <label class="check">
          <input
            type="checkbox"
            checked={whole.value}
            onChange={(event) => {
              whole.value = event.currentTarget.checked;
            }}
          />
          for all {grouped(members.length)} clashes of this issue
        </label>
      )}
      {comments.length > 0 && (
        <ol class="comments" aria-label="Comments">
          {comments.map(({ author, date, text: said }, i) => (
            <li key={i}>
              <p class="said-by">{[author || 'somebody', date?.slice(0, 10)].filter(Boolean).join(', ')}</p>
              <p>{said}</p>
            </li>
          ))}
        </ol>
      )}
      <div class="say">
        <textarea
          id="comment"
          rows={2}
          maxLength={4000}
          placeholder="Comment (Ctrl+Enter adds it)"
          aria-label="Comment"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) say();
          }}
        />
        <div class="tool-line">
          <input
            type="text"
            maxLength={100}
            placeholder="Your name"
            aria-label="Your name"
            value={keeper.author.value}
            onInput={(event) => {
              keeper.author.value = event.currentTarget.value;
            }}
          />
          <button type="button" class="primary" disabled={text.value.trim() === ''} onClick={say}>
            Add
          </button>
        </div>
      </div>
    </section>
  );
}

interface DraftFieldProps {
  readonly label: string;
  readonly type: 'text' | 'date';
  readonly value: string;
  readonly list?: string;
  readonly onDone: (value: string) => void;
}

/** What is being typed stays, whatever is saved or comes from others meanwhile. */
function DraftField({ label, type, value, list, onDone }: DraftFieldProps) {
  const draft = useSignal<string | undefined>(undefined);
  return (
    <label>
      <span>{label}</span>
      <input
        type={type}
        list={list}
        maxLength={200}
        value={draft.value ?? value}
        onInput={(event) => {
          draft.value = event.currentTarget.value;
        }}
        onChange={(event) => {
          onDone(event.currentTarget.value.trim());
          draft.value = undefined;
        }}
      />
    </label>
  );
}
