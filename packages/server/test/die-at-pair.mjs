// Kills the process when one of its threads is to measure a certain pair: POISON is "a,b", object numbers.
import { Worker } from 'node:worker_threads';

const [a, b] = process.env.POISON.split(',').map(Number);
const { postMessage } = Worker.prototype;

Worker.prototype.postMessage = function (order, ...rest) {
  const { triples = [] } = order ?? {};
  for (let i = 0; i < triples.length; i += 3) {
    if (triples[i] === a && triples[i + 1] === b) process.kill(process.pid, 'SIGKILL');
  }
  return postMessage.call(this, order, ...rest);
};
