/** The worker of exact queries. */
import { openStoreUrl } from '@impinge/model';
import { openServedStore } from '../streaming/page-port.js';
import type { AskedQuestion } from '../worker-questions.js';
import { exactRequests } from './exact-requests.js';

const open = (from: string | MessagePort) =>
  typeof from === 'string' ? openStoreUrl(from) : openServedStore(from);
const receive = exactRequests(open, (reply) => postMessage(reply));
addEventListener('message', ({ data }: MessageEvent<AskedQuestion>) => receive(data));
