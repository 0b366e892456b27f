/** Numbers distinct names, so that lists can refer to them. */
export class Names {
  readonly list: string[] = [];
  readonly #index = new Map<string, number>();

  indexOf(name: string): number {
    let index = this.#index.get(name);
    if (index === undefined) {
      index = this.list.push(name) - 1;
      this.#index.set(name, index);
    }
    return index;
  }
}
