import type { Import, ImportPickup } from '@waystation/contract/imports/import.ts';
import { pickupRules, providers } from '@waystation/contract/network/provider.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';
import { useCoverageCalls } from '#parcels/ask-coverage.ts';
import type { Coverage } from '#parcels/ask-coverage.ts';
import { WindowField } from '#parcels/window-field.tsx';
import { pickupKey } from './chosen-pickups.ts';
import type { ChosenWindows } from './chosen-pickups.ts';
import styles from './imports.module.css';

type Offered = readonly (Coverage['pickup_windows'] | undefined)[];

type Places = ImportPickup['places'];

/**
 * The input to request the windows of a pickup. It contains the addresses of one of the pickup's
 * rows, without masked phones.
 */
const questionOf = (
  { provider, promise_id }: ImportPickup,
  { sender_phone, receive_phone, ...places }: Places,
  station_id: number,
) => {
  const isShown = ![sender_phone, receive_phone].some((phone) => phone.includes('*'));
  const phones = pickupRules(provider).asks_phones && isShown && { sender_phone, receive_phone };
  return { ...places, ...phones, ...(promise_id && { promise_id }), provider, station_id };
};

const unserved: ReadonlySet<string | undefined> = new Set(['out_of_area', 'suspended']);

/**
 * The windows that the carriers offer for each pickup; `undefined` if the carrier has not answered
 * yet. If the carrier does not serve the first row's receiver, a row to another city is tried.
 */
export const useOfferedWindows = ({ pickups, station_id }: Import): Offered => {
  const [first, second, third] = [0, 1, 2].map((at) =>
    (pickups ?? []).map((pickup) => [pickup.places, ...pickup.other_places][at]),
  );
  const ask = (rows: readonly (Places | undefined)[] = []) =>
    rows.flatMap((places, at) =>
      places === undefined ? [] : [questionOf(pickups![at]!, places, station_id)],
    );
  const answersOf = (
    rows: readonly (Places | undefined)[] = [],
    answers: readonly { data: Coverage | undefined }[],
  ) => {
    const left = [...answers];
    return rows.map((places) => (places === undefined ? undefined : left.shift()?.data));
  };
  /**
   * For each pickup whose carrier does not serve the row that was tried, returns the next row to
   * try. Returns undefined for the other pickups.
   */
  const nextOf = (
    rows: readonly (Places | undefined)[] = [],
    answers: readonly (Coverage | undefined)[],
  ) => rows.map((places, at) => (unserved.has(answers[at]?.result) ? places : undefined));
  const one = answersOf(first, useCoverageCalls(ask(first), false));
  const secondRows = nextOf(second, one);
  const two = answersOf(secondRows, useCoverageCalls(ask(secondRows), false));
  const thirdRows = nextOf(third, two);
  const three = answersOf(thirdRows, useCoverageCalls(ask(thirdRows), false));
  return one.map((answer, at) => (three[at] ?? two[at] ?? answer)?.pickup_windows);
};

interface Props {
  found: Import;
  /** The number of rows that can be ordered. */
  rows: number;
  windows: ChosenWindows;
  offered: Offered;
  onChange: (key: string, window: string) => void;
}

/**
 * Lets the user choose one of the pickup windows that the carrier offers. The choice applies to all
 * rows with the same carrier and pickup address.
 */
export const Pickups = ({ found, rows, windows, offered, onChange }: Props) => {
  const { t, language } = useTexts();
  const pickups = found.pickups ?? [];
  if (pickups.length === 0) return null;
  const carrierOf = ({ provider, promise_id }: ImportPickup): string => {
    const product = found.quote?.promises.find((each) => each.promise_id === promise_id);
    const name = language === 'en' ? product?.promise_name_en : product?.promise_name;
    return [wordOf(providers, provider, language), name].filter(Boolean).join(' · ');
  };
  const rest = rows - pickups.reduce((sum, pickup) => sum + pickup.rows, 0);
  return (
    <section className={styles['pickups']} aria-label={t('store.pickup')}>
      {pickups.map((pickup, index) => (
        <WindowField
          key={pickupKey(pickup)}
          label={t('imports.quote.pickup', {
            carrier: carrierOf(pickup),
            count: pickup.rows,
          })}
          value={windows.get(pickupKey(pickup)) ?? ''}
          windows={offered[index]}
          onChange={(window) => onChange(pickupKey(pickup), window)}
          hint={`${pickup.places.sender_city}${pickup.places.sender_county}${pickup.places.sender_address}`}
        />
      ))}
      {rest > 0 && (
        <p className={styles['quiet']}>{t('imports.quote.pickup_rest', { count: rest })}</p>
      )}
    </section>
  );
};
