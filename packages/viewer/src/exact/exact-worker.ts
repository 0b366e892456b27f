/** The worker of exact queries. */
import { openStoreUrl } from '@impinge/model';
import type { AskedQuestion } from '../worker-questions.js';
import { exactRequests } from './exact-requests.js';

const receive = exactRequests(openStoreUrl, (reply) => postMessage(reply));
addEventListener('message', ({ data }: MessageEvent<AskedQuestion>) => receive(data));
