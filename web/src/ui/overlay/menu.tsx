import { Suspense, lazy } from 'react';
import type { MenuProps } from './menu-props.ts';

const LibraryMenu = lazy(async () => ({
  default: (await import('./menu-library.tsx')).LibraryMenu,
}));

/**
 * A menu that opens at a button. Arrow keys and letters move within the menu. Escape and Tab close
 * it, and the focus returns to the element that had it before.
 */
export const Menu = (props: MenuProps) => (
  <Suspense fallback={null}>
    <LibraryMenu {...props} />
  </Suspense>
);
