import type { Station } from '@waystation/contract/network/station.ts';
import type { ScreenName } from '@waystation/contract/shell/screens.ts';
import { useTexts } from '#base/texts.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';

/** Actions that open the lists of a station's records, each with a filter for the station. */
export const useStationPlaces = (): (RowAction<Station> & { screen: ScreenName })[] => {
  const { t } = useTexts();
  const place = (key: string, screen: ScreenName, label: string) => ({
    key,
    screen,
    label,
    run: ({ id }: Station): void => openScreen(screen, { station_id: id }),
  });
  return [
    place('parcels', 'ExpressTable', t('stations.see_parcels')),
    place('statements', 'StatementTable', t('stations.see_statements')),
    place('accounts', 'AccountTable', t('stations.see_accounts')),
  ];
};
