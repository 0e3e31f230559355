/** The sign for hidden text on JDL's labels ("smile label"). */
const smile = '^_^';

/** Matches the signs that show that a text was masked before it was stored. */
const hidden = /\*|\^_\^/;

/** Masks a name except its first character: 欧阳靐 → 欧^_^. A masked name is unchanged. */
export const maskName = (name: string): string => {
  const [first] = name;
  return first === undefined || hidden.test(name) ? name : `${first}${smile}`;
};

const mobile = /^1\d{10}$/;
const service = /^[48]00/;
/** Matches a complete number, so that any digits after it are an extension. */
const complete = /^1\d{10}$|^0\d{9,11}$|^[48]00\d{7}$|^[1-9]\d{6,7}$/;

/**
 * The first digits that stay visible: three of a mobile or service number, or the area code of a
 * landline.
 */
const head = (digits: string): string => {
  if (mobile.test(digits) || service.test(digits)) return digits.slice(0, 3);
  if (!/^0\d{9,11}$/.test(digits)) return '';
  return digits.slice(0, /^0(?:10|2)/.test(digits) ? 3 : 4);
};

/**
 * Masks a phone so that only the digits remain that distinguish two receivers. A mobile number
 * keeps its first three and last four digits. A landline keeps its area code and last four digits.
 * Any other number keeps its last four digits. A number of six digits or fewer is masked
 * completely. An extension is kept, because it is useless without its number.
 */
export const maskPhone = (phone: string): string => {
  if (phone === '' || hidden.test(phone)) return phone;
  const local = phone.replace(/^(?:\+|00)?86[\s-]?(?=1\d{10})/, '');
  const tail = /(?:-|转|,|#|\s|ext\.?)\d{1,6}$/i.exec(local)?.[0] ?? '';
  const before = local.slice(0, local.length - tail.length).replace(/\D/g, '');
  const whole = local.replace(/\D/g, '');
  const extension = complete.test(before) && !mobile.test(whole) ? tail : '';
  const digits = extension === '' ? whole : before;
  return digits.length <= 6 ? smile : `${head(digits)}${smile}${digits.slice(-4)}${extension}`;
};
