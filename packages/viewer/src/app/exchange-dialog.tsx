/** Exports and imports decisions. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { CheckBox, Segments } from '../../../ui/src/controls.js';
import { reviewFile } from '../../../ui/src/decisions.js';
import { saveFile } from '../../../ui/src/save-file.js';
import { setter } from '../../../ui/src/signals.js';
import { grouped, plural } from '../../../ui/src/text.js';
import { exportBcf, exportBody, importBcf } from '../review/bcf-exchange.js';
import type { ModelReview } from '../review/report.js';
import { picturedClashes, picturesOfIssues } from './bcf-pictures.js';
import { Modal } from './controls.js';
import type { Viewer } from './viewer.js';

interface Props {
  readonly viewer: Viewer;
  readonly review: ModelReview;
}

export function ExchangeDialog({ viewer, review }: Props) {
  const { live, saving } = viewer.manifest.value;
  return (
    <Modal viewer={viewer} title="Exchange decisions">
      {live && <BcfExport viewer={viewer} review={review} />}
      {live && !saving?.readOnly && <BcfImport viewer={viewer} review={review} />}
      <section>
        <h3>review.json</h3>
        <p>
          All decisions in one file, which <code>impinge check --review</code> reads.
          {!live && ' This page has no server to save them: download them before you close it.'}
        </p>
        <div class="button-row">
          <button
            type="button"
            class={live ? '' : 'primary'}
            onClick={() => {
              const text = reviewFile(review.keeper.decisions.peek());
              saveFile(new Blob([text], { type: 'application/json' }), 'review.json');
            }}
          >
            Download review.json
          </button>
        </div>
      </section>
    </Modal>
  );
}

const VERSIONS = { '2.1': 'BCF 2.1', '3.0': 'BCF 3.0' } as const;

function BcfExport({ viewer, review }: Props) {
  const version = useSignal<keyof typeof VERSIONS>('2.1');
  const pictures = useSignal(true);
  const note = useSignal('');
  const running = useRef<AbortController | null>(null);
  const count = picturedClashes(review).length;
  useEffect(() => () => running.current?.abort(), []);

  async function run(): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    note.value = 'Preparing …';
    try {
      const progress = (done: number) => {
        note.value = `Picture ${grouped(done)} of ${grouped(count)}`;
      };
      const taken = pictures.peek() ? await picturesOfIssues(viewer, review, progress, abort.signal) : [];
      if (abort.signal.aborted) return;
      note.value = 'Writing …';
      const body = exportBody(taken, viewer.metresPerUnit.peek());
      const archive = await exportBcf(version.peek(), body, viewer.manifest.peek().saving);
      saveFile(archive, version.peek() === '3.0' ? 'clashes.bcf' : 'clashes.bcfzip');
      note.value = `Exported, with ${plural(taken.length, 'picture')}.`;
    } catch (error) {
      note.value = `Not exported: ${(error as Error).message}`;
    } finally {
      running.current = null;
    }
  }

  const busy = running.current !== null && note.value !== '';
  return (
    <section>
      <h3>To BCF</h3>
      <p>All issues with their decisions, for other tools.</p>
      <Segments label="Version" options={VERSIONS} value={version.value} onChange={setter(version)} />
      <CheckBox checked={pictures.value} onChange={setter(pictures)}>
        with pictures of the {plural(count, 'issue')} listed
      </CheckBox>
      <div class="button-row">
        <button type="button" class="primary" disabled={busy} onClick={() => void run()}>
          Export
        </button>
        <span role="status">{note.value}</span>
      </div>
    </section>
  );
}

function BcfImport({ viewer, review }: Props) {
  const note = useSignal('');
  async function read(file: File): Promise<void> {
    note.value = 'Reading …';
    try {
      const { topics, strangers, remarks, changed } = await importBcf(file, viewer.manifest.peek().saving);
      await review.keeper.load();
      const others = strangers > 0 ? `; ${grouped(strangers)} not about this report` : '';
      const news = changed > 0 ? `${plural(changed, 'clash', 'clashes')} changed` : 'no changes';
      const kept = remarks > 0 ? `; ${grouped(remarks)} about no clash kept` : '';
      note.value = `${plural(topics, 'topic')} read: ${news}${kept}${others}.`;
    } catch (error) {
      note.value = `Not imported: ${(error as Error).message}`;
    }
  }
  return (
    <section>
      <h3>From BCF</h3>
      <p>Imports changes from a BCF file (2.0, 2.1, 3.0): status, assignee, due date and comments.</p>
      <input
        type="file"
        aria-label="BCF file"
        accept=".bcf,.bcfzip,.zip"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void read(file);
        }}
      />
      <span role="status">{note.value}</span>
    </section>
  );
}
