/** The start and the end of a tab in the tab bar, in pixels. */
interface Extent {
  start: number;
  end: number;
}

/**
 * The gap in pixels before the first visible tab. The scrolling rules in `tab-bar.module.css` use
 * the same gap.
 */
const gap = 2;

/**
 * Calculates the nearest scroll position at which the tab bar completely shows the active tab and
 * begins with a whole tab.
 */
export const wholeStart = (
  tabs: readonly Extent[],
  active: Extent,
  room: number,
  now: number,
): number => {
  const least = active.end - room + gap;
  const from = Math.max(least, Math.min(now + gap, active.start));
  const first = tabs.find(({ start }) => start >= from) ?? active;
  return first === tabs[0] ? 0 : first.start - gap;
};

/** Scrolls the tab bar to the active tab. If no tab is active, the bar is not scrolled. */
export const scrollToWhole = (list: HTMLElement): void => {
  const bar = list.parentElement;
  const items = Array.from(list.children) as HTMLElement[];
  const extents = items.map(({ offsetLeft, offsetWidth }) => ({
    start: offsetLeft - list.offsetLeft,
    end: offsetLeft - list.offsetLeft + offsetWidth,
  }));
  const active = extents[items.findIndex((item) => 'active' in item.dataset)];
  if (bar && active) bar.scrollLeft = wholeStart(extents, active, bar.clientWidth, bar.scrollLeft);
};
