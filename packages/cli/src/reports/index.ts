/** Everything that every check needs of reports, loaded when it is done. */
export { describeModel } from './describe-model.js';
export { GridCells } from './grid-cells.js';
export { groupClashes } from './group-clashes.js';
export { painterOf } from './painter-threads.js';
export { storePathFrom } from './report-record.js';
export { Scenery } from './scenery.js';
export { writeReports } from './write-reports.js';
