/** Robots out of files: what good ones say, and that bad ones are refused by one line that names file and line. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distance, ImpingeError, Mesh } from 'impinge';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/index.mjs';
import { readCollada } from '../../src/mechanism/files/collada.js';
import { readDisabledPairs, readRobot } from '../../src/mechanism/files/read-robot.js';
import type { Mechanism } from '../../src/mechanism/mechanism.js';
import { loadRobot, robotFolder } from '../../src/node/robot-folder.js';

const utf8 = (text: string) => new TextEncoder().encode(text);

const OBJ = ['v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'v 0 0 1', 'f 1 3 2', 'f 1 2 4', 'f 1 4 3', 'f 2 3 4'].join(
  '\n',
);

const URDF = `<robot name="arm">
  <link name="base"><collision><geometry><box size="1 2 3"/></geometry></collision></link>
  <link name="upper">
    <visual><geometry><mesh filename="not-looked-at.stl"/></geometry></visual>
    <collision><origin xyz="0 0 1" rpy="0 1.5707963267948966 0"/><geometry><sphere radius="0.5"/></geometry></collision>
    <collision><geometry><cylinder radius="0.5" length="2"/></geometry></collision>
  </link>
  <link name="tool"><collision><geometry><mesh filename="tool.obj" scale="2 2 -2"/></geometry></collision></link>
  <joint name="lift" type="prismatic">
    <origin xyz="0 0 3"/><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="0" upper="1."/>
  </joint>
  <joint name="turn" type="continuous">
    <origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><parent link="upper"/><child link="tool"/><axis xyz="0 0 2"/>
  </joint>
</robot>`;

const SDF = `<sdf version="1.9"><model name="gate"><pose>0 0 10 0 0 0</pose>
  <link name="post"><pose>1 0 0 0 0 0</pose>
    <collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
  <link name="bar"><pose degrees="true">1 0 2 0 0 90</pose>
    <collision name="c"><pose>0 3 0 0 0 0</pose><geometry><sphere><radius>0.5</radius></sphere></geometry></collision>
  </link>
  <joint name="hinge" type="revolute"><parent>post</parent><child>bar</child><pose>0 1 0 0 0 0</pose>
    <axis><xyz expressed_in="__model__">1 0 0</xyz><limit><lower>-1</lower><upper>1e16</upper></limit></axis></joint>
</model></sdf>`;

/** By name: a change of a good text, and what its error says. */
type Changes = Readonly<Record<string, readonly [from: string | RegExp, to: string, message: string]>>;

/** Each change is refused in one line, which begins with the file. */
function refuses(name: string, text: string, changes: Changes, read: (text: string) => unknown): void {
  test.each(Object.entries(changes))(`${name}: %s`, async (_, [from, to, message]) => {
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    const error = await Promise.resolve(changed)
      .then(read)
      .catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(ImpingeError);
    expect((error as ImpingeError).message).toMatch(/^[^\n]*$/);
    expect((error as ImpingeError).message).toContain(message);
    expect((error as ImpingeError).message.startsWith(`${name}: `)).toBe(true);
  });
}

const files = {
  open: async (name: string) => (name === 'tool.obj' ? { name, bytes: utf8(OBJ) } : undefined),
};

/** The least coordinate of each body, by name, at a configuration. */
function boxesOf(mechanism: Mechanism, q: readonly number[]) {
  const poses = new Float64Array(12 * mechanism.links.length);
  mechanism.forward(q, poses);
  return mechanism.bodies.map(({ name, link, solid }) => {
    const posed = solid.posed(poses.slice(12 * link, 12 * link + 12));
    const round = (x: number) => Math.round(1e6 * x) / 1e6 + 0;
    const ends = [0, 1, 2].map((k) => {
      const n = [0, 0, 0];
      n[k] = 1;
      const high = posed.extent(n[0], n[1], n[2]) + posed.radius;
      return [round(-(posed.extent(-n[0], -n[1], -n[2]) + posed.radius)), round(high)];
    });
    return [name, ...ends];
  });
}

describe('good files', () => {
  test('URDF', async () => {
    const arm = await readRobot(URDF, { files });
    expect([arm.name, arm.links, arm.joints]).toEqual(['arm', ['base', 'upper', 'tool'], ['lift', 'turn']]);
    expect([[...arm.lower], [...arm.upper]]).toEqual([
      [0, -Infinity],
      [1, Infinity],
    ]);
    expect(boxesOf(arm, [0.5, 0])).toEqual([
      ['base', [-0.5, 0.5], [-1, 1], [-1.5, 1.5]],
      ['upper', [-0.5, 0.5], [-0.5, 0.5], [4, 5]],
      ['upper', [-0.5, 0.5], [-0.5, 0.5], [2.5, 4.5]],
      // turned by a right angle about z, and mirrored along it
      ['tool', [-1, 1], [0, 2], [1.5, 3.5]],
    ]);
  });

  test('SDF: poses relative to the model, joints anywhere in their links', async () => {
    const gate = await readRobot(SDF);
    expect([gate.links, gate.joints, [...gate.lower], [...gate.upper]]).toEqual([
      ...[['post', 'bar'], ['hinge']],
      ...[[-1], [Infinity]],
    ]);
    expect(boxesOf(gate, [0])).toEqual([
      ['post', [0.5, 1.5], [-0.5, 0.5], [9.5, 10.5]],
      ['bar', [-2.5, -1.5], [-0.5, 0.5], [11.5, 12.5]],
    ]);
    // the hinge is at (0, 0, 12), with its axis along x
    expect(boxesOf(gate, [1])[1]).toEqual(['bar', [-2.5, -1.5], [-0.5, 0.5], [11.5, 12.5]]);
    const across = await readRobot(SDF.replace('expressed_in="__model__">1 0 0', '>0 0 1'));
    // now about z: from x = −2 to y = −2
    expect(boxesOf(across, [Math.PI / 2])[1]).toEqual(['bar', [-0.5, 0.5], [-2.5, -1.5], [11.5, 12.5]]);
  });

  test('SDF: fixed to the world, followed, relative to frames', async () => {
    const text = `<sdf><model name="m"><frame name="f"><pose>0 0 5 0 0 0</pose></frame>
      <link name="a"><pose relative_to="f">1 0 0 0 0 0</pose></link><link name="b"/><link name="c"/>
      <joint name="j" type="fixed"><parent>world</parent><child>a</child></joint>
      <joint name="k" type="prismatic"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint>
      <joint name="l" type="revolute"><parent>a</parent><child>c</child><axis><xyz>0 1 0</xyz>
        <mimic joint="k"><multiplier>2</multiplier><offset>1</offset><reference>3</reference></mimic></axis></joint>
      </model></sdf>`;
    const robot = await readRobot(text);
    expect([robot.links, robot.joints]).toEqual([['world', 'a', 'b', 'c'], ['k']]);
    const poses = new Float64Array(48);
    robot.forward([0], poses);
    expect([...poses.subarray(21, 24)]).toEqual([1, 0, 5]);
    expect(robot.jointOf[3]).toMatchObject({ factor: 2, offset: -5 });
  });

  test('SRDF', async () => {
    const arm = await readRobot(URDF, { files });
    const srdf = '<robot name="arm">\n<disable_collisions link1="base" link2="tool" reason="Never"/></robot>';
    expect(readDisabledPairs(srdf, arm)).toEqual([['base', 'tool']]);
    expect(() => readDisabledPairs(srdf.replace('tool', 'hand'), arm, 'a.srdf')).toThrow(
      'a.srdf: line 2: "hand" is no link of arm',
    );
  });
});

const DAE = `<COLLADA><asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries><geometry id="g" name="quad"><mesh>
    <source id="s"><float_array id="f" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array>
      <technique_common><accessor count="4" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
    <polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><input
      semantic="NORMAL" source="#n" offset="1"/><vcount>4</vcount><p>0 0 1 0 2 0 3 0</p></polylist>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="all"><node><translate>0 0 100</translate><rotate>0 1 0 90</rotate>
    <scale>2 1 1</scale><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#all"/></scene></COLLADA>`;

describe('COLLADA', () => {
  test('polygons where the scene has them, in metres with Z up', () => {
    const [quad, ...rest] = readCollada(utf8(DAE), 'quad.dae');
    expect([quad.name, rest.length, [...quad.indices]]).toEqual(['quad', 0, [0, 1, 2, 0, 2, 3]]);
    const [pose] = quad.poses;
    const at = (v: number) =>
      [0, 1, 2].map((k) => {
        const p = quad.positions.subarray(3 * v, 3 * v + 3);
        const x = pose[k] * p[0] + pose[4 + k] * p[1] + pose[8 + k] * p[2] + pose[12 + k];
        return Math.round(1e9 * x) / 1e9 + 0;
      });
    // x doubled, turned about y to −z, moved by 100 along z; then y is up, and hundredths
    expect([at(0), at(1), at(3)]).toEqual([
      [0, -1, 0],
      [0, -0.98, 0],
      [0, -1, 0.01],
    ]);
  });

  const BAD: Changes = {
    'a unit of 0': ['meter="0.01"', 'meter="0"', 'line 1: a unit of 0 metres'],
    'an unknown axis': ['Y_UP', 'UP', 'line 1: unknown up axis "UP"'],
    'an index out of range': [
      '2 0 3 0</p>',
      '2 0 9 0</p>',
      'line 6: a corner refers to vertex 9, but there are 4',
    ],
    'too few indices': ['<vcount>4', '<vcount>5', 'line 6: fewer indices than corners'],
    'too few numbers': [
      'count="4" stride',
      'count="5" stride',
      'line 4: 12 numbers are too few for 5 positions',
    ],
    'a coordinate of NaN': [
      '>0 0 0 1 0 0',
      '>0 0 nan 1 0 0',
      'line 3: a coordinate is "nan", not a finite number',
    ],
    'a missing geometry': ['url="#g"', 'url="#h"', 'line 10: "#h" is no geometry of this file'],
    'a loop of nodes': [
      '<node><translate>',
      '<node id="n"><instance_node url="#n"/><translate>',
      'line 9: nodes are nested deeper than 32, or in a loop',
    ],
    'no triangles': ['polylist count', 'lines count', 'not XML'],
  };
  refuses('quad.dae', DAE, BAD, (text) => readCollada(utf8(text), 'quad.dae'));
});

describe('bad robots', () => {
  const BAD: Changes = {
    'no XML': [/^/, 'solid ', 'line 1: not XML: '],
    'cut off': [/<joint name="turn"[\s\S]*$/, '', 'line 12: not XML: unclosed tag'],
    'something else': [/robot/g, 'html', 'line 1: not URDF: it begins with <html>'],
    'a missing mesh': ['tool.obj', 'tool.stl', 'line 8: mesh "tool.stl" is missing'],
    'an unknown shape': ['<sphere radius', '<torus radius', 'line 5: unknown shape "torus"'],
    'a box without a size': ['<box size="1 2 3"/>', '<box/>', 'line 2: <box> has no size'],
    'a flat box': ['1 2 3', '1 0 3', 'line 2: size is 0, not above 0'],
    'a radius of NaN': [
      'sphere radius="0.5"',
      'sphere radius="NaN"',
      'line 5: radius is "NaN", not a finite number',
    ],
    'two numbers for three': ['xyz="0 0 1"', 'xyz="0 0"', 'line 5: xyz has 2 numbers, not 3'],
    'a scale of 0': ['2 2 -2', '2 0 2', 'line 8: a scale of 0'],
    'two links of a name': ['"tool"><', '"base"><', 'line 8: link base: there are two of this name'],
    'an unknown parent': [
      'parent link="base"',
      'parent link="x"',
      'line 9: joint lift: its parent x is no link',
    ],
    'an unknown child': [
      'child link="tool"',
      'child link="x"',
      'line 12: joint turn: its child x is no link',
    ],
    'a loop': ['parent link="base"', 'parent link="tool"', 'line 3: link upper: it is its own ancestor'],
    'two parents': [
      '<parent link="upper"/><child link="tool"/>',
      '<parent link="base"/><child link="upper"/>',
      'line 12: joint turn: link upper has two parents, by joints lift and turn: a loop',
    ],
    'no axis': ['"0 0 2"', '"0 0 0"', 'line 12: joint turn: its axis has no length'],
    'limits reversed': ['lower="0"', 'lower="2"', 'line 10: limits reversed: from 2 to 1'],
    'no limits': ['<limit lower="0" upper="1."/>', '', 'line 9: <joint> has no <limit>'],
    'an unknown type': ['"continuous"', '"ball"', 'line 12: unknown joint type "ball"'],
    'a ring of followers': [
      '<axis xyz="0 0 2"/>',
      '<mimic joint="turn"/>',
      'line 12: joint turn: it mimics itself',
    ],
  };
  refuses('arm.urdf', URDF, BAD, (text) => readRobot(text, { name: 'arm.urdf', files }));

  const BAD_SDF: Changes = {
    'no model': [/model/g, 'actor', 'line 1: <sdf> has 0 models: there must be one'],
    'an unknown type': ['"revolute"', '"screw"', 'line 7: unknown joint type "screw"'],
    'an unknown parent': ['<parent>post', '<parent>pole', 'line 7: joint hinge: its parent pole is no link'],
    'no axis': ['1 0 0</xyz>', '0 0 0</xyz>', 'line 7: joint hinge: its axis has no length'],
    'limits reversed': ['1e16', '-2', 'line 8: limits reversed: from -1 to -2'],
    'a frame in a ring': [
      'degrees="true"',
      'relative_to="hinge"',
      'line 7: the pose of hinge depends on itself',
    ],
    'a frame of nothing': [
      'degrees="true"',
      'relative_to="x"',
      'line 4: its pose is relative to "x", no frame',
    ],
    'a plane': ['<sphere>', '<plane/><sphere>', 'line 5: unknown shape "plane"'],
    'two frames of a name': ['name="bar"', 'name="post"', 'line 4: there are two frames named post'],
    'another model': ['<link name="bar">', '<include/><link name="bar">', 'line 4: <include> in a model'],
  };
  refuses('gate.sdf', SDF, BAD_SDF, (text) => readRobot(text, { name: 'gate.sdf' }));

  test('what is nested without end', async () => {
    await expect(readRobot('<robot>'.repeat(1e5), { name: 'a' })).rejects.toThrow('nested deeper than 64');
  });
});

describe('files on disk', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'robot-'));
    await mkdir(join(folder, 'arm_description', 'urdf'), { recursive: true });
    await mkdir(join(folder, 'arm_description', 'meshes'));
    await mkdir(join(folder, 'tools'));
    await writeFile(join(folder, 'arm_description', 'meshes', 'tool.obj'), OBJ);
    await writeFile(join(folder, 'tools', 'tool.dae'), DAE);
    await writeFile(join(folder, 'secret.obj'), OBJ);
    await symlink(join(folder, 'secret.obj'), join(folder, 'arm_description', 'meshes', 'link.obj'));
    await writeFile(join(folder, 'arm_description', 'meshes', 'bad.obj'), 'v 0 0 0\nf 1 2 3\n');
    await writeFile(
      join(folder, 'arm.srdf'),
      '<robot><disable_collisions link1="base" link2="tool"/></robot>',
    );
  });
  afterAll(() => rm(folder, { recursive: true }));

  const load = async (address: string, options = {}) => {
    const path = join(folder, 'arm_description', 'urdf', 'arm.urdf');
    await writeFile(path, URDF.replace('tool.obj', address));
    return loadRobot(path, options);
  };

  test('meshes of packages and relative ones', async () => {
    const packages = { tools: join(folder, 'tools') };
    const { mechanism, allowed } = await load('package://arm_description/meshes/tool.obj', {
      srdf: join(folder, 'arm.srdf'),
    });
    expect(allowed).toEqual([['base', 'tool']]);
    expect(mechanism.bodies.at(-1)!.surface!.mesh.triangleCount).toBe(4);
    const { mechanism: other } = await load('package://tools/tool.dae', { packages });
    expect(other.bodies.at(-1)!.surface!.mesh.triangleCount).toBe(2);
    const open = robotFolder(join(folder, 'arm_description', 'robot.urdf'));
    expect((await open.open('meshes/tool.obj'))?.name).toBe('tool.obj');
    expect(await open.open('meshes/none.obj')).toBe(undefined);
    expect(await open.open('package://unknown/none.obj')).toBe(undefined);
  });

  test.each([
    ['../../secret.obj', 'leads out of the folders'],
    ['package://arm_description/../secret.obj', 'leads out of the folders'],
    ['package://arm_description/meshes/link.obj', 'leads out of the folders'],
    ['file:///etc/passwd', 'leads out of the folders'],
    ['https://example.org/a.stl', '"https" addresses are not read'],
    ['package://nothing/a.stl', 'is missing'],
    [
      'package://arm_description/meshes/bad.obj',
      'bad.obj: line 2: a face refers to vertex 3, but there are 1',
    ],
  ])('%s is refused', async (address, message) => {
    await expect(load(address)).rejects.toThrow(message);
    await expect(load(address)).rejects.toThrow('arm.urdf: line 8: mesh ');
  });

  test('a robot that is not there', async () => {
    await expect(loadRobot(join(folder, 'none.urdf'))).rejects.toThrow('none.urdf: no such file');
    await expect(loadRobot(folder)).rejects.toThrow('is not a regular file');
  });

  test('what is read is what is asked about', async () => {
    const { mechanism } = await load('package://arm_description/meshes/tool.obj');
    const { mesh, pose } = mechanism.bodies.at(-1)!.surface!;
    expect(
      distance(mesh, Mesh.from(box(1)), { poseA: pose, poseB: { translation: [0, 0, 2] } }).distance,
    ).toBeCloseTo(1.5);
  });
});
