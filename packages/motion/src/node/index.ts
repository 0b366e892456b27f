/** `@impinge/motion/node`: robots out of files. */
export { type LoadedRobot, type LoadRobotOptions, loadRobot, robotFolder } from './robot-folder.js';
