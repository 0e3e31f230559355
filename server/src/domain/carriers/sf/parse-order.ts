import type { Accepted, CallRecord, LabelData } from '#domain/carriers/port.ts';
import { fieldsOf, isFields, listOf, textOf, unwrapJson } from '#domain/carriers/reading.ts';
import type { Fields } from '#domain/carriers/reading.ts';
import { waybillTypes } from './build-order.ts';

/** SF's result of the check whether it serves the sender's and the recipient's place. */
const filterResults = { byHand: '1', reachable: '2', unreachable: '3', undecided: '4' } as const;

/** A waybill: `SF` and 13 digits, or the 12 or 15 digits of older numbers. */
export const waybillOf = (value: unknown): string => {
  const number = textOf(value, 60).toUpperCase();
  return /^(?:SF\d{13}|\d{12}|\d{15})$/.test(number) ? number : '';
};

/**
 * All waybill numbers that are separate words of a text. Each number is returned once, in capitals.
 */
export const waybillsIn = (text: string): string[] => [
  ...new Set(
    text.toUpperCase().match(/(?<![A-Z0-9])(?:SF\d{13}|\d{15}|\d{12})(?![A-Z0-9])/g) ?? [],
  ),
];

/**
 * The data of the first label in SF's answer. SF returns one label for each waybill, but all labels
 * of a parcel are drawn from the first one.
 */
const routeLabelOf = (data: Fields): Fields => {
  const [first] = listOf(unwrapJson(data['routeLabelInfo']));
  return fieldsOf(unwrapJson(fieldsOf(first)['routeLabelData']));
};

const short = 100;

/**
 * SF's label data with the same fields for all carriers: the destination mark becomes the station,
 * and the mapping code becomes the road. Names and phones are masked, as the standard for waybills
 * requires.
 */
const labelDataOf = (data: Fields): LabelData | null => {
  const label = routeLabelOf(data);
  const read = (name: string): string => textOf(label[name], short);
  if (read('destRouteLabel') === '') return null;
  return {
    start_site_name: '',
    end_site_name: read('destRouteLabel'),
    road: read('codingMapping'),
    source_sort_center_name: '',
    source_cross_code: read('sourceTransferCode'),
    source_trolley_code: '',
    target_sort_center_name: '',
    target_cross_code: read('codingMappingOut'),
    target_trolley_code: '',
    aging_name: read('proCode'),
    collection_address: '',
    distribute_code: '',
    cover_code: '',
    qrcode_url: textOf(label['twoDimensionCode'], 500),
    pre_sort_code: '',
    truck_spot: '',
    main_product_code: '',
    hide_name: 1,
    hide_phone: 1,
    trans_type: null,
    own_numbers: 1,
  };
};

/** The codes of the products, by the names that SF prints on labels. */
const productNames: Readonly<Record<string, string>> = { 特快: '1', 标快: '2' };

/**
 * The waybill numbers in an answer: the parent waybill number, and the child numbers of the further
 * packages in order.
 */
const numbersOf = (data: Fields): { mother: string; children: string[] } => {
  const rows = listOf(unwrapJson(data['waybillNoInfoList'])).map(fieldsOf);
  const ofType = (type: string): string[] =>
    rows
      .filter((row) => textOf(row['waybillType']) === type)
      .map((row) => waybillOf(row['waybillNo']))
      .filter((number) => number !== '');
  return { mother: ofType(waybillTypes.mother)[0] ?? '', children: ofType(waybillTypes.child) };
};

const outOfArea = '超出服务范围';
const unreachableWords: Readonly<Record<string, string>> = {
  '1': '收方超出服务范围',
  '2': '寄方超出服务范围',
  '3': outOfArea,
};

/**
 * SF's text if it does not serve a place of the order; null if it serves both places or decides
 * later.
 */
export const unreachableOf = (data: Fields): string | null => {
  if (textOf(data['filterResult']) !== filterResults.unreachable) return null;
  const remark = textOf(data['remark']);
  return unreachableWords[remark] ?? (remark || outOfArea);
};

/** The parent waybill number in the data of an answer; empty if there is none. */
export const motherOf = (data: unknown): string => numbersOf(fieldsOf(data)).mother;

/**
 * An accepted order; null if the data have no waybill number. An order gets no label if SF does not
 * serve one of its places, whatever the data contain.
 */
export const acceptedOf = (data: unknown, repeated: boolean, call: CallRecord): Accepted | null => {
  if (!isFields(data)) return null;
  const { mother, children } = numbersOf(data);
  if (mother === '') return null;
  const filterResult = textOf(data['filterResult']);
  const unreachable = unreachableOf(data);
  const product = textOf(routeLabelOf(data)['proCode'], short).replace(/^顺丰/, '');
  return {
    outcome: 'accepted',
    delivery_id: mother,
    carrier_order_code: '',
    repeated,
    ...(children.length > 0 && { package_ids: children }),
    need_retry:
      unreachable !== null ||
      filterResult === filterResults.byHand ||
      filterResult === filterResults.undecided
        ? 1
        : 0,
    ...(unreachable !== null && { unreachable }),
    promise_time_type: Object.hasOwn(productNames, product) ? productNames[product]! : '',
    estimate_amount: null,
    pickup_promise_at: null,
    delivery_promise_at: null,
    pre_sort_result: null,
    print_data: unreachable === null ? labelDataOf(data) : null,
    call,
  };
};

/** The `filterResult` in SF's answer about reachability; undefined if it is missing. */
export const filterResultOf = (data: unknown): string | undefined => {
  const rows = listOf(isFields(data) ? unwrapJson(data['resDtos']) : data);
  const row = fieldsOf(rows[0]);
  return textOf(row['filterResult']) || undefined;
};

/** True if both places are served, or may be served after a manual check. */
export const isServed = (result: string): boolean =>
  result === filterResults.reachable || result === filterResults.byHand;
