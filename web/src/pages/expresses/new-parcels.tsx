import { ReloadOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { useLiveEvents } from '#base/live-events.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import type { AnyList } from '#resource/list/use-list.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import styles from './new-parcels.module.css';
import { defaultSort } from './filters.ts';

/** What was announced since the list was read. */
interface Since {
  /** When it was read. */
  at: number;
  ids: ReadonlySet<number>;
  /** Parcels that were counted instead of named. */
  unnamed: number;
  /** Something may have been missed. */
  gap: boolean;
}

const none: ReadonlySet<number> = new Set();

/** New parcels that the list does not show yet, where it would show them first. */
const useSince = ({ at, rows }: AnyList): { count: number; gap: boolean } => {
  const [since, setSince] = useState<Since>({ at, ids: none, unnamed: 0, gap: false });
  if (since.at !== at) setSince({ at, ids: none, unnamed: 0, gap: false });
  useLiveEvents('parcel', ({ change, express_id }) => {
    if (change === 'created') setSince((known) => ({ ...known, ids: new Set([...known.ids, express_id]) }));
  });
  useLiveEvents('parcels', ({ created }) => setSince((known) => ({ ...known, unnamed: known.unnamed + created })));
  useLiveEvents('reset', () => setSince((known) => ({ ...known, gap: true })));
  // An event may arrive after the read that has its parcel.
  const listed = new Set(rows?.map(({ id }) => id));
  return { count: [...since.ids].filter((id) => !listed.has(id)).length + since.unnamed, gap: since.gap };
};

/** "3 new parcels": reads the list again when it is pressed, so that rows do not move under the pointer. */
export const NewParcels = ({ list }: { list: AnyList }) => {
  const { t } = useTexts();
  const format = useFormat();
  const narrow = useNarrow();
  const { count, gap } = useSince(list);
  const { page, sort, values } = list.place;
  const isFirst = page === 1 && sort === defaultSort && !list.filtered && list.chosen.length === 0 && Object.keys(values).length === 0;
  return (
    <span role="status" className={narrow ? styles['floating'] : undefined}>
      {isFirst && list.data && (count > 0 || gap) && (
        <Button className={styles['pill']!} icon={<Icon of={ReloadOutlined} />} onClick={() => void list.refetch()}>
          {count > 0 ? t('expresses.new_parcels', { count: format.number(count) }) : t('expresses.list_changed')}
        </Button>
      )}
    </span>
  );
};
