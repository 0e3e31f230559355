import { Suspense, lazy } from 'react';
import { useOnceOpen } from '#ui/use-once-open.ts';
import type { DrawerProps, ModalProps } from './overlay-props.ts';

// Both overlays share one lazy component. React would delay the content of a second one by up to
// 300 ms, even if its code is already loaded.
const LibraryOverlay = lazy(async () => ({
  default: (await import('./overlay-library.tsx')).LibraryOverlay,
}));

/**
 * A panel at the edge of the window. The component library is loaded when the first overlay opens.
 */
export const Drawer = (props: DrawerProps) =>
  useOnceOpen(props.open) && (
    <Suspense fallback={null}>
      <LibraryOverlay kind="drawer" {...props} />
    </Suspense>
  );

/** A dialog over the page. The component library is loaded when the first overlay opens. */
export const Modal = (props: ModalProps) =>
  useOnceOpen(props.open) && (
    <Suspense fallback={null}>
      <LibraryOverlay kind="modal" {...props} />
    </Suspense>
  );
