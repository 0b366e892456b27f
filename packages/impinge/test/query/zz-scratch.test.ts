import { test } from 'vitest';
import { kernel } from '../../src/kernel/kernel.js';
import { Mesh } from '../../src/mesh/mesh.js';
import { IDENTITY, toRigidPose, type RigidPose } from '../../src/math/pose.js';
import { QueryContext, Q } from '../../src/query/context.js';
import { hierarchyOf } from '../../src/query/hierarchy-of.js';
import { PairReader } from '../../src/query/pair-reader.js';
import { distanceSqTriangleTriangle } from '../../src/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from '../../src/geometry/intersect/triangle-triangle.js';
import { randomFrom, randomPose } from '../hierarchy/fixtures.js';

test('fuzz kernel distance', () => {
  const random = randomFrom(99);
  const a = Mesh.from({ positions: new Float32Array(9) });
  const b = Mesh.from({ positions: new Float32Array(9) });
  const worst: Record<string, any> = {};
  for (let n = 0; n < 400000; n++) {
    const kindA = n % 5, kindB = Math.floor(n / 5) % 5;
    const gen = (kind: number) => {
      const p = [random(), random(), random()], q = [random(), random(), random()];
      let r = [random(), random(), random()];
      const w = 10 ** (-10 * random());
      if (kind === 1) r = p.map((x, k) => x + random() * (q[k] - x) + w * (random() - 0.5)); // sliver
      if (kind === 2) return [...p, ...p.map((x) => x + w * (random() - .5)), ...q]; // needle
      if (kind === 3) { const t = Math.floor(random()*3); return t===0 ? [...p,...p,...p] : t===1 ? [...p,...q,...p] : [...p,...p.map((x,k)=>(x+q[k])/2),...q]; }
      if (kind === 4) return p.flatMap(x=>x) && [...p, ...q, ...r].map((x) => Math.round(x*4)/4);
      return [...p, ...q, ...r];
    };
    let A = gen(kindA), B = gen(kindB);
    const par = Math.floor(n/25)%4;
    if (par === 1) { // nearly parallel edges
      const e = 10 ** (-9 * random());
      const s = [random()*2-1, random()*2-1, random()*2-1], sc = random()*2;
      for (let k=0;k<3;k++){ B[k]=A[k]+s[k]; B[3+k]=B[k]+ sc*(A[3+k]-A[k]) + e*(random()-.5); }
    }
    if (par === 2) { const e = 10 ** (-9 * random()); for (let k=0;k<9;k++) B[k] = A[k] + e*(random()-.5); }
    const pose = n % 3 === 0 ? (IDENTITY as RigidPose) : randomPose(random, random()*3, [random()-.5, random()-.5, random()-.5]);
    if (par ===1 || par===2) { /* keep frames: identity mostly */ }
    a.setPositions(A); b.setPositions(B);
    const usePose = par===0||par===3 ? pose : (IDENTITY as RigidPose);
    const q = new QueryContext(hierarchyOf(a), hierarchyOf(b), usePose, { limit: 1, bound: 1e18 });
    const st = kernel().closest(q.block);
    const doubts = q.takeDoubts();
    const d = q.bound;
    const c = new PairReader(a, b, q.pose).read(0, 0);
    const ref = Math.sqrt(distanceSqTriangleTriangle(c, 0, c, 9));
    const hit = intersectsTriangleTriangle(c, 0, c, 9);
    q.release();
    if (hit) { if (d !== 0 && doubts.length === 0) throw new Error('miss ' + [...c]); continue; }
    if (d===0 && doubts.length===0) throw new Error('kernel YES, exact no');
    const key = `${kindA}${kindB}${par}${usePose===IDENTITY?'i':'r'}${d>ref?'+':'-'}`;
    const err = Math.abs(d - ref);
    if (!(err <= (worst[key]?.err ?? -1))) worst[key] = { err, d, ref, c: [...c] };
  }
  const list = Object.entries(worst).sort((x, y) => y[1].err - x[1].err).slice(0, 30);
  for (const [k, v] of list) console.log(k, v.err, v.d, v.ref);
});
