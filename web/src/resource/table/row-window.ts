import { useEffect, useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';

export interface RowWindow {
  /** The index of the first row to draw. */
  start: number;
  /** The index after the last row to draw. */
  end: number;
}

/**
 * The number of rows that are drawn beyond each edge of the box. Without them, scrolling would show
 * gaps.
 */
const spare = 8;

/**
 * The rows to draw in a box that is scrolled to `top`: the visible rows, and `spare` rows before
 * and after them. All `count` rows have the same height.
 */
export const windowOf = (
  count: number,
  rowHeight: number,
  top: number,
  height: number,
): RowWindow => {
  const first = Math.floor(Math.max(0, top) / rowHeight);
  const start = Math.max(0, Math.min(first - spare, count));
  return { start, end: Math.min(count, first + Math.ceil(height / rowHeight) + spare) };
};

/** If a list has fewer rows than this, all of its rows are drawn. */
const worthwhile = 60;

/** Calculates which rows of a long table to draw in a scrolling box. */
export const useRowWindow = (
  box: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): RowWindow => {
  const whole = count < worthwhile;
  const [shown, setShown] = useState<RowWindow>({ start: 0, end: worthwhile });
  useEffect(() => {
    const element = box.current;
    if (whole || !element) return;
    const look = (): void => {
      const next = windowOf(count, rowHeight, element.scrollTop, element.clientHeight);
      setShown((now) => (now.start === next.start && now.end === next.end ? now : next));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const watch = new ResizeObserver(look);
    watch.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      watch.disconnect();
    };
  }, [box, whole, count, rowHeight]);
  return whole
    ? { start: 0, end: count }
    : { start: Math.min(shown.start, count), end: Math.min(shown.end, count) };
};

const places = new WeakMap<HTMLElement, { top: number; left: number }>();

/**
 * Restores the scroll position of a box when its tab is shown again. `key` identifies the content.
 * If the content has changed, the box starts at the top.
 */
export const useKeptScroll = (box: RefObject<HTMLElement | null>, key: string): void => {
  useLayoutEffect(() => {
    const element = box.current;
    const position = element && places.get(element);
    if (position) element.scrollTo(position);
  }, [box]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const note = (): void => {
      if (element.offsetParent !== null)
        places.set(element, { top: element.scrollTop, left: element.scrollLeft });
    };
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, [box]);
  const [seen, setSeen] = useState(key);
  useEffect(() => {
    if (seen === key) return;
    setSeen(key);
    box.current?.scrollTo({ top: 0 });
  }, [box, key, seen]);
};

/**
 * The name of the style variable for the `visibility` of the cells of a column. The variable is set
 * on the table's box.
 */
export const columnVisibility = (key: string): string => `--shown-${key}`;

/**
 * The columns that must be left blank, by the name of the style variable for their visibility. A
 * number that is half covered by a pinned column would look like another number. Its column stays
 * blank until it is fully visible or fully covered.
 */
const coveredColumns = (box: HTMLElement): Map<string, boolean> => {
  const head = [...box.querySelectorAll<HTMLElement>('[role=columnheader][data-key]')];
  const pinned = (side: string) =>
    head.filter((cell) => cell.dataset['pin'] === side).map((cell) => cell.getBoundingClientRect());
  const bounds = box.getBoundingClientRect();
  const from = Math.max(bounds.left, ...pinned('start').map(({ right }) => right));
  const to = Math.min(bounds.left + box.clientWidth, ...pinned('end').map(({ left }) => left));
  return new Map(
    head.map((cell) => {
      const { left, right } = cell.getBoundingClientRect();
      const covered =
        cell.dataset['pin'] === undefined &&
        cell.dataset['align'] === 'end' &&
        right - left <= to - from &&
        (left < from - 1 || right > to + 1);
      return [columnVisibility(cell.dataset['key']!), covered];
    }),
  );
};

/**
 * Marks a box if content lies under its pinned columns. The style sheet then draws the edges of
 * these columns.
 */
export const useEdges = (box: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = (): void => {
      // Reads all positions before it writes any style, so that the browser calculates the layout
      // only once.
      const [start, end] = [
        element.scrollLeft > 1,
        element.scrollLeft + element.clientWidth < element.scrollWidth - 1,
      ];
      const columns = coveredColumns(element);
      element.toggleAttribute('data-under-start', start);
      element.toggleAttribute('data-under-end', end);
      for (const [name, covered] of columns)
        if (covered) element.style.setProperty(name, 'hidden');
        else element.style.removeProperty(name);
    };
    element.addEventListener('scroll', look, { passive: true });
    const watch = new ResizeObserver(look);
    watch.observe(element);
    if (element.firstElementChild) watch.observe(element.firstElementChild);
    return () => {
      element.removeEventListener('scroll', look);
      watch.disconnect();
    };
  }, [box]);
};
