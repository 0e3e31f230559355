import { errorText } from '#base/error-text.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { windowKey, windowOf, windowText } from '#parcels/pickup-window.ts';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { Locked } from './goods-card.tsx';
import { offeredWindows, windowTrouble } from './offered-windows.ts';
import type { FormState } from './use-form.ts';
import type { Coverage } from './use-coverage.ts';

interface Props extends Pick<FormState, 'set' | 'errors'> {
  /** The chosen window as the form keeps it. */
  pickup: string;
  /** The carrier's answer about the two places; null until there is one. */
  coverage: Coverage | null;
  /** The carrier has the parcel: its window is shown, and cannot be changed. */
  fixed: boolean;
}

/** The time of the courier's visit: as soon as possible, or a window that the carrier offers. */
export const PickupField = ({ pickup, coverage, fixed, set, errors }: Props) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const windows = coverage?.pickup_windows;
  const offered = offeredWindows(windows ?? [], format).map((window) => ({
    value: windowKey(window),
    label: windowText(window, format),
  }));
  const chosen = windowOf(pickup);
  // A chosen window stays named, also when the carrier does not answer or no longer has it.
  const missing =
    chosen !== null && !offered.some(({ value }) => value === pickup)
      ? [{ value: pickup, label: windowText(chosen, format) }]
      : [];
  // There is nothing to choose before the carrier has answered or without windows, nor after the
  // order.
  if ((!windows || fixed) && chosen === null) return null;
  const trouble = fixed ? null : windowTrouble(pickup, windows);
  return (
    <SelectField
      label={t('store.pickup')}
      name="pickup"
      value={pickup === '' ? null : pickup}
      none={t('store.pickup_soon')}
      disabled={fixed}
      {...(fixed && { after: <Locked /> })}
      options={[...missing, ...offered]}
      onChange={(next) => set({ pickup: next ?? '' })}
      error={errors['pickup'] ?? (trouble ? errorText(trouble, undefined, language) : undefined)}
    />
  );
};
