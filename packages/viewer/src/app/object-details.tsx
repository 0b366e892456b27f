/** The details of the selection. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Copy, IconButton } from '../../../ui/src/controls.js';
import { grouped, lengthText, plural, pointText } from '../../../ui/src/text.js';
import { boxAround, type ObjectDetails as Details } from '../model/object-columns.js';
import { COMMANDS } from './commands.js';
import type { Viewer } from './viewer.js';

/** Turns `partOf` into `Part of`. */
function titleOf(kind: string): string {
  return kind[0].toUpperCase() + kind.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function ObjectDetails({ viewer }: { readonly viewer: Viewer }) {
  const objects = [...viewer.selection.value];
  const columns = viewer.columns.value!;
  const box = boxAround(columns, objects)!;
  const unit = columns.metresPerUnit;
  const triangles = objects.reduce((sum, object) => sum + columns.triangles[object], 0);
  return (
    <div class="details">
      <header class="details-head">
        <div>
          <p class="eyebrow">
            {objects.length === 1
              ? columns.texts.type.list[columns.texts.type.of[objects[0]]] || 'Object'
              : 'Selection'}
          </p>
          <h2>{objects.length === 1 ? columns.names[objects[0]] : plural(objects.length, 'object')}</h2>
        </div>
        <IconButton
          icon="close"
          label="Clear the selection (Escape)"
          onClick={() => {
            viewer.selection.value = new Set();
          }}
        />
      </header>
      <div class="button-row">
        {(['fit', 'isolate', 'ghost', 'hide'] as const).map((name) => (
          <button key={name} type="button" onClick={() => COMMANDS[name].run(viewer)}>
            {titleOf(name)}
          </button>
        ))}
      </div>
      {objects.length === 1 && <OneObject viewer={viewer} object={objects[0]} />}
      <section>
        <h3>Geometry</h3>
        <dl>
          <dt>Triangles</dt>
          <dd>{grouped(triangles)}</dd>
          <dt>Size</dt>
          <dd>{[0, 1, 2].map((axis) => lengthText((box[axis + 3] - box[axis]) * unit)).join(' × ')}</dd>
          <dt>From</dt>
          <dd>
            <Copy text={pointText(box.map((x) => x * unit))} label="the minimum corner" />
          </dd>
          <dt>To</dt>
          <dd>
            <Copy text={pointText(box.slice(3).map((x) => x * unit))} label="the maximum corner" />
          </dd>
        </dl>
      </section>
    </div>
  );
}

function OneObject({ viewer, object }: { readonly viewer: Viewer; readonly object: number }) {
  const details = useSignal<Details | undefined>(undefined);
  const table = viewer.table.value;
  useEffect(() => {
    let gone = false;
    table?.details(object).then(
      (found) => {
        if (!gone) details.value = found;
      },
      (error) => viewer.fail('Could not load the properties', error),
    );
    return () => {
      gone = true;
    };
  }, [object, table]);
  const found = details.value;
  const unit = viewer.metresPerUnit.value;
  if (!found || found.object !== object) return <p class="empty">Loading …</p>;
  const texts = [
    ['Id', found.id],
    ['Path', found.path],
    ['Storey', found.storey],
    ['Discipline', found.discipline],
    ['File', found.file],
  ] as const;
  return (
    <>
      <section>
        <dl>
          {texts.map(
            ([name, value]) =>
              value !== '' && (
                <Pair key={name} name={name}>
                  {name === 'Id' ? <Copy text={value} label="this id" /> : value}
                </Pair>
              ),
          )}
          {found.labels.map(([kind, values]) => (
            <Pair key={kind} name={titleOf(kind)}>
              {values.join(', ')}
            </Pair>
          ))}
        </dl>
      </section>
      {found.relations.length > 0 && (
        <section>
          <h3>Relations</h3>
          <dl>
            {found.relations.map(([kind, ids]) => (
              <Pair key={kind} name={titleOf(kind)}>
                <Related viewer={viewer} ids={ids} />
              </Pair>
            ))}
          </dl>
        </section>
      )}
      {found.properties.length > 0 && <Properties properties={found.properties} />}
      <section>
        <h3>Precision</h3>
        <dl>
          <dt>Rounding</dt>
          <dd>{found.rounding === 0 ? 'none' : lengthText(found.rounding * unit)}</dd>
          <dt>Curves</dt>
          <dd>{found.curveError === 0 ? 'exact' : `within ${lengthText(found.curveError * unit)}`}</dd>
          <dt>Surface</dt>
          <dd>{found.closed ? 'closed: a solid' : 'open'}</dd>
        </dl>
      </section>
    </>
  );
}

/** Groups properties, named `Set.Property`, by their set. */
function Properties({ properties }: { readonly properties: Details['properties'] }) {
  const sets = new Map<string, [string, string][]>();
  for (const [name, value] of properties) {
    const dot = name.indexOf('.');
    const [set, own] = dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : ['Properties', name];
    sets.set(set, [...(sets.get(set) ?? []), [own, value]]);
  }
  return (
    <>
      {[...sets].map(([set, own]) => (
        <section key={set}>
          <h3>{set}</h3>
          <dl>
            {own.map(([name, value], i) => (
              <Pair key={i} name={name}>
                {value}
              </Pair>
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}

/** Related objects; those in the store are links. */
function Related({ viewer, ids }: { readonly viewer: Viewer; readonly ids: readonly string[] }) {
  const columns = viewer.columns.value!;
  return (
    <>
      {ids.slice(0, 50).map((id) => {
        const object = columns.ids.indexOf(id);
        if (object < 0) return <span key={id}>{id} </span>;
        return (
          <button
            key={id}
            type="button"
            class="link"
            onClick={() => viewer.select([object], { frame: true })}
          >
            {columns.names[object]}
          </button>
        );
      })}
      {ids.length > 50 && ` and ${grouped(ids.length - 50)} more`}
    </>
  );
}

function Pair({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
