/** The list of keys. */
import { COMMANDS, type Command } from './commands.js';
import { Modal } from './controls.js';
import type { Viewer } from './viewer.js';

const GROUPS: readonly Command['group'][] = ['Picture', 'Objects', 'Clashes', 'Page'];

const POINTERS = [
  ['Drag', 'turn; in walk and fly: look around'],
  ['Right drag, or two fingers', 'move the picture'],
  ['Wheel, or pinch', 'nearer and farther, towards the pointer'],
  ['Click', 'select; with Ctrl besides others'],
  ['Double click', 'fit'],
  ['W A S D, Q E, arrows', 'walk and fly'],
  ['Arrows, Page keys, comma, period', 'move and turn the object taken; with Shift more'],
] as const;

export function HelpDialog({ viewer }: { readonly viewer: Viewer }) {
  const withClashes = viewer.review.value !== undefined;
  return (
    <Modal
      title="Keys and pointers"
      class="wide"
      onClose={() => {
        viewer.dialog.value = 'none';
      }}
    >
      <div class="keys">
        <section>
          <h3>Pointer</h3>
          <dl>
            {POINTERS.map(([how, what]) => (
              <div key={how}>
                <dt>{how}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
        {GROUPS.filter((group) => withClashes || group !== 'Clashes').map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {Object.values(COMMANDS)
                .filter((command) => command.group === group)
                .map(({ title, keys }) => (
                  <div key={title}>
                    <dt>
                      {keys.map((key) => (
                        <kbd key={key}>{key === 'F' ? 'Shift+F' : key}</kbd>
                      ))}
                    </dt>
                    <dd>{title}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>Lists</h3>
          <dl>
            <div>
              <dt>
                <kbd>↑</kbd> <kbd>↓</kbd>
              </dt>
              <dd>one row; also Page, Home and End</dd>
            </div>
            <div>
              <dt>
                <kbd>←</kbd> <kbd>→</kbd>
              </dt>
              <dd>close and open a group</dd>
            </div>
            <div>
              <dt>
                <kbd>Enter</kbd>
              </dt>
              <dd>select and fit; with Shift besides others</dd>
            </div>
          </dl>
        </section>
      </div>
    </Modal>
  );
}
