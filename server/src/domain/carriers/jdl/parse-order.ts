import type { Accepted, CallRecord, LabelData, PreSort } from '#domain/carriers/port.ts';
import { fenOf, fieldsOf, isFields, listOf, textOf, unwrapJson } from '#domain/carriers/reading.ts';
import type { Fields } from '#domain/carriers/reading.ts';
import { momentOf } from '#domain/carriers/wall-clock.ts';

const short = 100;

/** Maps the transport codes of label data, 0 road, 1 air and 2 rail, to the codes of parcels. */
const transTypes: Record<string, LabelData['trans_type']> = { '0': 1, '1': 2, '2': 3 };
const flagOf = (value: unknown): 0 | 1 => (value === true || textOf(value) === '1' ? 1 : 0);

/** The label data for the column `print_data`; null if the answer has no label data. */
export const labelDataOf = (value: unknown): LabelData | null => {
  const sheet = unwrapJson(value);
  if (!isFields(sheet) || Object.keys(sheet).length === 0) return null;
  const read = (name: string): string => textOf(sheet[name], short);
  return {
    start_site_name: read('startSiteName'),
    end_site_name: read('endSiteName'),
    road: read('road'),
    source_sort_center_name: read('sourceSortCenterName'),
    source_cross_code: read('originalCrossCode'),
    source_trolley_code: read('originalTabletrolleyCode'),
    target_sort_center_name: read('targetSortCenterName'),
    target_cross_code: read('destinationCrossCode'),
    target_trolley_code: read('destinationTabletrolleyCode'),
    aging_name: read('agingName'),
    collection_address: read('collectionAddress'),
    distribute_code: read('distributeCode'),
    cover_code: read('coverCode'),
    qrcode_url: textOf(sheet['qrcodeUrl'], 500),
    pre_sort_code: read('preSortCode'),
    truck_spot: read('truckSpot'),
    main_product_code: read('mainProductCode'),
    hide_name: flagOf(sheet['isHideName']),
    hide_phone: flagOf(sheet['isHideContractNumbers']),
    trans_type: transTypes[textOf(sheet['transType'])] ?? null,
  };
};

const preSortOf = (value: unknown): PreSort | null => {
  const result = unwrapJson(value);
  if (!isFields(result) || Object.keys(result).length === 0) return null;
  const read = (name: string): string => textOf(result[name], short);
  return {
    start_station_no: read('startStationNo'),
    start_station_name: read('startStationName'),
    end_station_no: read('endStationNo'),
    end_station_name: read('endStationName'),
    end_road_area: read('endRoadArea'),
    end_aoi_code: read('endAoiCode'),
  };
};

/**
 * True if JDL has not finished manual sorting: the sorting result of the start station or of the
 * end station is "0".
 */
const sortedByHand = (value: unknown): boolean => {
  const result = fieldsOf(unwrapJson(value));
  return ['startStationPresortResultType', 'endStationPresortResultType'].some(
    (name) => textOf(result[name]) === '0',
  );
};

const confirmedProduct = (data: Fields, label: LabelData | null): string => {
  const products = unwrapJson(data['productsResponse']);
  const first = fieldsOf(Array.isArray(products) ? products[0] : products);
  return label?.main_product_code || textOf(first['productCode'], short);
};

/**
 * The waybill number in a value. JDL does not publish its pattern, so any text that can be printed
 * as a waybill number is accepted; otherwise empty.
 */
export const waybillOf = (value: unknown): string => {
  const number = textOf(value, 60);
  return /^[A-Za-z0-9-]{6,50}$/.test(number) ? number : '';
};

/** An accepted order; null if the data have no waybill. */
export const acceptedOf = (data: Fields, repeated: boolean, call: CallRecord): Accepted | null => {
  const delivery_id = waybillOf(data['waybillCode']);
  if (delivery_id === '') return null;
  const print_data = labelDataOf(fieldsOf(unwrapJson(data['faceSheetResponse']))['faceSheetInfo']);
  return {
    outcome: 'accepted',
    delivery_id,
    carrier_order_code: textOf(data['orderCode'], short),
    repeated,
    need_retry:
      flagOf(data['needRetry']) === 1 ||
      textOf(data['needRetry']) === 'true' ||
      sortedByHand(data['presortResult'])
        ? 1
        : 0,
    promise_time_type: confirmedProduct(data, print_data),
    estimate_amount: fenOf(data['freightPre']),
    pickup_promise_at: momentOf(data['pickupPromiseTime']),
    delivery_promise_at: momentOf(data['deliveryPromiseTime']),
    pre_sort_result: preSortOf(data['presortResult']),
    print_data,
    call,
  };
};

/**
 * The waybill numbers in JDL's answer. JDL does not publish the fields of this answer, so any list
 * of texts that look like waybill numbers is accepted.
 */
export const waybillsOf = (data: unknown): string[] => {
  const lists = Array.isArray(data)
    ? [data]
    : Object.values(fieldsOf(data)).map((value) => listOf(unwrapJson(value)));
  const numbers = lists
    .flat()
    .map((item) =>
      isFields(item) ? textOf(item['waybillCode'] ?? item['code'], 60) : textOf(item, 60),
    );
  return [
    ...new Set(numbers.filter((number) => /^JD[A-Za-z0-9]{2}\d{11}$|^JD\d{13}$/.test(number))),
  ];
};
