/**
 * From measured rows to figures: sums, ratios on equal poses, medians over runs, agreement of answers, printed tables.
 *
 * A ratio compares a peer with ours on exactly the poses given to the peer. If these are only some of the poses, the
 * peer's time is scaled up to all of them and starred.
 */
import { formatNumber, median, rangeOf } from './measure/figures.mjs';

/** Rows that a peer names differently from ours, and their counterparts. */
export const COMPARED_WITH = { 'within-stop': 'within', 'build-center': 'build-fast' };

/**
 * @param {Map<string, object[]>} rowsOf contender → measured rows; ours under 'ours'
 * @returns {object[]} one figure per contender, query and class (class '' is all of them)
 */
export function summarise(scenario, rowsOf) {
  const figures = [];
  const ours = rowsOf.get('ours') ?? [];
  for (const [contender, rows] of rowsOf) {
    for (const query of new Set(rows.map((row) => row.query))) {
      const asked = rows.filter((row) => row.query === query);
      const kinds = new Set(asked.map((row) => row.kind));
      for (const kind of kinds.size > 1 ? ['', ...kinds] : ['']) {
        const chosen = asked.filter((row) => kind === '' || row.kind === kind);
        const poses = new Set(chosen.map((row) => row.pose));
        const counterpart = ours.filter(
          (row) => row.query === (COMPARED_WITH[query] ?? query) && poses.has(row.pose),
        );
        const ms = sum(chosen, 'ms');
        const oursMs = counterpart.length === chosen.length ? sum(counterpart, 'ms') : null;
        figures.push({
          scenario,
          query,
          kind,
          contender,
          poses: chosen.length,
          ms,
          oursMs,
          ratio: contender === 'ours' || oursMs === null || oursMs === 0 ? null : ms / oursMs,
          answer: sum(chosen, 'answer'),
        });
      }
    }
  }
  return figures;
}

/**
 * Merges the figures of several runs: medians, with the value of each run.
 * @param {object[][]} figuresOfRuns
 */
export function overRuns(figuresOfRuns) {
  const same = (f, g) => ['query', 'kind', 'contender'].every((key) => f[key] === g[key]);
  return figuresOfRuns[0].map((first) => {
    const all = figuresOfRuns.map((figures) => figures.find((figure) => same(figure, first))).filter(Boolean);
    const samples = all.map(({ ms }) => ms);
    const ratios = all.map(({ ratio }) => ratio).filter((ratio) => ratio !== null);
    return {
      ...first,
      ms: median(samples),
      samples,
      oursMs: first.oursMs === null ? null : median(all.map(({ oursMs }) => oursMs)),
      ratio: ratios.length === 0 ? null : median(ratios),
      ratios,
    };
  });
}

/** One line per query (and class), one column per contender: `ms (ratio)`. */
export function queryTable(figures, contenders, { unit, poseCount }) {
  const perClass = unit === 'mean by class';
  const shown = figures.filter((figure) => (perClass ? figure.kind !== '' : figure.kind === ''));
  const labels = [...new Set(shown.map((figure) => `${figure.query} ${figure.kind}`.trim()))];
  const header = ['', ...contenders.map((contender) => contender.name)];
  const lines = labels.map((label) => [
    label,
    ...contenders.map(({ name }) => {
      const figure = shown.find((f) => f.contender === name && `${f.query} ${f.kind}`.trim() === label);
      if (!figure) return '–';
      const isPartial = !perClass && figure.poses < poseCount;
      const value = perClass ? figure.ms / figure.poses : (figure.ms * poseCount) / figure.poses;
      const ratio =
        figure.ratio === null
          ? ''
          : ` (${formatNumber(figure.ratio)}×${rangeOf(figure.ratios).replace(' (', ', ').replace(')', '')})`;
      return `${formatNumber(value)}${isPartial ? '*' : ''}${ratio}`;
    }),
  ]);
  const partial = perClass ? [] : shown.filter((figure) => figure.poses < poseCount);
  const notes = partial
    .filter((figure) => figure.contender !== 'ours' && figure.oursMs !== null)
    .map((figure) => {
      const both = `${formatNumber(figure.ms)} ms, ours ${formatNumber(figure.oursMs)} ms`;
      return `* ${figure.contender}, ${figure.query}: ${both} on ${figure.poses} of ${poseCount} poses`;
    });
  if (partial.length > 0) notes.push('* scaled up to all poses; ratios are of the poses both were asked');
  return [...alignColumns([header, ...lines]), ...notes].join('\n');
}

export function buildTable(figures, contenders) {
  const lines = [['', 'ms', 'B/triangle', 'cost', 'ours is faster by']];
  for (const { name } of contenders) {
    const own = figures.filter((figure) => figure.contender === name && !figure.query.endsWith('-cost'));
    for (const figure of own) {
      const cost = figures.find((f) => f.contender === name && f.query === `${figure.query}-cost`);
      const against = COMPARED_WITH[figure.query] ?? 'build-sah';
      const ours = figures.find(
        (f) => f.contender === 'ours' && f.query === (figure.query === 'refit' ? 'refit' : against),
      );
      lines.push([
        `${name} ${figure.query}`,
        formatNumber(figure.ms),
        figure.answer ? formatNumber(figure.answer) : '',
        cost ? formatNumber(cost.answer) : '',
        ours && name !== 'ours' ? `${formatNumber(figure.ms / ours.ms)}× (${ours.query})` : '',
      ]);
    }
  }
  return alignColumns(lines).join('\n');
}

/** Whether all answers agree: with the known answers, and with the peer that was asked most, on the same input. */
export function agreement(rowsOf, answers, tau) {
  const lines = [];
  const witnesses = [];
  if (answers) {
    witnesses.push(['the reference', (query, pose) => referenceAnswer(query, answers[pose], tau)]);
  }
  const peers = [...rowsOf.keys()].filter((name) => name !== 'ours');
  const [peer] = peers.sort((p, q) => rowsOf.get(q).length - rowsOf.get(p).length);
  if (peer) {
    const known = new Map(rowsOf.get(peer).map((row) => [`${row.query} ${row.pose}`, row.answer]));
    witnesses.push([peer, (query, pose) => known.get(`${COMPARED_WITH[query] ?? query} ${pose}`)]);
  }
  for (const [contender, rows] of rowsOf) {
    for (const [witness, answerOf] of witnesses) {
      if (witness === contender) continue;
      const parts = [];
      for (const query of new Set(rows.map((row) => row.query))) {
        const asked = rows.filter((row) => row.query === query && answerOf(query, row.pose) !== undefined);
        if (asked.length === 0) continue;
        if (query === 'distance') {
          const off = asked.map((row) =>
            Math.abs(Math.max(0, row.answer) - Math.max(0, answerOf(query, row.pose))),
          );
          parts.push(`distance within ${Math.max(...off).toExponential(1)}`);
        } else {
          const differing = asked.filter((row) => row.answer !== answerOf(query, row.pose)).length;
          const total = query === 'all' || query === 'self' ? ` (${sum(asked, 'answer')} pairs)` : '';
          parts.push(
            `${query} ${differing === 0 ? 'equal on all' : `DIFFERS on ${differing} of`} ${asked.length}${total}`,
          );
        }
      }
      lines.push(`  ${contender} against ${witness}: ${parts.join(', ') || 'nothing in common'}`);
    }
  }
  return lines.join('\n');
}

function referenceAnswer(query, { pairs, distance }, tau) {
  if (query === 'any') return Number(pairs > 0);
  if (query === 'all') return pairs;
  if (query === 'distance') return distance;
  return Number(distance <= tau);
}

export const CSV_HEADER =
  'scenario,query,class,contender,version,poses,runs,ms,ms_min,ms_max,ours_ms_same_poses,ratio,ratio_min,ratio_max,answer,cpu,node';

export function toCsv(figures, versionOf, machine) {
  return figures.map((f) =>
    [
      f.scenario,
      f.query,
      f.kind,
      f.contender,
      versionOf(f.contender),
      f.poses,
      f.samples.length,
      ...[f.ms, Math.min(...f.samples), Math.max(...f.samples)].map((ms) => round(ms)),
      f.oursMs === null ? '' : round(f.oursMs),
      ...(f.ratio === null
        ? ['', '', '']
        : [f.ratio, Math.min(...f.ratios), Math.max(...f.ratios)].map((ratio) => round(ratio))),
      round(f.answer, 12),
      `"${machine.cpu}"`,
      machine.node,
    ].join(','),
  );
}

export function sum(rows, key) {
  return rows.reduce((total, row) => total + row[key], 0);
}

function round(value, digits = 5) {
  return Number(value.toPrecision(digits));
}

export function alignColumns(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  '),
  );
}
