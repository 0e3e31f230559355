import { Suspense, lazy } from 'react';
import type { MenuProps } from './menu-props.ts';

const LibraryMenu = lazy(async () => ({
  default: (await import('./menu-library.tsx')).LibraryMenu,
}));

/**
 * A menu that hangs on a button: arrows and letters walk it, Escape and Tab close it, the
 * focus goes back to where it came from.
 */
export const Menu = (props: MenuProps) => (
  <Suspense fallback={null}>
    <LibraryMenu {...props} />
  </Suspense>
);
