/** The thread of the exact engine. */
import { openStoreUrl } from '@impinge/model';
import { type EngineMessage, type EngineReply, engineRequests } from './engine-requests.js';

const receive = engineRequests(openStoreUrl, (reply: EngineReply) => postMessage(reply));
addEventListener('message', (event: MessageEvent<EngineMessage>) => receive(event.data));
