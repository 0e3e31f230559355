import {
  contactProblems,
  labelFields,
  labelWarning,
  replacedForCarrier,
  replacedNameForCarrier,
} from '@waystation/contract/parcels/carrier-text.ts';
import type { CarrierContact, ContactProblems } from '@waystation/contract/parcels/carrier-text.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { ImportField, ImportValues } from '@waystation/contract/imports/import.ts';
import { printableText, unprintableIn } from '@waystation/contract/parcels/printable.ts';
import type { Sheet } from './row-texts.ts';

type Side = 'sender' | 'receive';

/**
 * Texts that most rows have and the carrier accepts. They skip the full check, which would cost
 * half a second for a hundred thousand rows.
 */
const plainName = /^[\u4e00-\u9fff\w ·]{0,30}$/;
const plainAddress = /^[^'"#&+<>@]{0,120}$/;

const contactOf = (values: ImportValues, side: Side): CarrierContact => {
  const text = (part: keyof CarrierContact): string => values[`${side}_${part}`] ?? '';
  return {
    name: text('name'),
    phone: text('phone'),
    province: text('province'),
    city: text('city'),
    county: text('county'),
    address: text('address'),
  };
};

const replaced: Partial<Record<keyof ContactProblems, (text: string) => string>> = {
  name: replacedNameForCarrier,
  address: replacedForCarrier,
};

/** A text that looks the same and that the carrier accepts; null if there is none. */
const replacedOf = (contact: CarrierContact, part: keyof ContactProblems): string | null => {
  const text = replaced[part]?.(contact[part]) ?? '';
  return text === '' || contactProblems({ ...contact, [part]: text })[part] ? null : text;
};

/**
 * The problems of a sender or recipient that the carrier would refuse, by field. `instead` is a
 * text that the carrier accepts; null if there is none.
 */
export const carrierProblems = (
  values: ImportValues,
  side: Side,
): { field: ImportField; reason: Reason; instead: string | null }[] => {
  const contact = contactOf(values, side);
  if (
    plainName.test(contact.name) &&
    plainAddress.test(contact.address) &&
    unprintableIn(contact.address).length === 0
  )
    return [];
  return Object.entries(contactProblems(contact)).map(([part, reason]) => ({
    field: `${side}_${part as keyof ContactProblems}`,
    reason,
    instead: replacedOf(contact, part as keyof ContactProblems),
  }));
};

/**
 * Warns of characters that the label will leave out of a printed text. The row is ordered with its
 * text unchanged.
 */
export const warnOfLabel = (sheet: Sheet): void => {
  for (const field of labelFields) {
    const text = sheet.text(field);
    const warning = labelWarning(text);
    if (
      warning === null ||
      sheet.problems.some((problem) => problem.field === field && problem.level === 'error')
    )
      continue;
    sheet.say(field, 'warning', warning, [printableText(text)].filter(Boolean));
  }
};
