import { useState } from 'react';
import { mostPageSize } from '@waystation/contract/base/limits.ts';
import { listStations } from '@waystation/contract/network/station.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { useCalls } from '#base/query.ts';
import type { List } from '#resource/list/use-list.ts';
import type { TreeOf } from '#resource/table/tree.ts';

/**
 * The maximum number of child stations that are shown in the tree. If a station has more, its
 * children are shown in a flat list.
 */
export const mostChildren = mostPageSize;
/** If there are at most this many top-level stations, all of them are expanded at first. */
const openTops = 5;

export interface StationTree extends TreeOf<Station> {
  rows: readonly Station[] | undefined;
  /** Expands a station, so that its new children are visible. */
  show: (id: number) => void;
  expandAll: () => void;
  collapseAll: () => void;
}

const opens = ({ children }: Station): boolean => children > 0 && children <= mostChildren;

/**
 * The rows in the order of the tree. Each expanded station is followed by those of its children
 * that are loaded.
 */
export const inOrder = (
  tops: readonly Station[],
  open: ReadonlySet<number>,
  below: ReadonlyMap<number, readonly Station[]>,
): Station[] =>
  tops.flatMap((row) => [
    row,
    ...(open.has(row.id) ? inOrder(below.get(row.id) ?? [], open, below) : []),
  ]);

/**
 * The tree of stations, built from the list of top-level stations. The children of a station are
 * requested when it is expanded. `overflow` is called for a station with too many children.
 */
export const useStationTree = (
  list: List<Station>,
  flat: boolean,
  overflow: (row: Station) => void,
): StationTree => {
  const [touched, setTouched] = useState<ReadonlySet<number> | null>(null);
  // True after "expand all", so that stations that are loaded later are expanded too.
  const [all, setAll] = useState(false);
  const tops = list.rows;
  const first = tops && tops.length <= openTops ? tops.filter(opens).map(({ id }) => id) : [];
  const open = touched ?? new Set(first);
  const opened = flat ? [] : [...open];
  const read = useCalls(
    listStations,
    opened.map((parent_id) => ({ parent_id, page_size: mostChildren, sort: list.place.sort })),
  );
  const below = new Map(opened.map((id, index) => [id, read[index]?.data?.items ?? []]));
  const rows = flat || tops === undefined ? tops : inOrder(tops, open, below);
  const closed = all && !flat ? (rows ?? []).filter((row) => opens(row) && !open.has(row.id)) : [];
  if (closed.length > 0) setTouched(new Set([...open, ...closed.map(({ id }) => id)]));
  return {
    rows,
    levelOf: ({ level }) => (flat ? 1 : level),
    expanded: (row) => (flat || row.children === 0 ? undefined : open.has(row.id)),
    toggle: (row) => {
      if (row.children > mostChildren) return overflow(row);
      const next = new Set(open);
      if (!next.delete(row.id)) next.add(row.id);
      setAll(false);
      setTouched(next);
    },
    show: (id) => setTouched(new Set([...open, id])),
    expandAll: () => setAll(true),
    collapseAll: () => {
      setAll(false);
      setTouched(new Set());
    },
  };
};
