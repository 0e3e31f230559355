/**
 * Phones are stored as one canonical text: `13800000001`, `0755-26000000`, `4008000000`. If there
 * is an extension, `-1234` follows (requirements §3, docs/glossary.md).
 */

import { visibleText } from '#base/visible-text.ts';

export type PhoneKind = 'mobile' | 'landline' | 'service';

export interface Phone {
  kind: PhoneKind;
  /**
   * The number without its extension: the 11 digits of a mobile number, area code `-` local number,
   * or the 10 digits of a 400/800 number.
   */
  number: string;
  /** The 1–6 digits of a virtual number or a switchboard extension; empty if there is none. */
  extension: string;
}

export type PhoneReading =
  | { ok: true; phone: Phone }
  | { ok: false; code: 'phone_masked' | 'phone_invalid' };

export const longestPhone = 48;
/**
 * The words in front of an extension: 转1234, 请转分机号1234, 拨通后转1234, 接1234, 输入1234,
 * ext. 1234, P1234.
 */
export const extensionWords = String.raw`(?:(?:接通|拨通|撥通|虚拟号?|再|请|請|后|後){0,3}(?:转接?|轉接?|拨|撥|接|按|输入|輸入)\s?(?:分机号?码?|分機號?碼?)?|分机号?码?|分機號?碼?|内线|ext(?:ension|n)?|[xp](?=\s?:?\d))[是为]?`;
const dashes = /[\u2010-\u2015\u2212\u30fc~_]/g;
const country = /^(?:\(\s?(?:\+|00)?86\s?\)|(?:\+|00)?86)[\s-]*/;
/**
 * The part after the phone number: words with or without parentheses, or only a punctuation mark or
 * a space, and then the digits of the extension.
 */
const extension = String.raw`(?:(?:\s?[-,;.、。(\[]){0,2}\s?${extensionWords}[.\s]?:?\s?(\d{1,6})\s?[)\]#号接]?|\s?(?:[-#,;、(\[]|\s)\s?:?(\d{1,6})\s?[)\]]?)?`;
const shapes: readonly { kind: PhoneKind; shape: RegExp }[] = [
  { kind: 'mobile', shape: new RegExp(String.raw`^(1[3-9]\d(?:[\s.-]?\d){8})${extension}$`, 'i') },
  {
    kind: 'landline',
    shape: new RegExp(
      String.raw`^\(?(0(?:10|2\d|[3-9]\d\d)\)?[\s-]*(?:\d{7,8}|\d{3,4}[\s-]\d{4}))${extension}$`,
      'i',
    ),
  },
  { kind: 'service', shape: new RegExp(String.raw`^([48]00(?:[\s-]?\d){7})${extension}$`, 'i') },
];

const areaLength = (digits: string): number => (/^0[12]/.test(digits) ? 3 : 4);

const canonical = (kind: PhoneKind, written: string): string => {
  const digits = written.replace(/\D/g, '');
  const area = areaLength(digits);
  return kind === 'landline' ? `${digits.slice(0, area)}-${digits.slice(area)}` : digits;
};

const match = (text: string): Phone | null => {
  for (const { kind, shape } of shapes) {
    const found = shape.exec(text);
    if (found)
      return { kind, number: canonical(kind, found[1]!), extension: found[2] ?? found[3] ?? '' };
  }
  return null;
};

/**
 * Reads a typed phone. Full-width digits, spaces and dashes inside, and +86 in front are accepted.
 * An extension may follow `-`, 转, ext, 分机, P, a comma or a space, or be in parentheses. A text
 * with `*` is a masked phone and is refused with its own code.
 */
export const readPhone = (text: string): PhoneReading => {
  const plain = visibleText(text.slice(0, longestPhone * 4))
    .slice(0, longestPhone * 2)
    .normalize('NFKC')
    .replace(dashes, '-')
    .replace(/[【〔]/g, '[')
    .replace(/[】〕]/g, ']')
    .replace(/\s+/g, ' ')
    .trim();
  if (/[*•●]/.test(plain)) return { ok: false, code: 'phone_masked' };
  if (plain.length > longestPhone) return { ok: false, code: 'phone_invalid' };
  const local = plain.replace(country, '');
  // from abroad the area code is dialled without its zero: +86 755 …
  const phone = match(plain) ?? (local === plain ? null : (match(local) ?? match(`0${local}`)));
  return phone ? { ok: true, phone } : { ok: false, code: 'phone_invalid' };
};

/** The parts of a phone number; null if the text is no phone number. */
export const parsePhone = (text: string): Phone | null => {
  const reading = readPhone(text);
  return reading.ok ? reading.phone : null;
};

/** The canonical text of a phone, made from its number and extension. */
export const phoneText = (phone: Pick<Phone, 'number' | 'extension'>): string =>
  phone.extension ? `${phone.number}-${phone.extension}` : phone.number;

/** The canonical text of a typed phone; null if the text is no phone number. */
export const normalisePhone = (text: string): string | null => {
  const phone = parsePhone(text);
  return phone && phoneText(phone);
};

/**
 * The last four digits of the phone number, by which people search for a parcel; the digits of an
 * extension are not included.
 */
export const phoneTail = (text: string): string =>
  (parsePhone(text)?.number ?? text).replace(/\D/g, '').slice(-4);

/** The number of last digits that are visible in a masked phone number. */
export const shownDigits = 4;

const stars = (length: number): string => '*'.repeat(Math.max(length, 0));

/**
 * Matches a stored mobile number without extension, the most common case, because a page masks
 * about forty of them.
 */
const storedMobile = /^1[3-9]\d{9}$/;

/**
 * Masks a phone: `139****0000`, `0755-****0000`, `400***0000`. The last four digits stay; an
 * extension becomes `-****`. A text that is not a phone number keeps its last four characters.
 */
export const maskPhone = (text: string): string => {
  if (storedMobile.test(text)) return `${text.slice(0, 3)}****${text.slice(-shownDigits)}`;
  const phone = parsePhone(text);
  if (!phone) return stars(text.length - shownDigits) + text.slice(-shownDigits);
  const shownStart = phone.kind === 'landline' ? phone.number.indexOf('-') + 1 : 3;
  const masked =
    phone.number.slice(0, shownStart) +
    stars(phone.number.length - shownStart - shownDigits) +
    phone.number.slice(-shownDigits);
  return phone.extension ? `${masked}-****` : masked;
};
