/** `impinge/node`: what Node.js has to supply: threads and files. */
export { FileSink, FileSource, fileSpill, openStoreFile } from './files.js';
export { nodePool } from './threads.js';
