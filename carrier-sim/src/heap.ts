/** A queue that always returns its smallest item first. */
export type Heap<T> = {
  size(): number;
  peek(): T | undefined;
  push(item: T): void;
  pop(): T | undefined;
};

/** A binary heap. `before(a, b)` returns true if `a` must come out before `b`. */
export const createHeap = <T>(before: (a: T, b: T) => boolean): Heap<T> => {
  const items: T[] = [];
  const swap = (i: number, j: number): void => {
    const held = items[i] as T;
    items[i] = items[j] as T;
    items[j] = held;
  };
  const rise = (from: number): void => {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(items[at] as T, items[parent] as T)) return;
      swap(at, parent);
      at = parent;
    }
  };
  const sink = (): void => {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      let first = at;
      if (left < items.length && before(items[left] as T, items[first] as T)) first = left;
      if (right < items.length && before(items[right] as T, items[first] as T)) first = right;
      if (first === at) return;
      swap(at, first);
      at = first;
    }
  };
  return {
    size: () => items.length,
    peek: () => items[0],
    push: (item) => {
      items.push(item);
      rise(items.length - 1);
    },
    pop: () => {
      const top = items[0];
      const last = items.pop();
      if (items.length > 0) {
        items[0] = last as T;
        sink();
      }
      return top;
    },
  };
};
