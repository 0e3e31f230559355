import {
  contactProblems,
  labelWarning,
  noteProblems,
  replacedForCarrier,
  replacedNameForCarrier,
} from '@waystation/contract/parcels/carrier-text.ts';
import type { ContactProblems } from '@waystation/contract/parcels/carrier-text.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { errorText } from '#base/error-text.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import type { OrderForm, Party } from './form.ts';

/**
 * The problems of the sender or the receiver for which the carrier would refuse the order. The
 * fields show them while the user types.
 */
export const partyProblems = ({ name, phone, place, address }: Party): ContactProblems =>
  contactProblems({ name, phone, ...place, address });

/**
 * All reasons for which the carrier would refuse the texts of the form, by the field names of the
 * form.
 */
export const carrierProblems = (form: OrderForm): Record<string, Reason> => ({
  ...Object.fromEntries(
    (['receiver', 'sender'] as const).flatMap((side) =>
      Object.entries(partyProblems(form[side])).map(([part, reason]) => [
        `${side}.${part}`,
        reason,
      ]),
    ),
  ),
  ...noteProblems(form),
});

/**
 * A copy of the person in which the characters that the carrier refuses are replaced. Returns the
 * same object if nothing has to be replaced.
 */
export const replacedParty = (party: Party): Party => {
  const problems = partyProblems(party);
  const name = problems.name === undefined ? party.name : replacedNameForCarrier(party.name);
  const address =
    problems.address === undefined ? party.address : replacedForCarrier(party.address);
  return name === party.name && address === party.address
    ? party
    : { ...party, contact_id: null, name, address };
};

/**
 * A warning that lists the characters that the label will leave out; undefined if there are none.
 */
export const labelWords = (text: string, language: Language): string | undefined => {
  const warning = labelWarning(text);
  return warning === null ? undefined : errorText(warning.code, warning.params, language);
};
