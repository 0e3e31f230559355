import type { ElementType, Key, ReactElement, ReactNode } from 'react';
import { Fragment, jsx as element, jsxs as elements } from 'react/jsx-runtime';
import { inEnglish } from './mixed-texts.ts';

// The JSX factory of every component (tsconfig.json, vite.config.ts). It is React's own factory,
// but it marks the Chinese parts of English texts.

export { Fragment };
export type { JSX } from 'react/jsx-runtime';

interface Props {
  children?: ReactNode;
}

export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement =>
  element(type, inEnglish(type, props), key);

export const jsxs = (type: ElementType, props: Props, key?: Key): ReactElement =>
  elements(type, inEnglish(type, props), key);
