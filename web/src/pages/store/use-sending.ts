import { useState } from 'react';
import { expressOptions, quoteExpress } from '@waystation/contract/express-calls.ts';
import { errorWords, fieldWords, isOutage } from '#base/api-error.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { errorText } from '@waystation/contract/errors.ts';
import { carrierProblems } from '#parcels/orders/carrier-text.ts';
import { problemsOf } from '#parcels/orders/form.ts';
import { formErrors } from '#parcels/orders/inputs.ts';
import type { FormState } from './use-form.ts';

/** The field of this name, where the page has one; what hides it is opened. */
export const focusField = (name: string | undefined): void => {
  const field = document.querySelector<HTMLElement>(`[name="${CSS.escape(name ?? '')}"]`);
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
};

interface Sending {
  busy: boolean;
  refusal: string | null;
  dismiss: () => void;
  refuse: (words: string, errors: Record<string, string>) => void;
  /** Whether nothing is missing that can be seen without asking; says what is. */
  checked: () => boolean;
  /** One at a time; what it throws becomes the refusal. */
  run: (work: () => Promise<void>) => Promise<void>;
}

/**
 * What keeps the order form from being sent: at its fields, and in words that stay until the next try. This is not `useSubmit`: the form's idempotency key
 * belongs to its draft, so that a repeat after a reload has no second effect either, its errors are named by end and field, and it stays for the next parcel.
 */
export const useSending = (state: FormState, several: boolean): Sending => {
  const { t, language } = useTexts();
  const { busy, run } = useActions<'form'>();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { form } = state;

  const refuse = (words: string, errors: Record<string, string>): void => {
    state.setErrors(errors);
    setRefusal([words, ...new Set(Object.values(errors))].join(t('shell.list_comma')));
    focusField(Object.keys(errors)[0]);
  };

  const failed = (error: unknown): void => {
    if (isOutage(error)) return refuse(t('store.unknown'), {});
    refuse(errorWords(error, language), formErrors(fieldWords(error, language)));
    // What was refused may have been seen with an older price or balance.
    void refresh(expressOptions, quoteExpress);
  };

  const checked = (): boolean => {
    const errors: Record<string, string> = {};
    for (const [name, { code, params }] of Object.entries(carrierProblems(form))) errors[name] = errorText(code, params, language);
    for (const [name, problem] of Object.entries(problemsOf(form))) if (name !== 'promise_id') errors[name] = t(`store.problem.${problem!}`);
    if (several && form.station_id === null) errors['station_id'] = t('store.problem.required');
    const names = Object.keys(errors);
    if (names.length === 0) return true;
    state.setErrors(errors);
    setRefusal(t('store.fix', { count: names.length }));
    focusField(names[0]);
    return false;
  };

  const send = async (work: () => Promise<void>): Promise<void> => {
    const attempt = (): Promise<void> => {
      setRefusal(null);
      return work();
    };
    await run('form', attempt, failed);
  };

  return { busy: busy.size > 0, refusal, dismiss: () => setRefusal(null), refuse, checked, run: send };
};
