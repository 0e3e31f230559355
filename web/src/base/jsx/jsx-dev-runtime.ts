import type { ComponentProps, ElementType } from 'react';
import { jsxDEV as elementDEV } from 'react/jsx-dev-runtime';
import { inEnglish } from './mixed-texts.ts';

// The JSX functions that `npm run dev` uses.

export { Fragment } from 'react/jsx-dev-runtime';
export type { JSX } from 'react/jsx-dev-runtime';

export const jsxDEV: typeof elementDEV = (type, props, ...more) =>
  elementDEV(type, inEnglish(type as ElementType, props as ComponentProps<'p'>), ...more);
