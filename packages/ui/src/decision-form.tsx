/** The form for a decision about a clash, or about all clashes of its issue. */
import { useSignal } from '@preact/signals';
import type { ClashReview } from './clash-review.js';
import { CheckBox } from './controls.js';
import { commentsOf, REVIEW_STATUSES, type ReviewStatus, statusOf } from './decisions.js';
import { SavingNote } from './saving-note.js';
import { setter } from './signals.js';
import { grouped } from './text.js';

export function DecisionForm({ review, clash }: { readonly review: ClashReview; readonly clash: number }) {
  const { keeper, report } = review;
  const decision = keeper.decisionOf(report.data.clashes.id[clash]);
  const whole = useSignal(false);
  const members = review.clashesOf(report.data.clashes.group[clash]);
  const chosen = whole.value ? members : [clash];
  const text = useSignal('');
  const comments = commentsOf(decision);
  const isFixed = keeper.readOnly !== null;
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
            disabled={isFixed}
            value={statusOf(decision)}
            onChange={(event) => review.decide(chosen, { status: event.currentTarget.value as ReviewStatus })}
          >
            {REVIEW_STATUSES.map((status) => (
              <option key={status} value={status} selected={status === statusOf(decision)}>
                {status}
              </option>
            ))}
          </select>
        </label>
        <DraftField
          label="Assignee"
          type="text"
          list="people"
          disabled={isFixed}
          value={decision?.assignee ?? ''}
          onDone={(assignee) => review.decide(chosen, { assignee })}
        />
        <DraftField
          label="Due"
          type="date"
          disabled={isFixed}
          value={decision?.due?.slice(0, 10) ?? ''}
          onDone={(due) => review.decide(chosen, { due })}
        />
        <datalist id="people">
          {keeper.people.value.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      {members.length > 1 && !isFixed && (
        <CheckBox checked={whole.value} onChange={setter(whole)}>
          for all {grouped(members.length)} clashes of this issue
        </CheckBox>
      )}
      {comments.length > 0 && (
        <ol class="comments" aria-label="Comments">
          {comments.map(({ author, date, text: said }, i) => (
            <li key={i}>
              <p class="said-by">{[author || 'unknown', date?.slice(0, 10)].filter(Boolean).join(', ')}</p>
              <p>{said}</p>
            </li>
          ))}
        </ol>
      )}
      {!isFixed && (
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
            {keeper.isAuthorKnown ? (
              <span>as {keeper.author.value}</span>
            ) : (
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
            )}
            <button type="button" class="primary" disabled={text.value.trim() === ''} onClick={say}>
              Add
            </button>
          </div>
        </div>
      )}
    </section>
  );
}

interface DraftFieldProps {
  readonly label: string;
  readonly type: 'text' | 'date';
  readonly value: string;
  readonly list?: string;
  readonly disabled: boolean;
  readonly onDone: (value: string) => void;
}

/** Keeps the text being typed even if the saved value changes meanwhile. */
function DraftField({ label, type, value, list, disabled, onDone }: DraftFieldProps) {
  const draft = useSignal<string | undefined>(undefined);
  return (
    <label>
      <span>{label}</span>
      <input
        type={type}
        list={list}
        disabled={disabled}
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
