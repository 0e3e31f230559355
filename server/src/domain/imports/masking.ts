import type {
  ImportField,
  ImportProblem,
  ImportValues,
} from '@waystation/contract/imports/import.ts';
import { importFields } from '@waystation/contract/imports/import.ts';
import { maskPhone, shownDigits } from '@waystation/contract/parcels/phone.ts';
import { visibleText } from '@waystation/contract/base/visible-text.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { failFields } from '#platform/fail.ts';
import type { StoredImport } from './store.ts';

type Owned = Pick<StoredImport, 'station_id' | 'user_id'>;

/**
 * True if the reader may see the phones of an import: it belongs to the reader's own station, or
 * the reader uploaded its sheet (requirements §10.17).
 */
export const showsPhones = (
  actor: Pick<Actor, 'account_id' | 'station_id'>,
  { station_id, user_id }: Owned,
): boolean => actor.station_id === station_id || actor.account_id === user_id;

const phoneFields: ReadonlySet<string> = new Set<ImportField>(['receive_phone', 'sender_phone']);
/**
 * Fields in which a user may search for digits. They contain no phone, so the search reveals none.
 */
const numbered: readonly ImportField[] = [
  'thr_order_id',
  'goods',
  'weight',
  'package_count',
  'promise_id',
  'guarantee_value_amount',
];
const hidden: readonly ImportField[] = ['receive_phone', 'sender_phone', 'receive_text'];

/**
 * Mobile numbers, landlines and service numbers in any text, as people write them. A mobile number
 * may have one digit too many.
 */
const phones =
  /(?<![\dA-Za-z])(?:\+?86[\s-]?)?(?:1[3-9]\d(?:[\s.-]?\d){8,9}|0\d{2,3}[\s-]?\d{7,8}|400[\s-]?\d{3}[\s-]?\d{4})(?!\d)/g;
const keptInFront = 3;

const maskDigits = (written: string): string => {
  const count = written.replace(/\D/g, '').length;
  let at = 0;
  return written.replace(/\d/g, (digit) =>
    ++at > keptInFront && at <= count - shownDigits ? '*' : digit,
  );
};

/** Masks every phone number in a text. */
export const maskText = (text: string): string => {
  const plain = visibleText(text).normalize('NFKC');
  const masked = plain.replace(phones, maskDigits);
  return masked === plain ? text : masked;
};

/** All different phones that masking hides in an answer, as they are written in the answer. */
export const phonesIn = (answer: unknown): string[] => [
  ...new Set(visibleText(JSON.stringify(answer)).normalize('NFKC').match(phones) ?? []),
];

const isProblem = (value: object): value is ImportProblem => 'reason' in value && 'level' in value;

const maskEntries = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      phoneFields.has(name) && typeof item === 'string' ? maskPhone(item) : maskTexts(item),
    ]),
  );

/** A suggested correction with a phone is left out, because the reader may not see it. */
const maskProblem = ({ fixes, ...rest }: ImportProblem): object => {
  const shown = fixes?.filter((fix) => !phoneFields.has(rest.field ?? '') && maskText(fix) === fix);
  return { ...maskEntries(rest), ...(shown?.length && { fixes: shown }) };
};

/**
 * Masks every phone in an answer about an import. All texts at any depth are masked, so that a
 * field that is added later is masked too.
 */
export const maskTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskTexts);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return isProblem(value) ? maskProblem(value) : maskEntries(value);
};

/**
 * The fields that a reader who sees masked phones may search. A text with digits like those of a
 * phone is searched only in fields without phones.
 */
export const searchedFields = (text: string): readonly ImportField[] =>
  /\d{4}/.test(
    visibleText(text)
      .normalize('NFKC')
      .replace(/[\s.-]/g, ''),
  )
    ? numbered
    : importFields.filter((field) => !hidden.includes(field));

/** Throws if an edit that selects rows by a text would reveal masked phones. */
export const requireNoPhoneSearch = (
  find: string | undefined,
  field: ImportField | undefined,
): void => {
  if (find === undefined) return;
  const fields = searchedFields(find);
  if (field === undefined || !fields.includes(field))
    failFields({ find: { code: 'import_find_masked' } });
};

/**
 * The typed texts of fields without a column. If the user saw a masked text and left it unchanged,
 * the stored text stays.
 */
export const unmaskedValues = (typed: ImportValues, stored: ImportValues): ImportValues =>
  Object.fromEntries(
    Object.entries(typed).map(([name, text]) => {
      const before = stored[name as ImportField];
      const shown =
        before === undefined
          ? undefined
          : phoneFields.has(name)
            ? maskPhone(before)
            : maskText(before);
      return [name, text === shown ? before : text];
    }),
  ) as ImportValues;
