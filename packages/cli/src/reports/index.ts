/** The parts of reports that every check needs, loaded on demand. */
export { describeModel } from './describe-model.js';
export { excludedCounts } from './excluded.js';
export { groupClashes } from './group-clashes.js';
export { painterOf } from './painter-threads.js';
export { Places } from './places.js';
export { storePathFrom } from './report-record.js';
export { Scenery } from './scenery.js';
export { writeReports } from './write-reports.js';
