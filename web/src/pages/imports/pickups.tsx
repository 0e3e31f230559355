import type { Import } from '@waystation/contract/imports/import.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import { useTexts } from '#base/texts.ts';
import { useCoverageCalls } from '#parcels/ask-coverage.ts';
import type { Coverage } from '#parcels/ask-coverage.ts';
import { WindowField } from '#parcels/window-field.tsx';
import { pickupKey } from './chosen-pickups.ts';
import type { ChosenWindows } from './chosen-pickups.ts';
import styles from './imports.module.css';

type Offered = readonly (Coverage['pickup_windows'] | undefined)[];

/** The windows that the carriers offer for each pickup; `undefined`: no answer yet. */
export const useOfferedWindows = ({ pickups, station_id }: Import): Offered =>
  useCoverageCalls(
    (pickups ?? []).map(({ provider, places }) => ({ ...places, provider, station_id })),
    false,
  ).map(({ data }) => data?.pickup_windows);

interface Props {
  found: Import;
  /** The rows that can be ordered. */
  rows: number;
  windows: ChosenWindows;
  offered: Offered;
  onChange: (key: string, window: string) => void;
}

/**
 * One choice of the courier's time for all rows of the same carrier and pickup address, as the
 * carrier offers it.
 */
export const Pickups = ({ found, rows, windows, offered, onChange }: Props) => {
  const { t, language } = useTexts();
  const pickups = found.pickups ?? [];
  if (pickups.length === 0) return null;
  const rest = rows - pickups.reduce((sum, pickup) => sum + pickup.rows, 0);
  return (
    <section className={styles['pickups']} aria-label={t('store.pickup')}>
      {pickups.map((pickup, index) => (
        <WindowField
          key={pickupKey(pickup)}
          label={t('imports.quote.pickup', {
            carrier: providers[pickup.provider][language],
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
