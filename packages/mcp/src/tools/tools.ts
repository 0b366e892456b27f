/** All tools, in the order in which agents see them. */
import type { Tool } from '../tool.js';
import { checkModel, explainClash, listClashes, listNear } from './check-tools.js';
import { collide, measureDistance } from './measure-tools.js';
import { describeModel, listFiles } from './model-tools.js';
import { findPath, findPlace } from './motion-tools.js';

export const TOOLS: readonly Tool[] = [
  listFiles,
  describeModel,
  checkModel,
  listClashes,
  explainClash,
  listNear,
  measureDistance,
  collide,
  findPath,
  findPlace,
];
