import { expect, test } from 'vitest';
import { type Address, EMPTY_ADDRESS, readAddress, writeAddress } from '../src/app/address.js';

test('an address says all that was said, and nothing usual', () => {
  const address: Address = {
    theme: 'dark',
    tab: 'clashes',
    tree: 'type',
    search: 'beam & <b>',
    objects: ['3bXiCStxP6Fgxdej$yc503', '@7'],
    clash: '9c246422847a7c51',
    filters: {
      text: 'a b',
      kinds: ['hard', 'clearance'],
      review: ['new'],
      baseline: ['gone'],
      rule: 'all #1',
      storey: 'Level 2',
      room: 'A102 Bathroom',
      type: 'IfcWall',
      assignee: 'Ada',
      issue: 'g1',
      pair: ['disciplines', 'structure', 'piping'],
      range: ['depth', 0.02, Infinity],
    },
    sort: 'due',
    descending: true,
    issues: true,
    surroundings: 'cut',
    plan: 'Level 1',
    view: { eye: [1.5, -2, 3.0001], target: [0, 0, 0], up: [0, 0, 1], fieldOfView: 50, height: 12 },
  };
  expect(readAddress(`#${writeAddress(address)}`)).toEqual(address);
  expect(writeAddress(EMPTY_ADDRESS)).toBe('');
  expect(readAddress('')).toEqual(EMPTY_ADDRESS);
});

test('nonsense in a link is left out', () => {
  for (const view of ['1_2', 'a_'.repeat(11), '1_1_1_0_0_0_0_0_1_200_1', '1_1_1_0_0_0_0_0_1_50_0']) {
    expect(readAddress(`view=${view}`)).toEqual(EMPTY_ADDRESS);
  }
  const nonsense = 'theme=pink&tab=constructor&tree=__proto__&sort=toString&pair=a&around=x&range=depth_2_1';
  expect(readAddress(nonsense)).toEqual(EMPTY_ADDRESS);
});
