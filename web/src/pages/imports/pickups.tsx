import type { Import } from '@waystation/contract/imports/import.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import { useTexts } from '#base/texts.ts';
import { useCoverageCalls } from '#parcels/ask-coverage.ts';
import { WindowField } from '#parcels/window-field.tsx';
import styles from './imports.module.css';

interface Props {
  found: Import;
  /** The rows that can be ordered. */
  rows: number;
  /** The chosen windows by the first row of their pickup. */
  windows: ReadonlyMap<number, string>;
  onChange: (row: number, window: string) => void;
}

/**
 * One choice of the courier's time for all rows of the same carrier and pickup address, as the
 * carrier offers it.
 */
export const Pickups = ({ found, rows, windows, onChange }: Props) => {
  const { t, language } = useTexts();
  const pickups = found.pickups ?? [];
  const answers = useCoverageCalls(
    pickups.map(({ provider, places }) => ({ ...places, provider, station_id: found.station_id })),
    false,
  );
  if (pickups.length === 0) return null;
  const rest = rows - pickups.reduce((sum, pickup) => sum + pickup.rows, 0);
  return (
    <section className={styles['pickups']} aria-label={t('store.pickup')}>
      {pickups.map((pickup, index) => (
        <WindowField
          key={pickup.row}
          label={t('imports.quote.pickup', {
            carrier: providers[pickup.provider][language],
            count: pickup.rows,
          })}
          value={windows.get(pickup.row) ?? ''}
          windows={answers[index]?.data?.pickup_windows}
          onChange={(window) => onChange(pickup.row, window)}
          hint={`${pickup.places.sender_city}${pickup.places.sender_county}${pickup.places.sender_address}`}
        />
      ))}
      {rest > 0 && (
        <p className={styles['quiet']}>{t('imports.quote.pickup_rest', { count: rest })}</p>
      )}
    </section>
  );
};
