import { useEffect, useState } from 'react';
import { readDivisions } from '@waystation/contract/parcels/divisions.ts';
import type { DivisionData, Divisions } from '@waystation/contract/parcels/divisions.ts';

let loading: Promise<Divisions> | null = null;

/** Loads the official divisions once. If the load failed, the next call tries again. */
export const loadDivisions = (): Promise<Divisions> =>
  (loading ??= import('@waystation/contract/parcels/divisions.json').then(
    (file) => readDivisions(file.default as DivisionData),
    (error: unknown) => {
      loading = null;
      throw error;
    },
  ));

/**
 * The divisions; null until they are fetched. `failed` is true if the fetch failed and can be
 * repeated.
 */
export const useDivisions = (
  wanted: boolean,
): { divisions: Divisions | null; failed: boolean; retry: () => void } => {
  const [divisions, setDivisions] = useState<Divisions | null>(null);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const needed = wanted && divisions === null;
  useEffect(() => {
    if (!needed) return;
    let current = true;
    loadDivisions().then(
      (loaded) => current && setDivisions(loaded),
      () => current && setFailed(true),
    );
    return () => {
      current = false;
    };
  }, [needed, tries]);
  return {
    divisions,
    failed,
    retry: () => {
      setFailed(false);
      setTries(tries + 1);
    },
  };
};
