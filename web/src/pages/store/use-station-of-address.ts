import { useEffect, useEffectEvent } from 'react';
import type { SetSearch } from '#shell/tabs/page.ts';
import type { FormState } from './use-form.ts';

/**
 * Chooses the station in the URL query, once. The link to a station's first parcel leads to such a
 * URL. Text that was already typed is kept.
 */
export const useStationOfAddress = (
  state: FormState,
  several: boolean,
  named: string | undefined,
  setSearch: SetSearch,
): void => {
  const take = useEffectEvent((station_id: number) => {
    if (several && state.form.station_id !== station_id)
      state.set({ station_id, station_name: `#${station_id}` });
    setSearch({ station: undefined });
  });
  useEffect(() => {
    if (named !== undefined && /^[1-9]\d{0,14}$/.test(named)) take(Number(named));
  }, [named]);
};
