/** Storeys from above. */
import { lengthText } from '../../../ui/src/text.js';
import type { Viewer } from '../app/viewer.js';
import type { ToolEntry } from './tool.js';

export const planTool: ToolEntry = {
  title: 'Storey plans',
  help: 'Storey plans',
  key: 'l',
  icon: 'plan',
  group: 'Picture',
  make: (viewer) => ({
    card: () => <PlanCard viewer={viewer} />,
    get isOn() {
      return viewer.plan.value !== undefined;
    },
  }),
};

function PlanCard({ viewer }: { readonly viewer: Viewer }) {
  const storeys = viewer.storeys.value;
  const shown = viewer.plan.value?.name;
  return (
    <>
      {storeys.length === 0 ? (
        <p class="hint">This model has no storeys.</p>
      ) : (
        <ul class="choices">
          {[...storeys].reverse().map((storey) => (
            <li key={storey.name}>
              <button
                type="button"
                aria-pressed={storey.name === shown}
                onClick={() => viewer.showPlan(storey.name === shown ? undefined : storey)}
              >
                <span>{storey.name}</span>
                <small>{heightText(storey.floor * viewer.metresPerUnit.value)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      {shown !== undefined && (
        <div class="button-row">
          <button type="button" onClick={() => viewer.showPlan(undefined)}>
            Whole model
          </button>
        </div>
      )}
    </>
  );
}

function heightText(z: number): string {
  return Math.abs(z) < 5e-4 ? '±0 m' : `${z > 0 ? '+' : '−'}${lengthText(Math.abs(z))}`;
}
