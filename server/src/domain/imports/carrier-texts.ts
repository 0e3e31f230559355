import { contactProblems, labelFields, labelWarning, replacedForCarrier, replacedNameForCarrier } from '@waystation/contract/carrier-text.ts';
import type { CarrierContact, ContactProblems } from '@waystation/contract/carrier-text.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import type { ImportField, ImportValues } from '@waystation/contract/import.ts';
import { printableText, unprintableIn } from '@waystation/contract/printable.ts';
import type { Sheet } from './row-texts.ts';

type Side = 'sender' | 'receive';

/** What most rows have, which the carrier takes: looked at closely, a hundred thousand of them would cost half a second. */
const plainName = /^[\u4e00-\u9fff\w ·]{0,30}$/;
const plainAddress = /^[^'"#&+<>@]{0,120}$/;

const contactOf = (values: ImportValues, side: Side): CarrierContact => {
  const text = (part: keyof CarrierContact): string => values[`${side}_${part}`] ?? '';
  return { name: text('name'), phone: text('phone'), province: text('province'), city: text('city'), county: text('county'), address: text('address') };
};

const replaced: Partial<Record<keyof ContactProblems, (text: string) => string>> = { name: replacedNameForCarrier, address: replacedForCarrier };

/** The text that the carrier takes in place of one, which looks the same; null if there is none. */
const replacedOf = (contact: CarrierContact, part: keyof ContactProblems): string | null => {
  const text = replaced[part]?.(contact[part]) ?? '';
  return text === '' || contactProblems({ ...contact, [part]: text })[part] ? null : text;
};

/** What the carrier would refuse of a sender or recipient when the row is ordered, by field, with what it takes instead. */
export const carrierProblems = (values: ImportValues, side: Side): { field: ImportField; reason: Reason; instead: string | null }[] => {
  const contact = contactOf(values, side);
  if (plainName.test(contact.name) && plainAddress.test(contact.address) && unprintableIn(contact.address).length === 0) return [];
  return Object.entries(contactProblems(contact)).map(([part, reason]) => ({
    field: `${side}_${part as keyof ContactProblems}`,
    reason,
    instead: replacedOf(contact, part as keyof ContactProblems),
  }));
};

/** Names what the label will leave out of each text that it prints; the row is ordered as it is written. */
export const warnOfLabel = (sheet: Sheet): void => {
  for (const field of labelFields) {
    const text = sheet.text(field);
    const warning = labelWarning(text);
    if (warning === null || sheet.problems.some((problem) => problem.field === field && problem.level === 'error')) continue;
    sheet.say(field, 'warning', warning, [printableText(text)].filter(Boolean));
  }
};
