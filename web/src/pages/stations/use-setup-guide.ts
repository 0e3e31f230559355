import { listStationSetups } from '@waystation/contract/network/station-setup.ts';
import type { StationSetup } from '@waystation/contract/network/station-setup.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { useCall } from '#base/query.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import type { Authorities } from './authority.ts';

export interface SetupGuide {
  /** The unfinished guides by station id, with their progress. */
  open: ReadonlyMap<number, StationSetup>;
  /** The id of the station whose guide is shown. */
  station: number | null;
  /** True if the form for a new station is shown, which is the first step of the guide. */
  isNew: boolean;
  begin: () => void;
  show: (id: number) => void;
  close: () => void;
  /** Called when a new station has been saved, to continue with the guide of this station. */
  saved: (row: Station) => void;
}

/**
 * The setup guide for new stations. Its state is in the URL query: `setup` is the id of the
 * station, or `new`.
 */
export const useSetupGuide = ({ builds }: Authorities): SetupGuide => {
  const { t } = useTexts();
  const [search, setSearch] = usePageSearch();
  const { data } = useCall(listStationSetups, builds ? {} : null, {
    quiet: true,
    staleTime: 30_000,
  });
  const named = builds ? search['setup'] : undefined;
  const begin = (): void => setSearch({ form: 'new', setup: 'new' }, { push: true });
  useShortcuts(builds ? [{ keys: 'o', label: t('stations.setup_new'), run: begin }] : []);
  return {
    open: new Map((data?.items ?? []).map((setup) => [setup.station_id, setup])),
    station: named !== undefined && /^[1-9]\d{0,14}$/.test(named) ? Number(named) : null,
    isNew: named === 'new',
    begin,
    show: (id) => setSearch({ setup: id }, { push: true }),
    close: () => setSearch({ setup: undefined }),
    saved: (row) => setSearch({ form: undefined, setup: row.id }),
  };
};
