import type { ReactNode } from 'react';

export interface DrawerProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Content that is shown beside the title. */
  extra?: ReactNode;
  footer?: ReactNode;
  placement?: 'right' | 'left' | 'bottom';
  /** The width of the overlay. A drawer at the bottom is as high as its content. */
  size?: number | string;
  /** True if the overlay adds no padding, because its content has padding. */
  flush?: boolean;
  /** True if a screen reader reads the close button after the title. */
  closeAtEnd?: boolean;
  /**
   * The element that gets the focus after the overlay has closed. By default it is the element that
   * had the focus before the overlay was opened.
   */
  returnTo?: () => HTMLElement | null;
}

export interface ModalProps {
  open: boolean;
  /**
   * Called when the dialog closes. If absent, the dialog is closed only by a button of its content.
   */
  onClose?: () => void;
  title: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  /** The width in pixels. */
  width?: number;
  /** True if the dialog is in the middle of the window. By default it is near the top. */
  centered?: boolean;
  /** True if the dialog has no padding and only screen readers read its title. */
  bare?: boolean;
  /** True if a press outside the overlay closes it. This is the default. */
  pressCloses?: boolean;
  /** The id of the form that Ctrl+Enter submits from anywhere in the dialog. */
  form?: string;
}
