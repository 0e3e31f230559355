import type { ElementType, ReactNode } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { chineseParts, hasChinese, isMixed } from '#base/chinese-parts.ts';
import { currentLocale } from '#base/language.ts';

interface Props {
  children?: ReactNode;
}

/** HTML and SVG elements that can contain only text. */
const textOnly: ReadonlySet<unknown> = new Set([
  'option',
  'script',
  'style',
  'text',
  'textarea',
  'title',
  'tspan',
]);

const isText = (child: unknown): child is string | number =>
  typeof child === 'string' || typeof child === 'number';
/** True for a child that draws nothing. The texts on both sides of it count as one text. */
const isNothing = (child: unknown): boolean => child == null || typeof child === 'boolean';

/**
 * True if neighbouring texts of an element must be joined and marked. Most elements contain no
 * Chinese text, so their texts are not joined.
 */
const isMixedText = (children: ReactNode): boolean => {
  if (typeof children === 'string') return isMixed(children);
  return (
    Array.isArray(children) &&
    children.some((child) => typeof child === 'string' && hasChinese(child)) &&
    isMixed(children.filter((child) => isText(child)).join(''))
  );
};

/**
 * Puts one element around the whole text. In a flex row each part would otherwise become a separate
 * box. The element is a `bdi`, because no style rule selects it.
 */
const marked = (text: string): ReactNode => {
  if (!hasChinese(text)) return text;
  const pieces = chineseParts(text)
    .map((part, at) => (at % 2 === 1 ? jsx('bdi', { lang: 'zh-CN', children: part }) : part))
    .filter((piece) => piece !== '');
  return pieces.length === 1 ? pieces[0] : jsxs('bdi', { children: pieces });
};

/**
 * Joins neighbouring texts at the index of the first text. The other children keep their index,
 * because React finds their state by their index.
 */
const markedChildren = (children: readonly ReactNode[]): ReactNode[] => {
  const made = [...children];
  for (let at = 0; at < made.length; at += 1) {
    if (!isText(made[at])) continue;
    const first = at;
    let text = '';
    for (; at < made.length && (isText(made[at]) || isNothing(made[at])); at += 1) {
      if (isText(made[at])) text += String(made[at]);
      made[at] = null;
    }
    made[first] = marked(text);
  }
  return made;
};

/**
 * Changes the props of an element on an English page. Chinese inside an English sentence (a name,
 * an address, a carrier's text) is marked with its language (WCAG 3.1.2). Texts that are only
 * Chinese are marked on the page (ui/overlay/language-parts.ts).
 */
export const inEnglish = <P extends Props>(type: ElementType, props: P): P => {
  const { children } = props;
  if (currentLocale() === 'zh-CN' || !isMixedText(children)) return props;
  if ((typeof type !== 'string' && type !== Fragment) || textOnly.has(type)) return props;
  return {
    ...props,
    children: Array.isArray(children) ? markedChildren(children) : marked(String(children)),
  };
};
