import { contactProblems, labelWarning, noteProblems, replacedForCarrier, replacedNameForCarrier } from '@waystation/contract/carrier-text.ts';
import type { ContactProblems } from '@waystation/contract/carrier-text.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import { errorText } from '@waystation/contract/errors.ts';
import type { Language } from '@waystation/contract/errors.ts';
import type { OrderForm, Party } from './form.ts';

/** What the carrier would refuse of one end, so that it is said at the field while it is typed. */
export const partyProblems = ({ name, phone, place, address }: Party): ContactProblems => contactProblems({ name, phone, ...place, address });

/** All that the carrier would refuse of the form's texts, by the form's own field names. */
export const carrierProblems = (form: OrderForm): Record<string, Reason> => ({
  ...Object.fromEntries(
    (['receiver', 'sender'] as const).flatMap((side) => Object.entries(partyProblems(form[side])).map(([part, reason]) => [`${side}.${part}`, reason])),
  ),
  ...noteProblems(form),
});

/** The party with what the carrier takes in place of what it does not; the same object where nothing is to be replaced. */
export const replacedParty = (party: Party): Party => {
  const problems = partyProblems(party);
  const name = problems.name === undefined ? party.name : replacedNameForCarrier(party.name);
  const address = problems.address === undefined ? party.address : replacedForCarrier(party.address);
  return name === party.name && address === party.address ? party : { ...party, contact_id: null, name, address };
};

/** What the label will leave out of a text, in words; undefined: nothing. */
export const labelWords = (text: string, language: Language): string | undefined => {
  const warning = labelWarning(text);
  return warning === null ? undefined : errorText(warning.code, warning.params, language);
};
