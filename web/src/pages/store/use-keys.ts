import { useMemo } from 'react';
import { announce } from '#base/announce.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { useSteady } from '#base/use-steady.ts';
import { pinnable } from '#parcels/orders/form.ts';
import { replacedParty } from '#parcels/orders/carrier-text.ts';
import type { FormState } from './use-form.ts';

interface Keys {
  state: FormState;
  order: (print: boolean) => void;
  keepDraft: () => void;
  /**
   * True if the form edits a parcel that the carrier already has. Such a parcel can be saved but
   * not ordered.
   */
  sent: boolean;
  /** The reason why no label can be printed; null if labels can be printed. */
  noPrint: string | null;
}

/** The shortcut keys of the order form. They work even while the user types. */
export const useStoreKeys = ({ state, order, keepDraft, sent, noPrint }: Keys): void => {
  const { t } = useTexts();
  const { form, doubts, pins, togglePin, setParty } = state;
  const replace = useSteady(() => {
    for (const side of ['receiver', 'sender'] as const)
      if (replacedParty(form[side]) !== form[side]) setParty(side, replacedParty, doubts);
  });
  const pinHere = useSteady(() => {
    const pin = pinnable.find((each) => each === document.activeElement?.getAttribute('name'));
    if (pin === undefined) return;
    togglePin(pin);
    announce(
      t(pins.includes(pin) ? 'store.unpinned' : 'store.pinned', { field: t(`store.${pin}`) }),
    );
  });
  useShortcuts(
    useMemo(
      () => [
        {
          keys: 'F8',
          label: sent ? t('store.edit_save') : t('store.order'),
          run: () => order(false),
          whileTyping: true,
        },
        ...(sent || noPrint !== null
          ? []
          : [
              {
                keys: 'F9',
                label: t('store.order_print'),
                run: () => order(true),
                whileTyping: true,
              },
            ]),
        {
          keys: 'mod+s',
          label: sent ? t('store.edit_save') : t('store.draft'),
          run: () => (sent ? order(false) : keepDraft()),
          whileTyping: true,
        },
        { keys: 'alt+r', label: t('store.replace'), run: replace, whileTyping: true },
        { keys: 'alt+p', label: t('store.pin_here'), run: pinHere, whileTyping: true },
      ],
      [t, order, keepDraft, sent, noPrint, pinHere, replace],
    ),
  );
};
