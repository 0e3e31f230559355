import { ExpandOutlined } from '@ant-design/icons-svg';
import { useEffect, useRef } from 'react';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { firstShown } from '#base/first-shown.ts';
import { useTexts } from '#base/texts.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { DetailDrawer } from '#ui/overlay/detail-drawer.tsx';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import type { Printing } from '#printing/printing.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import type { DrawerTab } from './drawer-tab.ts';
import { useOpenedKeys } from './use-row-keys.ts';
import { ParcelActions, ParcelTabs, ParcelTitle, Reprint, useLiveParcel } from './parcel-parts.tsx';

interface Props {
  /** The id of the parcel to show; null if the drawer is closed. */
  id: number | null;
  /** The row of the list. It is shown until the parcel itself is loaded. */
  row: ExpressRow | undefined;
  tab: DrawerTab;
  onTab: (tab: DrawerTab) => void;
  actions: readonly RowAction<ExpressRow>[];
  printing: Printing;
  /**
   * Called after a label was printed again because the parcel had been edited. Null if the parcel
   * was not edited.
   */
  onReprinted: (() => void) | null;
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  onClose: () => void;
}

/** The drawer with everything about one parcel, beside the list. */
export const ParcelDrawer = ({
  id,
  row,
  tab,
  onTab,
  actions,
  printing,
  onReprinted,
  onPrevious,
  onNext,
  onClose,
}: Props) => {
  const { t } = useTexts();
  const { data, error, refetch } = useLiveParcel(id);
  // The id of the parcel that this drawer showed last. It may differ from the id of the parcel that
  // it showed first.
  const last = useRef(id);
  useEffect(() => {
    if (id !== null) last.current = id;
  }, [id]);
  const parcel = data?.id === id ? data : undefined;
  const known = parcel ?? row;
  const keys = useOpenedKeys(printing, known);
  return (
    <DetailDrawer
      open={id !== null}
      title={<ParcelTitle parcel={known} failed={error !== null} />}
      link={
        id !== null && (
          <Button
            type="text"
            icon={<Icon of={ExpandOutlined} />}
            href={screenHref('ExpressPage', { id, view: tab === 'overview' ? undefined : tab })}
            aria-label={t('parcel.full_page')}
            title={t('parcel.full_page')}
          />
        )
      }
      onPrevious={onPrevious}
      onNext={onNext}
      onClose={onClose}
      keys={keys}
      returnTo={() => firstShown(`[data-row="${last.current}"]`)}
      actions={known && <ParcelActions parcel={known} actions={actions} />}
    >
      {onReprinted && parcel && parcel.print_count > 0 && (
        <Reprint parcel={parcel} actions={actions} onDone={onReprinted} />
      )}
      <ParcelTabs parcel={parcel} error={error} onRetry={refetch} tab={tab} onTab={onTab} />
    </DetailDrawer>
  );
};
