import { errorText, isErrorCode } from '#base/error-text.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { preSortText, stationName } from '@waystation/contract/parcels/pre-sort.ts';
import type { Say } from '#base/texts.ts';
import { numberOf, reasonWords } from '#parcels/parcel-rules.ts';
import { isHeldHere } from './entry.ts';
import type { Covered, OrderEntry, Problem } from './entry.ts';
import { formErrors } from './inputs.ts';

/** The error texts of a problem, by the field names of the form. */
export const problemFields = ({ fields }: Problem, language: Language): Record<string, string> =>
  formErrors(
    Object.fromEntries(
      Object.entries(fields).map(([name, reason]) => [
        name,
        errorText(reason.code, reason.params, language),
      ]),
    ),
  );

const labelled = [
  'name',
  'phone',
  'place',
  'address',
  'goods',
  'weight',
  'insured',
  'remark',
  'description',
  'pickup',
] as const;

/** The label of a field of the order form; null if the field has no label. */
export const fieldLabel = (name: string, t: Say): string | null => {
  const part = name.replace(/^\w+\./, '');
  const known = labelled.find((one) => one === part);
  return known ? t(`store.${known}`) : part === 'package_count' ? t('store.pieces') : null;
};

/**
 * All errors in one line. Each error text appears once, with the labels of its fields before it.
 */
const namedErrors = (errors: Record<string, string>, t: Say): string => {
  const comma = t('shell.list_comma');
  const texts = [...new Set(Object.values(errors))];
  return texts
    .map((text) => {
      const names = Object.keys(errors).filter((name) => errors[name] === text);
      const fields = [...new Set(names.flatMap((name) => fieldLabel(name, t) ?? []))].join(comma);
      return fields === '' ? text : t('store.field_error', { fields, text });
    })
    .join(comma);
};

/** The reason why the server created no parcel, in one line. */
export const problemWords = (problem: Problem, t: Say, language: Language): string => {
  const { code, params } = problem;
  if (code === 'version_conflict') return t('store.order_state.changed_elsewhere');
  if (code === 'no_offer') return t('store.no_offer');
  if (code === 'idempotency_key_reused') return t('store.order_state.maybe_twice');
  const named = namedErrors(problemFields(problem, language), t);
  if (named !== '') return named;
  return isErrorCode(code) ? errorText(code, params, language) : t('store.order_state.failed');
};

/**
 * A text about whether the carrier serves the places of the sender and the receiver, with the
 * carrier's stations there. Empty if the carrier has not answered.
 */
export const coveredWords = (covered: Covered | null, t: Say): string => {
  if (covered === null || covered.result === 'unknown') return '';
  const route = [covered.start_station_name, covered.end_station_name]
    .map(stationName)
    .filter(Boolean)
    .join(' → ');
  const words = {
    reachable: t('store.pre_sort.reachable'),
    out_of_area: t('store.pre_sort.out_of_area'),
    suspended: t('store.pre_sort.suspended'),
    refused: t('store.pre_sort.refused'),
  };
  return [words[covered.result], covered.result === 'reachable' ? route : covered.text]
    .filter(Boolean)
    .join(' · ');
};

/** The note beside the state of an order. It is empty if there is nothing to add to the state. */
export const noteOf = (entry: OrderEntry, t: Say, language: Language): string => {
  const { state, failures, problem, parcel } = entry;
  if (state === 'refused') return problem === null ? '' : problemWords(problem, t, language);
  if (state === 'waiting' || state === 'sending') {
    if (failures > 0)
      return t(
        state === 'waiting' ? 'store.order_state.waiting_network' : 'store.order_state.unanswered',
      );
    return coveredWords(entry.covered, t);
  }
  if (parcel === null) return '';
  if (parcel.modifying === 1) return t('store.order_state.modifying');
  if (parcel.state_code === stateCode.awaitingPickup && parcel.need_retry === 1)
    return errorText('sorting_pending', {}, language);
  if (parcel.state_code === stateCode.onHold || parcel.state_code === stateCode.failed)
    return reasonWords(parcel, language);
  if (parcel.state_code === stateCode.ordering)
    return reasonWords(parcel, language) || coveredWords(entry.covered, t);
  const sorted =
    parcel.state_code === stateCode.awaitingPickup ? preSortText(parcel.pre_sort_result) : '';
  return sorted === '' ? '' : t('store.pre_sort.sorted', { route: sorted });
};

/** The text for the state of an order that is stored only in the browser. */
export const heldWords = ({ state, work }: Pick<OrderEntry, 'state' | 'work'>, t: Say): string =>
  state === 'waiting'
    ? t(
        work === 'order' || work === 'submit'
          ? 'store.order_state.waiting'
          : 'store.order_state.sending',
      )
    : state === 'sending'
      ? t('store.order_state.sending')
      : state === 'refused'
        ? t(
            work === 'order' || work === 'submit'
              ? 'store.order_state.refused'
              : 'store.order_state.unsaved',
          )
        : t('store.order_state.kept');

/** A sentence about the outcome of an order, for screen readers. */
export const outcomeWords = (
  entry: OrderEntry,
  t: Say,
  language: Language,
  stateWords: (code: number) => string,
): string => {
  const note = noteOf(entry, t, language);
  const who = entry.form.receiver.name;
  const { parcel } = entry;
  if (isHeldHere(entry) || parcel === null)
    return [who, heldWords(entry, t), note].filter(Boolean).join(t('shell.list_comma'));
  return [who, stateWords(parcel.state_code), numberOf(parcel), note]
    .filter(Boolean)
    .join(t('shell.list_comma'));
};

const refusedFields: readonly (readonly [RegExp, string])[] = [
  [/寄件/, 'sender.address'],
  [/电话|手机|phone/i, 'receiver.phone'],
  [/重量|超重|weight/i, 'weight'],
  [/物品|禁寄|goods/i, 'goods'],
  [/姓名|name/i, 'receiver.name'],
];

/**
 * The field of the form to which a refusal belongs. The product's own reason code determines it. A
 * text of the carrier contains no field, so the most likely field is taken.
 */
export const refusedField = (words: string, code = ''): string =>
  /pickup_window/.test(code)
    ? 'pickup'
    : (refusedFields.find(([pattern]) => pattern.test(words))?.[1] ?? 'receiver.address');
