import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { maskPhone, normalisePhone, parsePhone } from '@waystation/contract/parcels/phone.ts';
import { useFormat } from '#base/format.ts';
import { useNow } from '#base/now.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useOrders } from '#parcels/orders/entries.ts';
import { isHeldHere } from '#parcels/orders/entry.ts';
import { numberOf } from '#parcels/parcel-rules.ts';
import { StatusTag } from '#parcels/status-tag.tsx';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { screenHref } from '#shell/tabs/open-screen.ts';
import styles from './store.module.css';

/**
 * Milliseconds within which another parcel to the same phone may be the same order, typed twice.
 */
const recently = 24 * 3_600_000;
/**
 * The maximum number of parcels that one search returns. It is more than one, because in some found
 * parcels the phone may be the sender's.
 */
const mostRead = 5;

const samePhone = (one: string, other: string): boolean =>
  normalisePhone(one) === normalisePhone(other);

/**
 * Warns before the order if a parcel was sent to this phone within the last day. `station` is the
 * station of the order if the user sees several stations. A search at a station other than the
 * user's own is limited and audited like any search by phone. If the limit is reached, nothing is
 * shown (server: `countPhoneSearch`).
 */
export const SentBefore = ({
  phone,
  but,
  station,
}: {
  phone: string;
  but: number | null;
  station: number | 'all' | null;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const now = useNow();
  const among = station === 'all' ? {} : station !== null ? { station_id: station } : null;
  const settled = useSettled(phone, 250);
  const whole = parsePhone(settled);
  const { data } = useCall(
    listExpresses,
    whole === null || among === null
      ? null
      : { ...among, q: whole.number, page_size: mostRead, fields: 'created_at' },
    {
      quiet: true,
      staleTime: 30_000,
    },
  );
  const queued = useOrders(({ entries }) =>
    entries.find((entry) => isHeldHere(entry) && samePhone(entry.form.receiver.phone, phone)),
  );
  if (whole === null || !samePhone(settled, phone)) return null;
  if (queued !== undefined)
    return (
      <p className={styles['sentBefore']}>
        {t('store.sent_queued', { name: queued.form.receiver.name })}
      </p>
    );
  const sent = data?.items.find(
    (row) =>
      row.id !== but &&
      // The phones of another station's parcels are masked. If the visible digits are equal, the
      // phone is the same, because the search was for the whole phone.
      (samePhone(row.receive_phone, phone) || row.receive_phone === maskPhone(whole.number)) &&
      row.state_code !== stateCode.cancelled &&
      row.state_code !== stateCode.draft &&
      row.created_at !== undefined &&
      now - Date.parse(row.created_at) < recently,
  );
  if (sent?.created_at === undefined) return null;
  return (
    <p className={styles['sentBefore']}>
      {t('store.sent_before', {
        when: format.relative(sent.created_at, now),
        name: sent.receive_name,
      })}{' '}
      <a href={screenHref('ExpressTable', { id: sent.id })}>{numberOf(sent)}</a>{' '}
      <StatusTag code={sent.state_code} />
    </p>
  );
};
