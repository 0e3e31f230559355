import { Suspense, lazy } from 'react';
import type { MenuProps } from './menu-props.ts';

const LibraryMenu = lazy(async () => ({
  default: (await import('./menu-library.tsx')).LibraryMenu,
}));

/**
 * A menu at a button: arrows and letters move in it. Escape and Tab close it, and the focus returns
 * to the element that had it.
 */
export const Menu = (props: MenuProps) => (
  <Suspense fallback={null}>
    <LibraryMenu {...props} />
  </Suspense>
);
