/** Token buckets: a number of actions per minute, all of which may happen at once. */
const KEYS_MAX = 10_000;
const MINUTE_MS = 60_000;

interface Bucket {
  left: number;
  at: number;
}

export class RateLimit {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, Bucket>();
  readonly #now: () => number;

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Seconds to wait; 0 if the action is allowed now, which then counts. */
  take(key: string): number {
    const bucket = this.#refilled(key);
    if (bucket.left < 1) return Math.max(1, Math.ceil(((1 - bucket.left) * 60) / this.#perMinute));
    bucket.left--;
    return 0;
  }

  #refilled(key: string): Bucket {
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { left: this.#perMinute, at: now };
    bucket.left = Math.min(this.#perMinute, bucket.left + ((now - bucket.at) * this.#perMinute) / MINUTE_MS);
    bucket.at = now;
    // the least recently used bucket makes room
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > KEYS_MAX) this.#buckets.delete(this.#buckets.keys().next().value!);
    return bucket;
  }
}
