import { present } from '@waystation/contract/base/present.ts';
import type { LabelData, PreSort } from '#domain/carriers/carriers.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';

const two = (text: string): string =>
  String(
    [...text].reduce((sum, character) => (sum * 31 + present(character.codePointAt(0))) % 97, 7),
  ).padStart(2, '0');

/**
 * The label data of an example parcel. Equal addresses give equal data, and the names are marked as
 * examples.
 */
export const exampleLabel = (
  fields: ParcelFields,
): { print_data: LabelData; pre_sort_result: PreSort } => {
  const from = two(fields.sender_province + fields.sender_city);
  const to = two(fields.receive_province + fields.receive_city);
  const station = `*${fields.receive_county || fields.receive_city}示例营业部`;
  const road = `0${two(fields.receive_county + fields.receive_address)}`;
  return {
    print_data: {
      start_site_name: `*${fields.sender_county}示例营业部`,
      end_site_name: station,
      road,
      source_sort_center_name: `${fields.sender_city}示例分拣中心`,
      source_cross_code: from,
      source_trolley_code: `A${from[1]}`,
      target_sort_center_name: `${fields.receive_city}示例分拣中心`,
      target_cross_code: to,
      target_trolley_code: `B${to[1]}`,
      aging_name: '示例时效',
      collection_address: `${fields.receive_city}示例集包地`,
      distribute_code: `${to}3`,
      cover_code: 'T',
      qrcode_url: '',
      pre_sort_code: '',
      truck_spot: '',
      main_product_code: fields.promise_id,
      hide_name: 1,
      hide_phone: 1,
      trans_type: 1,
    },
    pre_sort_result: {
      start_station_no: `1000${from}`,
      start_station_name: `*${fields.sender_county}示例营业部`,
      end_station_no: `1000${to}`,
      end_station_name: station,
      end_road_area: road,
      end_aoi_code: '',
    },
  };
};
