import { Suspense, lazy } from 'react';
import { useOnceOpen } from '#ui/use-once-open.ts';
import type { DrawerProps, ModalProps } from './overlay-props.ts';

const fetchOverlays = () => import('./overlay-library.tsx');
const LibraryDrawer = lazy(async () => ({ default: (await fetchOverlays()).LibraryDrawer }));
const LibraryModal = lazy(async () => ({ default: (await fetchOverlays()).LibraryModal }));

/** A sheet at the window's edge. The component library comes with the first one. */
export const Drawer = (props: DrawerProps) =>
  useOnceOpen(props.open) && (
    <Suspense fallback={null}>
      <LibraryDrawer {...props} />
    </Suspense>
  );

/** A dialog over the page. The component library comes with the first one. */
export const Modal = (props: ModalProps) =>
  useOnceOpen(props.open) && (
    <Suspense fallback={null}>
      <LibraryModal {...props} />
    </Suspense>
  );
