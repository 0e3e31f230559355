import type { DrawerProps, ModalProps } from 'antd';
import { Suspense, lazy } from 'react';
import { useOnceOpen } from '#ui/use-once-open.ts';

const fetchOverlays = () => import('./overlay-library.tsx');
const LibraryDrawer = lazy(async () => ({ default: (await fetchOverlays()).LibraryDrawer }));
const LibraryModal = lazy(async () => ({ default: (await fetchOverlays()).LibraryModal }));

/** The component library's drawer, fetched when the first one opens. */
export const Drawer = (props: DrawerProps) =>
  useOnceOpen(props.open === true) && (
    <Suspense fallback={null}>
      <LibraryDrawer {...props} />
    </Suspense>
  );

/** The component library's dialog, fetched when the first one opens. */
export const Modal = (props: ModalProps) =>
  useOnceOpen(props.open === true) && (
    <Suspense fallback={null}>
      <LibraryModal {...props} />
    </Suspense>
  );
