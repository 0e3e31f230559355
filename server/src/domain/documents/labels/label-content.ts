import { fail } from '#platform/fail.ts';
import { cleanText, cut } from './clean-text.ts';
import { canBeSorted, readFaceSheet } from './face-sheet.ts';
import type { FaceSheet } from './face-sheet.ts';
import type { LabelInput } from './label-input.ts';
import { maskName, maskPhone } from './masking.ts';

export interface Party {
  name: string;
  phone: string;
  address: string;
}

/** All texts of one label page, cleaned and masked. The layout decides their positions. */
export interface LabelContent {
  carrier: { name: string; line: string };
  simulated: boolean;
  product: string;
  aging: string;
  transport: string;
  sheet: FaceSheet;
  waybill: string;
  packageNumber: string;
  piece: string;
  receiver: Party;
  sender: Party;
  settlement: string;
  insured: string;
  weight: string;
  goods: string;
  remark: string;
  order: string;
  thirdOrder: string;
  printed: string;
  station: string;
  qrcodeUrl: string;
}

/**
 * The largest number of packages of one parcel. It is the carrier's own limit (docs/requirements.md
 * §3 Express).
 */
export const mostPieces = 999;

const carriers: Record<string, LabelContent['carrier']> = {
  jdl: { name: '京东物流', line: '950616  www.jdl.com' },
  sf: { name: '顺丰速运', line: '95338  www.sf-express.com' },
};

/**
 * The characters of a waybill number. Code 128 allows more characters, but scanners accept only
 * these in package numbers.
 */
const waybillShape = /^[A-Za-z0-9][A-Za-z0-9-]{3,29}$/;

const printedTime = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/**
 * An amount in fen as text in yuan, with a comma after each thousand. Whole yuan have no decimals.
 */
const yuan = (fen: number): string => {
  const whole = String(Math.floor(fen / 100)).replace(/\B(?=(?:\d{3})+$)/g, ',');
  const cents = String(fen % 100).padStart(2, '0');
  return cents === '00' ? whole : `${whole}.${cents}`;
};

/** A weight in grams as text in kilograms, without zeros at the end. */
const kilograms = (grams: number): string => {
  const rest = String(grams % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return `${Math.floor(grams / 1000)}${rest === '' ? '' : `.${rest}`}`;
};

/**
 * Province, city and county are printed once each, however often the stored address repeats
 * them.
 */
const fullAddress = (province: string, city: string, county: string, address: string): string => {
  const parts = [province, city, county].map(cleanText);
  const areas = parts.filter((part, at) => part !== '' && parts.indexOf(part) === at);
  let rest = cleanText(address);
  const whole = areas.join('');
  if (whole !== '' && rest.startsWith(whole)) rest = rest.slice(whole.length);
  else for (const area of areas) if (rest.startsWith(area)) rest = rest.slice(area.length);
  return `${whole}${whole === '' ? '' : ' '}${rest}`.trim();
};

const party = (sheet: FaceSheet, name: string, phone: string, address: string): Party => {
  const shownName = cleanText(name);
  const shownPhone = cut(cleanText(phone), 40);
  return {
    name: sheet.hideName ? maskName(shownName) : shownName,
    phone: sheet.hidePhone ? maskPhone(shownPhone) : shownPhone,
    address,
  };
};

const printed = (input: LabelInput): string => {
  const at = new Date(input.printed_at);
  const when = Number.isNaN(at.getTime()) ? '' : printedTime.format(at);
  return [when, input.print_count > 0 ? `第 ${input.print_count} 次打印` : '']
    .filter((part) => part !== '')
    .join('  ');
};

const check = (input: LabelInput, sheet: FaceSheet): void => {
  if (input.delivery_id === '' || input.delivery_id === null || input.delivery_id === undefined)
    fail('label_waybill_missing');
  if (!waybillShape.test(input.delivery_id))
    fail('label_waybill_invalid', { delivery_id: cut(cleanText(input.delivery_id), 40) });
  const pieces = input.package_count;
  if (!Number.isInteger(pieces) || pieces < 1 || pieces > mostPieces)
    fail('label_pieces_invalid', { max: mostPieces });
  if (!canBeSorted(sheet)) fail('label_not_sorted');
};

/**
 * The number of each package if the carrier numbers the packages; null if all packages have the
 * waybill's number.
 */
const packageNumbers = (
  { delivery_id, package_count, package_ids = [] }: LabelInput,
  sheet: FaceSheet,
): string[] | null => {
  if (!sheet.ownNumbers && package_ids.length === 0) return null;
  const numbers = [delivery_id, ...package_ids];
  if (numbers.length < package_count) fail('label_pieces_invalid', { max: numbers.length });
  for (const number of numbers)
    if (!waybillShape.test(number))
      fail('label_waybill_invalid', { delivery_id: cut(cleanText(number), 40) });
  return numbers;
};

/**
 * The content of a parcel's labels, one entry for each package, in order. Throws a Failure if the
 * parcel must not be printed: its waybill number is missing or invalid, it has too few or too many
 * packages, or there are no sorting data.
 */
export const composeLabel = (input: LabelInput): LabelContent[] => {
  const sheet = readFaceSheet(input.print_data, input.pre_sort_result);
  check(input, sheet);
  const { delivery_id, package_count } = input;
  const numbers = packageNumbers(input, sheet);
  const shared = {
    carrier: carriers[input.provider] ?? {
      name: cleanText(input.provider).toUpperCase(),
      line: '',
    },
    simulated: input.simulated === 1,
    product: cut(cleanText(input.promise_name), 12),
    aging: sheet.agingName,
    transport:
      sheet.transport || (input.trans_type === 2 ? '航空' : input.trans_type === 1 ? '陆运' : ''),
    sheet,
    waybill: delivery_id,
    receiver: party(
      sheet,
      input.receive_name,
      input.receive_phone,
      fullAddress(
        input.receive_province,
        input.receive_city,
        input.receive_county,
        input.receive_address,
      ),
    ),
    sender: party(
      sheet,
      input.sender_name,
      input.sender_phone,
      fullAddress(
        input.sender_province,
        input.sender_city,
        input.sender_county,
        input.sender_address,
      ),
    ),
    settlement: '月结',
    insured:
      input.guarantee_value_amount > 0 ? `保价 ¥${yuan(input.guarantee_value_amount)}` : '未保价',
    weight: `${kilograms(input.weight)} kg`,
    goods: cleanText(input.goods),
    remark: cut(cleanText(input.remark), 50),
    order: cleanText(input.order_id),
    thirdOrder: cleanText(input.thr_order_id),
    printed: printed(input),
    station: cleanText(input.station_name),
    qrcodeUrl: sheet.qrcodeUrl,
  };
  return Array.from({ length: package_count }, (_, at) => ({
    ...shared,
    packageNumber: numbers?.[at] ?? `${delivery_id}-${at + 1}-${package_count}-`,
    piece: `${at + 1}/${package_count}`,
  }));
};
