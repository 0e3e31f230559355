import { expressStations } from '@waystation/contract/parcels/express-calls.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { OwnFilter } from '#resource/list/list-filters.ts';
import { StationPicker } from './station-picker.tsx';

/**
 * The filter by station. It shows the station's name, or its id if the station picker does not know
 * the station.
 */
export const useStationFilter = (): OwnFilter => {
  const { t } = useTexts();
  const [search] = usePageSearch();
  const { data } = useCall(expressStations, search['station_id'] === undefined ? null : {}, {
    quiet: true,
    staleTime: 300_000,
  });
  const nameOf = (id: string): string =>
    data?.items.find((station) => String(station.id) === id)?.name ?? `#${id}`;
  return {
    key: 'station_id',
    kind: 'own',
    label: t('common.station'),
    more: true,
    words: nameOf,
    control: (value, change, bare) => (
      <StationPicker
        label={t('common.station')}
        bare={bare}
        value={/^\d+$/.test(value) ? Number(value) : null}
        shown={value === '' ? undefined : nameOf(value)}
        onChange={(id) => change(id === null ? undefined : String(id))}
        clearable
      />
    ),
  };
};
