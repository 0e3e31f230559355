import type { Column } from '#resource/table/column.ts';
import {
  arrangedColumns,
  isShown,
  movedColumn,
  noLayout,
  orderedColumns,
  pinOf,
  pinnedColumn,
  presetLayout,
  readLayout,
  resizedColumn,
  shownColumn,
} from '#resource/table/column-layout.ts';
import type { ColumnLayout, Pin } from '#resource/table/column-layout.ts';

/** A column with the settings that the user can change. */
export interface ColumnChoice {
  key: string;
  title: string;
  shown: boolean;
  fixed: boolean;
  width: number;
  pin: Pin;
}

/**
 * A predefined column arrangement. It shows `columns` in this order and skips columns that the list
 * does not have.
 */
export interface ColumnPreset {
  key: string;
  label: string;
  columns: readonly string[];
}

export interface Arranged<R> {
  /** The visible columns in their order. */
  shown: Column<R>[];
  /** Every column of the list, including the hidden columns. */
  all: readonly Column<R>[];
  presets: readonly (ColumnPreset & { active: boolean })[];
  takePreset: (preset: ColumnPreset) => void;
  /** All columns with their settings, in the order of the list. */
  choices: ColumnChoice[];
  changed: boolean;
  show: (key: string, shown: boolean) => void;
  move: (from: number, to: number) => void;
  resize: (key: string, width: number) => void;
  pin: (key: string, pin: Pin) => void;
  reset: () => void;
  /** The layout that is stored with a saved view; null if the user has changed nothing. */
  stored: ColumnLayout | null;
  /** Applies the column settings of a saved view. */
  take: (stored: unknown) => void;
}

/** The column layout as the server stores it, and the function that stores another layout. */
export type KeptLayout = readonly [stored: unknown, keep: (layout: unknown) => void];

/** Arranges the columns of a list in the way that this user has chosen. */
export const arrange = <R>(
  [stored, keep]: KeptLayout,
  columns: readonly Column<R>[],
  presets: readonly ColumnPreset[] = [],
): Arranged<R> => {
  const layout = readLayout(stored);
  const changed = JSON.stringify(layout) !== JSON.stringify(noLayout);
  const change = (next: ColumnLayout): void => keep(next);
  const shownKeys = JSON.stringify(arrangedColumns(columns, layout).map(({ key }) => key));
  return {
    all: columns,
    presets: presets.map((preset) => ({
      ...preset,
      active:
        changed &&
        shownKeys ===
          JSON.stringify(
            arrangedColumns(columns, presetLayout(columns, preset.columns)).map(({ key }) => key),
          ),
    })),
    takePreset: (preset) => change(presetLayout(columns, preset.columns)),
    shown: arrangedColumns(columns, layout).map((column) => ({
      ...column,
      resize: (width) => change(resizedColumn(layout, column.key, width)),
    })),
    choices: orderedColumns(columns, layout).map((column) => ({
      key: column.key,
      title: column.title,
      shown: isShown(column, layout),
      fixed: column.fixed ?? false,
      width: layout.widths[column.key] ?? column.width,
      pin: pinOf(column, layout),
    })),
    changed,
    stored: changed ? layout : null,
    take: (next) => change(readLayout(next)),
    show: (key, shown) => change(shownColumn(columns, layout, key, shown)),
    move: (from, to) => change(movedColumn(columns, layout, from, to)),
    resize: (key, width) => change(resizedColumn(layout, key, width)),
    pin: (key, pin) => change(pinnedColumn(layout, key, pin)),
    reset: () => keep(null),
  };
};
