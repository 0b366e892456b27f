/** Makes scenes for simulation by name. */
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { closestWord } from '@impinge/cli/internal/rules/closest-word.js';
import { count } from '@impinge/cli/internal/terminal.js';
import { breakingScene } from './breaking-scene.js';
import {
  dominoesScene,
  gearsScene,
  numbersBowlScene,
  nutBoltScene,
  pileScene,
  pyramidScene,
  spoonCupScene,
  torusPegScene,
} from './rigid-scenes.js';
import { type ListedScene, SCENE_LIST, SCENE_NAMES, type SceneName } from './scene-list.js';
import type { SceneChoice, SimulatedScene } from './simulated-scene.js';
import { clothBallScene, clothBunnyScene, lettersScene, toriScene } from './soft-scenes.js';
import { statueScene } from './statue-scene.js';

type SceneMaker = (choice: SceneChoice) => SimulatedScene | Promise<SimulatedScene>;

const SCENES: Readonly<Record<SceneName, SceneMaker>> = {
  tori: toriScene,
  'cloth-bunny': clothBunnyScene,
  letters: lettersScene,
  'cloth-ball': clothBallScene,
  breaking: breakingScene,
  pyramid: pyramidScene,
  dominoes: dominoesScene,
  gears: gearsScene,
  'nut-bolt': nutBoltScene,
  pile: pileScene,
  'spoon-cup': spoonCupScene,
  'torus-peg': torusPegScene,
  'numbers-bowl': numbersBowlScene,
  statue: statueScene,
};

export async function readScene(name: string, choice: SceneChoice): Promise<SimulatedScene> {
  if (!Object.hasOwn(SCENE_LIST, name)) {
    const near = closestWord(name, SCENE_NAMES);
    throw new CommandError(
      `there is no scene "${name}"; ${near === undefined ? `the scenes are ${SCENE_NAMES.join(', ')}` : `did you mean ${near}?`}`,
    );
  }
  const { counted, rigid }: ListedScene = SCENE_LIST[name as SceneName];
  if (choice.model !== undefined && name !== 'cloth-bunny' && name !== 'statue') {
    throw new CommandError(`--model is for cloth-bunny and statue, not for ${name}`);
  }
  if (choice.on !== undefined && name !== 'statue') {
    throw new CommandError(`--on is for statue, not for ${name}`);
  }
  if (choice.error !== undefined && !rigid) {
    throw new CommandError(`--error is for scenes of rigid bodies, not for ${name}`);
  }
  if (choice.contactLevels !== undefined && !rigid) {
    throw new CommandError(`--contact-levels is for scenes of rigid bodies, not for ${name}`);
  }
  if (choice.count !== undefined) {
    if (!counted) throw new CommandError(`--count is not for ${name}`);
    if (choice.count < 1 || choice.count > counted.most) {
      throw new CommandError(
        `--count: ${choice.count} is not from 1 to ${count(counted.most)} ${counted.what}`,
      );
    }
  }
  return SCENES[name as SceneName](choice);
}
