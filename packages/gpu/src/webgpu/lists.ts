/** Lists whose length only the device knows: their room, and the retry when it was not enough. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { CullingRequest } from '../backend.js';
import type { BufferStore } from './device-buffer.js';
import { Head } from './layout.js';

/** Entries that each has room for at first. */
const FIRST_CAPACITY = {
  objectPairs: 1 << 16,
  partItems: 1 << 17,
  partPairs: 1 << 17,
  candidates: 1 << 20,
  meeting: 1 << 17,
  doubtful: 1 << 17,
  tasks: 1 << 16,
};

export type ListName = keyof typeof FIRST_CAPACITY;

/** The word that counts its entries. */
const WORD: Record<ListName, number> = {
  objectPairs: Head.objectPairs,
  partItems: Head.partItems,
  partPairs: Head.partPairs,
  candidates: Head.candidates,
  meeting: Head.meeting,
  doubtful: Head.doubtful,
  tasks: Head.mostTasks,
};

const NAMES = Object.keys(FIRST_CAPACITY) as ListName[];
const ENTRY_BYTES = 8;
/** A list may be much longer than in the request before; more workgroups than needed cost little. */
const LEAST_GROUPS = 128;

export class Lists {
  readonly capacity: Record<ListName, number>;
  readonly objectPairs;
  readonly partItems;
  readonly partPairs;
  readonly candidates;
  /** Meeting pairs, then doubtful ones. */
  readonly results;
  /** Meeting pairs as callers get them: ids, then triangles. */
  readonly columns;
  readonly tasks;

  /** Most workgroups that a loop is given. */
  readonly maxGroups: number;
  /** How long each was in the last request. */
  readonly #last = new Map<ListName, number>();

  constructor(store: BufferStore, maxGroups: number, capacity: Partial<Record<ListName, number>>) {
    this.maxGroups = maxGroups;
    this.capacity = { ...FIRST_CAPACITY, ...capacity };
    this.objectPairs = store.make('pairs of objects');
    this.partItems = store.make('parts near objects');
    this.partPairs = store.make('pairs of parts');
    this.candidates = store.make('pairs of triangles');
    this.results = store.make('results');
    this.columns = store.make('columns');
    this.tasks = store.make('pieces of large items');
  }

  reserve(): void {
    const { capacity } = this;
    for (const name of ['objectPairs', 'partItems', 'partPairs', 'candidates', 'tasks'] as const) {
      this[name].reserve(ENTRY_BYTES * capacity[name], 1);
    }
    this.results.reserve(ENTRY_BYTES * (capacity.meeting + capacity.doubtful), 1);
    this.columns.reserve(2 * ENTRY_BYTES * capacity.meeting, 1);
  }

  /**
   * Workgroups for a loop over a list, each of which takes `entriesAtOnce` entries at a time: an estimate, any number
   * is correct.
   */
  groups(name: ListName, entriesAtOnce: number): number {
    const expected = this.#last.get(name) ?? Infinity;
    return Math.min(this.maxGroups, LEAST_GROUPS + Math.ceil((1.25 * expected) / entriesAtOnce));
  }

  /** Records the counts. Makes room where there was too little; returns whether the request must be repeated. */
  grow(head: Uint32Array, request: CullingRequest): boolean {
    if (head[Head.full] !== 0) {
      throw new ImpingeError('out-of-memory', 'WebGPU: more pairs than a list can hold');
    }
    let grown = false;
    for (const name of NAMES) {
      if (!isUsed(name, request)) continue;
      const count = Math.max(head[WORD[name]], name === 'objectPairs' ? head[Head.firstObjectPairs] : 0);
      this.#last.set(name, count);
      if (count <= this.capacity[name]) continue;
      this.capacity[name] = Math.ceil(1.25 * count);
      grown = true;
    }
    return grown;
  }
}

/** Whether a request fills the list. */
function isUsed(name: ListName, { kind, stages }: CullingRequest): boolean {
  if (name === 'objectPairs') return true;
  return name === 'tasks' ? stages.length > 0 : kind === 'pairs';
}
