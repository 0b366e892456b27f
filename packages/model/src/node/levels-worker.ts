/** A thread that makes levels: simplifies the groups it is sent, one after the other. */
import { parentPort } from 'node:worker_threads';
import { arraysOf } from '../levels/cluster.js';
import type { GroupTask, SimplifiedGroup } from '../levels/group-task.js';
import { simplifyGroup } from '../levels/simplify-group.js';
import type { LevelsReply } from './levels-messages.js';
import { sentError } from './sent-error.js';

/** Every array once, so that nothing is copied. */
function buffersOf(group: SimplifiedGroup | undefined): ArrayBuffer[] {
  const arrays = group && [
    ...group.between.flatMap(({ positions, indices }) => [positions, indices]),
    ...group.end.clusters.flatMap(arraysOf),
  ];
  return arrays?.map(({ buffer }) => buffer as ArrayBuffer) ?? [];
}

parentPort!.on('message', (task: GroupTask) => {
  let reply: LevelsReply;
  try {
    reply = { group: simplifyGroup(task) };
  } catch (error) {
    reply = { error: sentError(error) };
  }
  parentPort!.postMessage(reply, 'group' in reply ? buffersOf(reply.group) : []);
});
