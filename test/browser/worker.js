import { answers } from './answers.js';

postMessage(answers());
