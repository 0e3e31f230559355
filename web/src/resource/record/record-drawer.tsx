import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { firstShown } from '#base/first-shown.ts';
import { useTexts } from '#base/texts.ts';
import type { AnyList } from '#resource/list/use-list.ts';
import { DetailDrawer } from '#ui/overlay/detail-drawer.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { TabStrip } from '#ui/tab-strip.tsx';
import { Waiting } from '#ui/waiting.tsx';
import styles from './record.module.css';

export interface RecordTab {
  key: string;
  label: string;
  /** The content of the tab. It is drawn only while the tab is selected. */
  content: ReactNode;
}

interface Props {
  list: AnyList;
  title: ReactNode;
  /** The state of reading the record. The tabs are shown when the record has been read. */
  reading: { ready: boolean; error: unknown; retry: () => unknown };
  /** The tabs of the record. The first tab is open unless the URL contains another tab. */
  tabs: readonly RecordTab[];
  /** The actions at the bottom of the drawer. */
  actions?: ReactNode;
}

/**
 * The opened row of a list, shown beside the list with tabs. The keys j and k open the next and the
 * previous row. The URL contains the row as `id` and the tab as `view`.
 */
export const RecordDrawer = ({ list, title, reading, tabs, actions }: Props) => {
  const { t } = useTexts();
  const panel = useId();
  const { opened } = list;
  // The id of the row that was opened last. The user may have moved on from the row that was opened
  // first.
  const last = useRef(opened);
  useEffect(() => {
    if (opened !== null) last.current = opened;
  }, [opened]);
  const failed = Boolean(reading.error) && !reading.ready;
  const tab = tabs.find(({ key }) => key === list.search['view']) ?? tabs[0]!;
  return (
    <DetailDrawer
      open={opened !== null}
      title={failed ? t('lists.unread') : title}
      onPrevious={list.onPrevious}
      onNext={list.onNext}
      onClose={list.closeRow}
      returnTo={() => firstShown(`[data-row="${last.current}"]`)}
      actions={actions}
    >
      {tabs.length > 1 && !failed && (
        <div className={styles['tabs']}>
          <TabStrip
            label={t('lists.drawer_tabs')}
            controls={panel}
            value={tab.key}
            onChange={(key) => list.setSearch({ view: key === tabs[0]!.key ? undefined : key })}
            tabs={tabs}
          />
        </div>
      )}
      <div
        id={panel}
        {...(!failed && { role: 'tabpanel', 'aria-labelledby': `${panel}-${tab.key}` })}
        tabIndex={0}
        className={styles['panel']}
      >
        {reading.ready ? (
          tab.content
        ) : reading.error ? (
          <ErrorPanel error={reading.error} onRetry={reading.retry} />
        ) : (
          <Waiting />
        )}
      </div>
    </DetailDrawer>
  );
};
