// Pieces on the graphics card. Batches of a fixed size, so that nothing is ever copied to make room: a piece takes a
// place on one of them, and leaves it to the next piece of about its size.
import { BatchedMesh, BufferAttribute, BufferGeometry } from 'three';

const VERTICES = 2 ** 19;
const CORNERS = 3 * 2 ** 20;
const INSTANCES = 1024;

/** Sizes grow by a third: few different ones, and little room is lost. */
function roundedUp(count) {
  let size = 48;
  while (size < count) size = Math.ceil((size * 4) / 3 / 3) * 3;
  return size;
}

export class Shelves {
  #material;
  #parent;
  #shelves = [];
  /** Places that pieces have left, by their size. */
  #free = new Map();
  #places = new Map();
  bytes = 0;

  constructor(parent, material) {
    this.#parent = parent;
    this.#material = material;
  }

  add({ piece, positions, indices }) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setIndex(new BufferAttribute(indices, 1));
    const [vertices, corners] = [roundedUp(positions.length / 3), roundedUp(indices.length)];
    const size = `${vertices} ${corners}`;
    let place = this.#free.get(size)?.pop();
    if (place) place.shelf.setGeometryAt(place.id, geometry);
    else {
      const shelf = this.#shelfFor(vertices, corners);
      place = { shelf, size, id: shelf.addGeometry(geometry, vertices, corners) };
    }
    this.#places.set(piece, { ...place, bytes: positions.byteLength + indices.byteLength });
    this.bytes += positions.byteLength + indices.byteLength;
  }

  remove(piece) {
    const { bytes, ...place } = this.#places.get(piece);
    this.#places.delete(piece);
    this.bytes -= bytes;
    const free = this.#free.get(place.size) ?? [];
    free.push(place);
    this.#free.set(place.size, free);
  }

  /** Draws a piece somewhere. */
  place(piece, matrix, color) {
    const { shelf, id } = this.#places.get(piece);
    if (shelf.instanceCount === shelf.maxInstanceCount) shelf.setInstanceCount(2 * shelf.maxInstanceCount);
    const instance = shelf.addInstance(id);
    shelf.setMatrixAt(instance, matrix);
    shelf.setColorAt(instance, color);
    return {
      setVisible: (visible) => shelf.setVisibleAt(instance, visible),
      setColor: (color) => shelf.setColorAt(instance, color),
      remove: () => shelf.deleteInstance(instance),
    };
  }

  #shelfFor(vertices, corners) {
    const last = this.#shelves.at(-1);
    if (last && last.unusedVertexCount >= vertices && last.unusedIndexCount >= corners) return last;
    const sizes = [Math.max(VERTICES, vertices), Math.max(CORNERS, corners)];
    const shelf = new BatchedMesh(INSTANCES, ...sizes, this.#material);
    shelf.frustumCulled = false; // the selection says what is in view
    shelf.perObjectFrustumCulled = false;
    shelf.sortObjects = false;
    this.#shelves.push(shelf);
    this.#parent.add(shelf);
    return shelf;
  }
}
