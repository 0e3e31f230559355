/**
 * Splits long numbers into the groups in which people read them aloud. Only the style draws the
 * gaps, so that a copied number contains no spaces.
 */

const fours = (digits: string): string[] => digits.match(/.{1,4}/g) ?? [];

/**
 * Splits `JDVE00000000017` into JDVE · 0000 · 0000 · 017. A text that is not a waybill number stays
 * one group.
 */
export const waybillGroups = (number: string): string[] => {
  const match = /^([A-Za-z]{1,6})(\d{6,})(-.+)?$/.exec(number);
  if (!match) return /^\d{10,}$/.test(number) ? fours(number) : [number];
  return [match[1]!, ...fours(match[2]!), ...(match[3] ? [match[3]] : [])];
};

/**
 * Splits `13900139000` into 139 · 0013 · 9000, even if the middle is masked. A landline number and
 * an extension stay one group each.
 */
export const phoneGroups = (phone: string): string[] => {
  const match = /^(1[\d*]{2})([\d*]{4})([\d*]{4})(-.+)?$/.exec(phone);
  return match ? [match[1]!, match[2]!, match[3]!, ...(match[4] ? [match[4]] : [])] : [phone];
};
