import { Suspense, lazy } from 'react';
import type { ReactNode } from 'react';
import { useOnceOpen } from '#ui/use-once-open.ts';

export interface DrawerProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Beside the title. */
  extra?: ReactNode;
  footer?: ReactNode;
  placement?: 'right' | 'left' | 'bottom';
  /** How wide; at the bottom it is as high as its content. */
  size?: number | string;
  /** The content brings its own padding. */
  flush?: boolean;
  /** The closing button stands after the title. */
  closeAtEnd?: boolean;
  /** Where the focus goes once it is closed; where it came from unless said. */
  returnTo?: () => HTMLElement | null;
}

export interface ModalProps {
  open: boolean;
  /** Without it, only a button of its content leaves it. */
  onClose?: () => void;
  title: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  /** Pixels. */
  width?: number;
  /** In the middle of the window rather than near its top. */
  centered?: boolean;
  /** Without padding, its title for screen readers only. */
  bare?: boolean;
  /** A press beside it leaves it; so it does unless said. */
  pressCloses?: boolean;
}

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
