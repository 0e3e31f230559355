import { ReloadOutlined } from '@ant-design/icons-svg';
import { useEffect, useState } from 'react';
import { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { call } from '#base/call.ts';
import { useLiveEvents } from '#base/live-events.ts';
import type { HeardEvent } from '#base/live-events.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { listInput } from '#resource/list/list-filters.ts';
import type { AnyList } from '#resource/list/use-list.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import styles from './new-parcels.module.css';
import { defaultSort } from './filters.ts';
import { follow, hear, sinceRead } from './since.ts';

/** The number of milliseconds that a read usually takes at most, including a replica's delay. */
const longestRead = 10_000;

/**
 * The number of new parcels that the list does not show yet. They are counted only if the sort
 * order would show them at the top of the list.
 */
const useSince = ({ at, busy, rows }: AnyList): { count: number; gap: boolean; events: number } => {
  const [since, setSince] = useState(() => sinceRead(at, busy));
  // If the list was never read, its first read begins now and contains everything from before.
  const [readAt] = useState(() => (at === 0 ? Date.now() : at));
  if (since.at !== at || since.busy !== busy) setSince(follow(since, at, busy));
  const onEvent = (event: HeardEvent): void => setSince((known) => hear(known, event));
  // This component is loaded after the list, so it also needs the events from before. An event that
  // arrived during the read, or shortly before it, may be missing in the rows.
  useLiveEvents('parcel', onEvent, readAt - longestRead);
  useLiveEvents('parcels', onEvent, readAt);
  useLiveEvents('reset', onEvent, readAt);
  // An event may arrive after the read that already includes its parcel. So parcels that the list
  // contains are not counted.
  const listed = new Set(rows?.map(({ id }) => id));
  return {
    count: [...since.ids].filter((id) => !listed.has(id)).length + since.unnamed,
    gap: since.gap,
    events: since.events,
  };
};

/**
 * The minimum time in milliseconds between two requests of a filtered list. Only an event causes
 * such a request.
 */
const askEvery = 5_000;

/**
 * The number of rows on the first page of a filtered list that are not shown yet; "20+" if the page
 * is full of them. The list is requested with its filters some seconds after the first event. So
 * even a busy network costs only one request per `askEvery`.
 */
const useMatching = (
  list: AnyList,
  events: number,
  enabled: boolean,
): { count: number; more: boolean } => {
  const mark = `${list.at} ${JSON.stringify(list.place)}`;
  const [found, setFound] = useState<{
    mark: string;
    events: number;
    count: number;
    more: boolean;
  }>({ mark, events: 0, count: 0, more: false });
  const asked = found.mark === mark ? found.events : 0;
  const isDue = enabled && events > asked && list.rows !== undefined;
  const { size } = list.place;
  const input = JSON.stringify({ ...listInput(list.place), fields: 'id' });
  const listed = JSON.stringify(list.rows?.map(({ id }) => id) ?? []);
  useEffect(() => {
    if (!isDue) return;
    const left = new AbortController();
    const ask = async (): Promise<void> => {
      const { items } = await call(listExpresses, JSON.parse(input) as object, {
        signal: left.signal,
        background: true,
      });
      const known = new Set(JSON.parse(listed) as number[]);
      const count = items.filter(({ id }) => !known.has(id)).length;
      if (!left.signal.aborted) setFound({ mark, events, count, more: count >= size });
    };
    // After a failed request, no new request is sent until the next event arrives.
    const failed = (): void => {
      if (!left.signal.aborted) setFound((known) => ({ ...known, mark, events }));
    };
    const timer = setTimeout(() => void ask().catch(failed), askEvery);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
    // `events` is left out: a later event must not restart the timer, since the read that is due
    // includes that event.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isDue, asked, mark, input, listed, size]);
  return found.mark === mark && enabled ? found : { count: 0, more: false };
};

/**
 * A button such as "3 new parcels", which reads the list again. The list does not change by itself,
 * so that rows do not move under the pointer. If the list is filtered, only parcels that match the
 * filters are counted.
 */
export const NewParcels = ({ list }: { list: AnyList }) => {
  const { t } = useTexts();
  const format = useFormat();
  const narrow = useNarrow();
  const { count: every, gap, events } = useSince(list);
  const { page, sort, values } = list.place;
  const isFirst = page === 1 && sort === defaultSort && list.chosen.length === 0;
  const isFiltered = list.filtered || Object.keys(values).length > 0;
  const matching = useMatching(list, events, isFirst && isFiltered);
  const count = isFiltered ? matching.count : every;
  const shown = format.number(count) + (isFiltered && matching.more ? '+' : '');
  return (
    <span role="status" className={narrow ? styles['floating'] : undefined}>
      {isFirst && list.data && (count > 0 || gap) && (
        <Button
          className={styles['pill']}
          icon={<Icon of={ReloadOutlined} />}
          onClick={() => void list.refetch()}
        >
          {count > 0 ? t('expresses.new_parcels', { count: shown }) : t('expresses.list_changed')}
        </Button>
      )}
    </span>
  );
};
