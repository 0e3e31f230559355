import { useTexts } from '#base/texts.ts';
import type { Coverage } from '#parcels/ask-coverage.ts';
import { lazyComponent } from '#ui/lazy.tsx';
import { Locked } from './goods-card.tsx';
import type { FormState } from './use-form.ts';

interface Props extends Pick<FormState, 'set' | 'errors'> {
  /** The chosen window, as the form stores it. */
  pickup: string;
  /**
   * The windows that the carrier offers; null if it offers none, undefined if it has not answered.
   */
  windows: Coverage['pickup_windows'] | undefined;
  /** True if the carrier has the parcel, so that its window is shown but cannot be changed. */
  fixed: boolean;
  /** The window of a parcel that the carrier already has; empty if there is none. */
  own: string;
  /** True if the pickup window applies to all people of a pasted list. */
  forAll: boolean;
  /**
   * Set if the form replaces a parcel whose pickup was missed, and no new window has been chosen
   * yet. Otherwise null.
   */
  missed: { onSoon: () => void } | null;
}

const WindowField = lazyComponent(
  async () => (await import('#parcels/window-field.tsx')).WindowField,
);
const NextPickup = lazyComponent(async () => (await import('./choice-notes.tsx')).NextPickup);

/**
 * The field for the pickup window. It offers no choice before the carrier has answered, if the
 * carrier offers no windows, and after the order.
 */
export const PickupField = ({
  pickup,
  windows,
  fixed,
  own,
  forAll,
  missed,
  set,
  errors,
}: Props) => {
  const { t } = useTexts();
  // If the pickup was missed, the user can choose the next window even before the carrier has
  // answered.
  const isOpen =
    missed !== null && pickup === '' && (windows === undefined || (windows?.length ?? 0) > 0);
  if ((!windows || fixed) && pickup === '' && !isOpen) return null;
  const field = (
    <WindowField
      label={forAll ? t('store.batch.pickup') : t('store.pickup')}
      name="pickup"
      value={pickup}
      own={own}
      windows={windows}
      disabled={fixed}
      {...(fixed && { after: <Locked /> })}
      onChange={(next) => {
        set({ pickup: next });
        if (next === '') missed?.onSoon();
      }}
      error={errors['pickup']}
    />
  );
  return isOpen ? (
    <>
      <NextPickup
        windows={windows ?? []}
        onChoose={(next) => set({ pickup: next })}
        onSoon={() => {
          // Setting the field also removes its error, even if its value stays the same.
          set({ pickup: '' });
          missed.onSoon();
        }}
      />
      {windows && field}
    </>
  ) : (
    field
  );
};
