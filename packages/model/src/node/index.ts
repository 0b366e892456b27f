/** `@impinge/model/node`: threads and files of Node.js. */

export { type LeastPace, Pace } from 'impinge/internal/base/pace.js';
export type { RemoteFile } from '../store/http-file.js';
export { FileSink, FileSource, fileSpill, openStoreFile } from './files.js';
export {
  type MeasureTask,
  startTaskWorker,
  type TaskFindings,
  type TaskSettings,
  type TaskWorker,
  taskPool,
} from './pair-tasks.js';
export { modelPool } from './pool.js';
export { openRemoteStore, type RemoteStoreOptions } from './remote/open-remote.js';
export { openSharedStore, type SharedStore, shareStore } from './shared-store.js';
