import type { ReactNode } from 'react';

export interface MenuItem {
  key: string;
  label: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
  /** The reason why the item is disabled; null if it is enabled. */
  why?: string | null;
  danger?: boolean;
  run: () => void;
}

export interface MenuProps {
  anchor: HTMLElement;
  label: string;
  /** Texts above the menu items; a user cannot select them. */
  head?: ReactNode;
  /** The groups of menu items, with a line between two groups. */
  groups: readonly (readonly MenuItem[])[];
  align?: 'start' | 'end';
  onClose: () => void;
}
