/** The ways out that rules about access have found, above the clashes: each can be played. */
import type { ReportWay } from '../../../cli/src/wire/report.js';
import { grouped, lengthText } from '../../../ui/src/text.js';
import type { Viewer } from './viewer.js';

interface Props {
  readonly viewer: Viewer;
  readonly ways: readonly ReportWay[];
}

export function WaysBox({ viewer, ways }: Props) {
  if (ways.length === 0) return null;
  const shown = viewer.way.value;
  return (
    <details class="findings ways" open={shown !== undefined}>
      <summary>
        Ways out that were proved <span class="count">{grouped(ways.length)}</span>
      </summary>
      <ul>
        {ways.map((way) => (
          <li key={way.url}>
            <button
              type="button"
              aria-pressed={way === shown}
              title={way === shown ? 'No longer show this way' : 'Play this way'}
              onClick={() => void viewer.showWay(way === shown ? undefined : way)}
            >
              <b>{viewer.nameOf(way.object)}</b>
              <span>
                {way.rule}: {lengthText(way.length)} long, keeps {lengthText(way.clearance)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
