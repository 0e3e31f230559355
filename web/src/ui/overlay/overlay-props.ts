import type { ReactNode } from 'react';

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
  /** Where the focus goes on closing; by default where it came from. */
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
  /** Whether a press outside closes it; true by default. */
  pressCloses?: boolean;
}
