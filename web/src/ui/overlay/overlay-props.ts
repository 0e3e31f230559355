import type { ReactNode } from 'react';

export interface DrawerProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Shown beside the title. */
  extra?: ReactNode;
  footer?: ReactNode;
  placement?: 'right' | 'left' | 'bottom';
  /**
   * The width of the overlay; for a drawer at the bottom, its height is the height of the content.
   */
  size?: number | string;
  /** True: the overlay adds no padding, because the content has its own. */
  flush?: boolean;
  /** True: the close button comes after the title in the reading order. */
  closeAtEnd?: boolean;
  /** The element that gets the focus on closing; by default the one focused before the opening. */
  returnTo?: () => HTMLElement | null;
}

export interface ModalProps {
  open: boolean;
  /** Called on closing; without it, only a button of the content closes the dialog. */
  onClose?: () => void;
  title: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  /** The width in pixels. */
  width?: number;
  /** Centres the dialog in the window; by default it is near the top. */
  centered?: boolean;
  /** A dialog without padding, with its title for screen readers only. */
  bare?: boolean;
  /** Whether a press outside closes it; true by default. */
  pressCloses?: boolean;
  /** The form that Ctrl+Enter submits, from anywhere in the dialog. */
  form?: string;
}
