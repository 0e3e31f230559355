import { useEffect, useRef, useState } from 'react';
import {
  boardRanges,
  silentDays,
  stationBoard,
  stuckHours,
} from '@waystation/contract/shell/workplace.ts';
import type { StationBelow } from '@waystation/contract/shell/workplace.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { fallReasons } from '#parcels/fallen.ts';
import type { FallReason } from '#parcels/fallen.ts';
import type { AnyList } from '#resource/list/use-list.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Button } from '#ui/button.tsx';
import { yuan } from '#ui/values/amounts.ts';
import styles from './stations.module.css';

interface Act {
  href: string;
  words: string;
}

/** The link that helps with a reason. Null if the action is a button at the foot of the drawer. */
const useAct = (station: Station): ((reason: FallReason, row: StationBelow) => Act | null) => {
  const { t } = useTexts();
  return (reason, row) => {
    const phone = station.sender_phone;
    const call = phone !== '' && !phone.includes('*') ? `tel:${phone}` : null;
    if (reason === 'off') return null;
    if (reason === 'no_money')
      return {
        href: screenHref('StationTable', { id: station.id, view: 'money' }),
        words: t('stations.tab_money'),
      };
    if (reason === 'stuck')
      return {
        href: screenHref('ExpressTable', row.stuck.filter),
        words: t('stations.see_parcels'),
      };
    if (reason === 'silent' && call !== null)
      return { href: call, words: `${t('parcel.exception_do.dial')} ${phone}` };
    return {
      href: screenHref('ExpressTable', row.parcels.filter),
      words: t('stations.see_parcels'),
    };
  };
};

const useReason = (station: Station): ((reason: FallReason, row: StationBelow) => string) => {
  const { t } = useTexts();
  const format = useFormat();
  return (reason, row) => {
    const last = row.last_active_at;
    const words: Record<FallReason, readonly string[]> = {
      off: [t('workplace.below.off')],
      no_money: [t('workplace.days_left_none'), yuan(row.available)],
      silent:
        last === null
          ? [t('workplace.below.never')]
          : [t('workplace.below.silent', { days: silentDays }), format.relative(last)],
      stuck: [
        `${t('workplace.below.stuck')} ${format.number(row.stuck.count)}`,
        t('workplace.below.stuck_note', { hours: stuckHours }),
      ],
      // The facts that rule out the other reasons, followed by the person to call.
      none: [
        t('lists.enabled'),
        `${t('workplace.below.available')} ${yuan(row.available)}`,
        `${t('workplace.below.stuck')} 0`,
        `${station.sender_name} ${station.sender_phone}`.trim(),
      ],
    };
    return words[reason].join(' · ');
  };
};

const Fall = ({ row, station, list, days }: Props & { row: StationBelow; days: number }) => {
  const { t } = useTexts();
  const format = useFormat();
  const reasonOf = useReason(station);
  const act = useAct(station);
  const from = useRef<HTMLElement>(null);
  const wanted = list.search['why'] !== undefined;
  // If the user comes from the Workplace, focuses the first link of this section, so that Enter
  // opens it.
  useEffect(() => {
    if (!wanted) return;
    from.current?.querySelector('a')?.focus();
    list.setSearch({ why: undefined });
  }, [wanted, list]);
  return (
    <section ref={from} className={styles['fall']} aria-labelledby={`fall-${station.id}`}>
      <h3 id={`fall-${station.id}`}>
        {t('workplace.below.fallen_from', {
          days,
          now: format.number(row.parcels.count),
          before: format.number(row.before.count),
        })}
      </h3>
      <ul>
        {fallReasons(row).map((reason, at) => {
          const next = act(reason, row);
          return (
            <li key={reason}>
              <span>{reasonOf(reason, row)}</span>
              {next && (
                <Button size="small" type={at === 0 ? 'primary' : 'default'} href={next.href}>
                  {next.words}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
};

interface Props {
  station: Station;
  list: AnyList;
}

/**
 * Shows why the station has fewer parcels than before, within the range of days that was chosen on
 * the Workplace.
 */
export const StationFall = ({ station, list }: Props) => {
  // Keeps the range of days that the Workplace sent, because it is later removed from the URL.
  const [asked] = useState(list.search['why']);
  const days = boardRanges.find((one) => String(one) === asked) ?? 30;
  const { data } = useCall(stationBoard, { days }, { quiet: true });
  const row = data?.items.find(({ station_id }) => station_id === station.id);
  if (!row || row.parcels.count >= row.before.count) return null;
  return <Fall row={row} station={station} list={list} days={days} />;
};
