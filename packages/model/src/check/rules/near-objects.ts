/** Which boxes come within a distance of some of them, without listing the pairs. */

/** Boxes in a leaf. */
const FEW = 8;

/** 1 for every box (six numbers) within the distance of a member (1 in `members`); a member is near itself. */
export function objectsNear(boxes: Float64Array, members: Uint8Array, distance: number): Uint8Array {
  const near = new Uint8Array(members.length);
  const list = Uint32Array.from(members.keys()).filter((i) => members[i] === 1);
  const tree = list.length === 0 ? undefined : buildTree(boxes, list);
  if (tree === undefined) return near;
  const limitSq = distance * distance;
  for (let i = 0; i < near.length; i++) near[i] = reaches(tree, boxes, i, limitSq) ? 1 : 0;
  return near;
}

interface Node {
  /** Around all that is below. */
  readonly box: Float64Array;
  readonly members: Uint32Array;
  readonly children: readonly Node[];
}

function buildTree(boxes: Float64Array, members: Uint32Array): Node {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const member of members) {
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], boxes[6 * member + k]);
      box[3 + k] = Math.max(box[3 + k], boxes[6 * member + 3 + k]);
    }
  }
  if (members.length <= FEW) return { box, members, children: [] };
  const sides = [0, 1, 2].map((k) => box[3 + k] - box[k]);
  const axis = sides.indexOf(Math.max(...sides));
  const centre = (i: number) => boxes[6 * i + axis] + boxes[6 * i + 3 + axis];
  members.sort((i, j) => centre(i) - centre(j));
  const half = members.length >>> 1;
  const children = [members.subarray(0, half), members.subarray(half)].map((part) => buildTree(boxes, part));
  return { box, members: members.subarray(0, 0), children };
}

function reaches(node: Node, boxes: Float64Array, i: number, limitSq: number): boolean {
  if (gapSq(node.box, 0, boxes, 6 * i) > limitSq) return false;
  for (const member of node.members) if (gapSq(boxes, 6 * member, boxes, 6 * i) <= limitSq) return true;
  return node.children.some((child) => reaches(child, boxes, i, limitSq));
}

/** The square of the distance between two boxes. */
function gapSq(a: Float64Array, ao: number, b: Float64Array, bo: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const gap = Math.max(0, a[ao + k] - b[bo + 3 + k], b[bo + k] - a[ao + 3 + k]);
    sum += gap * gap;
  }
  return sum;
}
