/** Summarises a model for reports. */
import type { StoredModel } from '@impinge/model';
import type { ReportModel } from './report-data.js';

export function describeModel(model: StoredModel): ReportModel {
  const { meta, directory } = model;
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < directory.objectBox.length; i += 6) {
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], meta.metresPerUnit * directory.objectBox[i + k]);
      max[k] = Math.max(max[k], meta.metresPerUnit * directory.objectBox[i + 3 + k]);
    }
  }
  const dates = meta.files.map(({ modified }) => modified).sort();
  return {
    title: meta.title,
    files: meta.files,
    objectCount: model.objectCount,
    triangleCount: model.triangleCount,
    disciplines: model.texts('discipline'),
    date: dates[dates.length - 1] ?? '1970-01-01T00:00:00.000Z',
    box: { min, max },
  };
}
