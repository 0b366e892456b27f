/** One clash: its kind and depth, its two objects, and the decision about it. */
import type { ComponentChildren } from 'preact';
import type { ClashReview } from './clash-review.js';
import { Copy, IconButton } from './controls.js';
import { DecisionForm } from './decision-form.js';
import { grouped, pointText } from './text.js';

interface Props {
  readonly review: ClashReview;
  readonly clash: number;
  readonly onStep: (by: 1 | -1) => void;
  /** A page's own button for one of the two objects. */
  readonly objectTool?: (side: 0 | 1) => ComponentChildren;
  /** Further terms and definitions of a page, below its location. */
  readonly facts?: ComponentChildren;
  /** A page's own content above the objects. */
  readonly children?: ComponentChildren;
}

export function ClashDetails({ review, clash, onStep, objectTool, facts, children }: Props) {
  const { report } = review;
  const { clashes, groups, rules, storeys, rooms, grids, penetrations } = report.data;
  const places = [
    ['Storey', storeys[clashes.storey[clash]]],
    ['Room', rooms[clashes.room[clash]]],
    ['Grid', grids[clashes.grid[clash]]],
    ['Penetration', penetrations[clashes.penetration[clash]]],
  ] as const;
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
            label="Previous clash (p)"
            disabled={at === 0}
            onClick={() => onStep(-1)}
          />
          <IconButton
            icon="next"
            label="Next clash (n)"
            disabled={at === review.listed.value - 1}
            onClick={() => onStep(1)}
          />
          <IconButton icon="close" label="Deselect the clash (Escape)" onClick={() => review.showNone()} />
        </span>
      </header>
      {children}
      <ClashObject review={review} clash={clash} side={0} tool={objectTool?.(0)} />
      <ClashObject review={review} clash={clash} side={1} tool={objectTool?.(1)} />
      <DecisionForm key={clash} review={review} clash={clash} />
      <section>
        <h3>Location and rule</h3>
        <dl>
          <dt>At</dt>
          <dd>
            <Copy text={pointText(report.pointOf(clash))} label="the point" /> m
          </dd>
          {places.map(
            ([title, text]) =>
              text !== '' && (
                <>
                  <dt>{title}</dt>
                  <dd>{text}</dd>
                </>
              ),
          )}
          <dt>Rule</dt>
          <dd>{rules[clashes.rule[clash]] || '–'}</dd>
          <dt>Issue</dt>
          <dd>
            <button type="button" class="link" onClick={() => review.filter({ issue: issueId })}>
              {issueTitle}
            </button>
            <Copy text={issueId} label="the issue's id" />
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
          {clashes.formerIds[clash] !== '' && (
            <>
              <dt>Before</dt>
              <dd>
                <Copy text={clashes.formerIds[clash]} label="its earlier ids" />
              </dd>
            </>
          )}
          {facts}
        </dl>
      </section>
    </div>
  );
}

interface ClashObjectProps {
  readonly review: ClashReview;
  readonly clash: number;
  readonly side: 0 | 1;
  readonly tool: ComponentChildren;
}

function ClashObject({ review, clash, side, tool }: ClashObjectProps) {
  const { objects, clashes } = review.report.data;
  const [name, path, id, type, file] = objects[side === 0 ? clashes.a[clash] : clashes.b[clash]];
  const letter = 'AB'[side];
  return (
    <section class={`clash-card side-${letter.toLowerCase()}`} aria-label={`Object ${letter}`}>
      <span class="letter">{letter}</span>
      <div>
        <b>{name}</b>
        <small>{path}</small>
        <small>{[type, file].filter(Boolean).join(' · ')}</small>
        {id !== '' && (
          <small>
            <Copy text={id} label="its id" />
          </small>
        )}
      </div>
      {tool}
    </section>
  );
}
