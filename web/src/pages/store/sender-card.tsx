import { useTexts } from '#base/texts.ts';
import { StationPicker } from '#resource/stations/station-picker.tsx';
import { yuan } from '#ui/values/amounts.ts';
import primitives from '#ui/primitives.module.css';
import { Locked } from './goods-card.tsx';
import { PartyFields } from './party-card.tsx';
import styles from './store.module.css';
import type { FormState } from './use-form.ts';
import type { PlaceProblem } from './use-places.ts';

interface SenderProps {
  state: FormState;
  options: { available: number; has_amount: number } | undefined;
  several: boolean;
  /** True if the carrier has the parcel, so that the sender cannot be changed. */
  fixed: boolean;
  placeProblem: PlaceProblem | null;
}

/** The card with the sender and the station. */
export const SenderCard = ({ state, options, several, fixed, placeProblem }: SenderProps) => {
  const { t } = useTexts();
  const { form, errors, set, setParty } = state;
  return (
    <section className={`${primitives['card']} ${styles['card']}`} aria-labelledby="store-sender">
      <div className={styles['cardHead']}>
        <h2 id="store-sender">{t('store.sender')}</h2>
        {fixed && <Locked />}
        {options && (
          <span className={styles['calm']}>
            {options.has_amount === 1
              ? t('store.sender_line', { amount: yuan(options.available) })
              : t('store.post_paid')}
          </span>
        )}
      </div>
      <fieldset className={styles['plain']} disabled={fixed} aria-label={t('store.sender')}>
        {several && (
          <StationPicker
            label={t('common.station')}
            value={form.station_id}
            shown={form.station_name}
            onChange={(station_id, station_name) => set({ station_id, station_name })}
            required
            error={errors['station_id']}
          />
        )}
        <PartyFields
          side="sender"
          party={form.sender}
          errors={errors}
          placeProblem={placeProblem}
          book={{
            station_id: several ? form.station_id : null,
            closed: several && form.station_id === null,
          }}
          onParty={(next) => setParty('sender', next)}
          onChange={(changes) => setParty('sender', (now) => ({ ...now, ...changes }))}
        />
      </fieldset>
    </section>
  );
};
