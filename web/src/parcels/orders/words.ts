import { errorText, isErrorCode } from '@waystation/contract/errors.ts';
import type { Language } from '@waystation/contract/errors.ts';
import { stateCode } from '@waystation/contract/express-states.ts';
import type { Say } from '#base/texts.ts';
import { missingAmount, numberOf, reasonWords } from '#parcels/parcel-rules.ts';
import { yuan } from '#ui/values/amounts.ts';
import { isHeldHere } from './entry.ts';
import type { OrderEntry, Problem } from './entry.ts';
import { formErrors } from './inputs.ts';

/** What is wrong, by the form's own field names. */
export const problemFields = ({ fields }: Problem, language: Language): Record<string, string> =>
  formErrors(Object.fromEntries(Object.entries(fields).map(([name, reason]) => [name, errorText(reason.code, reason.params, language)])));

/** Why the server made no parcel, in one line. */
export const problemWords = (problem: Problem, t: Say, language: Language): string => {
  const { code, params } = problem;
  if (code === 'no_offer') return t('store.no_offer');
  if (code === 'idempotency_key_reused') return t('store.order_state.maybe_twice');
  const fields = [...new Set(Object.values(problemFields(problem, language)))];
  if (fields.length > 0) return fields.join(t('shell.list_comma'));
  return isErrorCode(code) ? errorText(code, params, language) : t('store.order_state.failed');
};

/** What a person should know beside the state; empty where the state says it all. */
export const noteOf = (entry: OrderEntry, t: Say, language: Language): string => {
  const { state, failures, problem, parcel } = entry;
  if (state === 'refused') return problem === null ? '' : problemWords(problem, t, language);
  if (state === 'waiting') return failures > 0 ? t('store.order_state.waiting_network') : '';
  if (state === 'sending') return failures > 0 ? t('store.order_state.unanswered') : '';
  if (parcel === null) return '';
  if (parcel.state_code === stateCode.onHold) {
    const missing = missingAmount(parcel);
    return missing === null ? reasonWords(parcel, language) : t('common.outcome.on_hold', { amount: yuan(missing) });
  }
  if (parcel.state_code === stateCode.awaitingPickup && parcel.need_retry === 1) return errorText('sorting_pending', {}, language);
  return parcel.state_code === stateCode.failed || parcel.state_code === stateCode.ordering ? reasonWords(parcel, language) : '';
};

/** The state's word of an order that the server does not have. */
export const heldWords = ({ state }: Pick<OrderEntry, 'state'>, t: Say): string =>
  state === 'waiting'
    ? t('store.order_state.waiting')
    : state === 'sending'
      ? t('store.order_state.sending')
      : state === 'refused'
        ? t('store.order_state.refused')
        : t('store.order_state.kept');

/** An outcome as one sentence for a screen reader. */
export const outcomeWords = (entry: OrderEntry, t: Say, language: Language, stateWords: (code: number) => string): string => {
  const note = noteOf(entry, t, language);
  const who = entry.form.receiver.name;
  const { parcel } = entry;
  if (isHeldHere(entry) || parcel === null) return [who, heldWords(entry, t), note].filter(Boolean).join(t('shell.list_comma'));
  return [who, stateWords(parcel.state_code), numberOf(parcel), note].filter(Boolean).join(t('shell.list_comma'));
};

const refusedFields: readonly (readonly [RegExp, string])[] = [
  [/寄件/, 'sender.address'],
  [/电话|手机|phone/i, 'receiver.phone'],
  [/重量|超重|weight/i, 'weight'],
  [/物品|禁寄|goods/i, 'goods'],
  [/姓名|name/i, 'receiver.name'],
];

/** The field that a carrier's words are most likely about; it names none. */
export const refusedField = (words: string): string => refusedFields.find(([pattern]) => pattern.test(words))?.[1] ?? 'receiver.address';
