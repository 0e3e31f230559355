import { hasChinese, isMixed } from '#base/chinese-parts.ts';

const marked = new WeakSet<Element>();

const ownText = (element: Element): string =>
  [...element.childNodes]
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.nodeValue)
    .join('');

const mark = (element: Element | null): void => {
  if (element === null || (element.hasAttribute('lang') && !marked.has(element))) return;
  const text = ownText(element);
  if (hasChinese(text) && !isMixed(text)) {
    element.setAttribute('lang', 'zh-CN');
    marked.add(element);
  } else if (marked.has(element)) {
    element.removeAttribute('lang');
    marked.delete(element);
  }
};

const markWithin = (node: Node): void => {
  if (node.nodeType === Node.TEXT_NODE) return mark(node.parentElement);
  if (!(node instanceof Element)) return;
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) mark(texts.currentNode.parentElement);
};

let observer: MutationObserver | null = null;

/**
 * Marks Chinese content on an English page with its language, so that a screen reader uses a
 * Chinese voice (WCAG 3.1.2). Examples are names, addresses and texts of carriers. One rule covers
 * all screens, because any component may show such content. base/jsx marks sentences that mix both
 * languages.
 */
export const markChinese = (): void => {
  if (observer) return;
  observer = new MutationObserver((changes) => {
    if (document.documentElement.lang === 'zh-CN') return;
    for (const { type, target, addedNodes } of changes)
      if (type === 'characterData') mark(target.parentElement);
      else {
        for (const node of addedNodes) markWithin(node);
        if (target instanceof Element && marked.has(target)) mark(target);
      }
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  markWithin(document.body);
};
