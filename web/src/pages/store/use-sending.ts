import { useState } from 'react';
import { useTexts } from '#base/texts.ts';
import { errorText } from '#base/error-text.ts';
import { carrierProblems } from '#parcels/orders/carrier-text.ts';
import { firstField, problemsOf } from '#parcels/orders/form.ts';
import type { LostChoice } from '#parcels/orders/price.ts';
import type { WindowTrouble } from '#parcels/offered-windows.ts';
import type { FormState } from './use-form.ts';
import type { PlaceProblems } from './use-places.ts';

/** Focuses the field with this name, if the page has one, and opens a closed section around it. */
export const focusField = (name: string | undefined): void => {
  const field = document.querySelector<HTMLElement>(`[name="${CSS.escape(name ?? '')}"]`);
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
};

interface Sending {
  refusal: string | null;
  dismiss: () => void;
  refuse: (words: string, errors: Record<string, string>) => void;
  /**
   * Returns false and shows the problems if a required value is missing, or if the pickup window is
   * known to be unavailable. Otherwise returns true.
   */
  checked: (pickup: WindowTrouble) => boolean;
}

/**
 * Shows the reason why a form was not queued, or why its order was returned. The reason is shown at
 * the form's fields, and in a text that stays until the next attempt.
 */
export const useSending = (
  state: FormState,
  several: boolean,
  places: PlaceProblems,
  lost: LostChoice | null,
): Sending => {
  const { t, language } = useTexts();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { form } = state;

  const refuse = (words: string, errors: Record<string, string>): void => {
    state.setErrors(errors);
    const others = Object.values(errors).filter((text) => !words.includes(text));
    setRefusal([words, ...new Set(others)].join(t('shell.list_comma')));
    focusField(firstField(Object.keys(errors)));
  };

  const checked = (pickup: WindowTrouble): boolean => {
    const errors: Record<string, string> = {};
    if (pickup !== null) errors['pickup'] = errorText(pickup, undefined, language);
    for (const [name, { code, params }] of Object.entries(carrierProblems(form)))
      errors[name] = errorText(code, params, language);
    for (const [name, problem] of Object.entries(problemsOf(form)))
      if (name !== 'promise_id') errors[name] = t(`store.problem.${problem!}`);
    for (const side of ['receiver', 'sender'] as const) {
      const reason = places[side]?.reason;
      if (reason) errors[`${side}.place`] = errorText(reason.code, reason.params, language);
    }
    if (lost !== null) errors['promise_id'] = t('store.choice_again');
    if (several && form.station_id === null) errors['station_id'] = t('store.problem.required');
    const names = Object.keys(errors);
    if (names.length === 0) return true;
    state.setErrors(errors);
    setRefusal(t('store.fix', { count: names.length }));
    focusField(firstField(names));
    return false;
  };

  return { refusal, dismiss: () => setRefusal(null), refuse, checked };
};
