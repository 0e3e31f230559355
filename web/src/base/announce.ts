import { chineseParts, isMixed } from './chinese-parts.ts';

/**
 * The element through which texts are announced only to screen readers. It is a polite live region.
 */
let region: HTMLElement | null = null;

const ensureRegion = (): HTMLElement => {
  if (region?.isConnected) return region;
  region = document.createElement('div');
  region.className = 'sr-only';
  region.setAttribute('role', 'status');
  region.setAttribute('aria-live', 'polite');
  document.body.append(region);
  return region;
};

/**
 * The parts of the announced text. The Chinese parts of an English sentence are marked, as base/jsx
 * does it on the page.
 */
const partsOf = (text: string): (string | Node)[] => {
  if (document.documentElement.lang !== 'en' || !isMixed(text)) return [text];
  return chineseParts(text).map((part, at) => {
    if (at % 2 === 0) return part;
    const marked = document.createElement('span');
    marked.lang = 'zh-CN';
    marked.textContent = part;
    return marked;
  });
};

export const announce = (text: string): void => {
  const target = ensureRegion();
  target.textContent = '';
  // A screen reader reads the same text a second time only if the region was empty meanwhile.
  setTimeout(() => {
    target.replaceChildren(...partsOf(text));
  }, 50);
};
