import { useId } from 'react';
import { useShortcuts } from '#base/shortcuts.ts';
import { usePageSearch, useTabDetail } from '#shell/tabs/page.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { useTexts } from '#base/texts.ts';
import { numberOf } from '#parcels/parcel-rules.ts';
import { useParcelActions } from '#parcels/parcel-actions.tsx';
import { usePrinting } from '#printing/printing.tsx';
import { Empty } from '#ui/empty.tsx';
import primitives from '#ui/primitives.module.css';
import { drawerTab } from './expresses/drawer-tab.ts';
import { useOpenedKeys } from './expresses/use-row-keys.ts';
import {
  ParcelActions,
  ParcelTabs,
  ParcelTitle,
  useLiveParcel,
} from './expresses/parcel-parts.tsx';
import styles from './parcel/parcel.module.css';

const idOf = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;

const nothing = (): void => undefined;

/**
 * A page with one parcel, so that the parcel has a URL. It shows the same content and actions as
 * the drawer.
 */
export const Page = () => {
  const { t } = useTexts();
  const heading = useId();
  const [search, setSearch] = usePageSearch();
  const id = idOf(search['id']);
  const { data, error, refetch } = useLiveParcel(id);
  const printing = usePrinting();
  const doing = useParcelActions(printing, nothing);
  const parcel = data?.id === id ? data : undefined;
  useShortcuts(useOpenedKeys(printing, parcel));
  useTabDetail(parcel ? numberOf(parcel) : null);
  return (
    <section className={styles['page']} aria-labelledby={heading}>
      <header className={`${primitives['pageHead']} ${styles['head']}`}>
        <h1 id={heading}>
          {id === null ? t('menu.parcel') : <ParcelTitle parcel={parcel} failed={error !== null} />}
        </h1>
        {parcel && (
          <div className={primitives['buttons']}>
            <ParcelActions parcel={parcel} actions={doing.actions} />
          </div>
        )}
      </header>
      {id === null ? (
        <Empty title={t('parcel.none_chosen')}>
          <a href={screenHref('ExpressTable')}>{t('parcel.to_list')}</a>
        </Empty>
      ) : (
        <ParcelTabs
          parcel={parcel}
          error={error}
          onRetry={refetch}
          tab={drawerTab(search['view'])}
          onTab={(view) => setSearch({ view: view === 'overview' ? undefined : view })}
        />
      )}
      {doing.dialogs}
      {printing.dialogs}
    </section>
  );
};
