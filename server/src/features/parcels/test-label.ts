import { firstProvider } from '@waystation/contract/network/provider.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/parcels/express-calls.ts';
import type { App } from '#app.ts';
import { renderLabels } from '#domain/documents/documents.ts';
import type { LabelInput } from '#domain/documents/documents.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { fail } from '#platform/fail.ts';
import type { FileAnswer } from '#platform/http/context.ts';
import { assertPrinter } from './labels.ts';
import { labelFile } from './label-files.ts';

/**
 * An invented parcel with every field of a label, so that clipped or pale print is noticed at once.
 */
const example: Omit<LabelInput, 'printed_at'> = {
  delivery_id: 'TEST00000000001',
  provider: firstProvider,
  package_count: 1,
  order_id: 'TEST-PAGE',
  thr_order_id: null,
  sender_name: '测试寄件人',
  sender_phone: '13800000000',
  sender_province: '广东省',
  sender_city: '深圳市',
  sender_county: '南山区',
  sender_address: '示例路 1 号（测试页，请勿寄出）',
  receive_name: '测试收件人',
  receive_phone: '13900000000',
  receive_province: '上海市',
  receive_city: '上海市',
  receive_county: '浦东新区',
  receive_address: '示例路 2 号（测试页，请勿寄出）',
  goods: '测试页 Test page',
  weight: 1_000,
  remark: '测试页 Test page',
  guarantee_value_amount: 0,
  promise_name: '测试页',
  trans_type: 1,
  print_data: {
    start_site_name: '示例始发站',
    end_site_name: '示例目的站',
    road: '000',
    source_sort_center_name: '示例始发分拣中心',
    source_cross_code: '00',
    source_trolley_code: 'T0',
    target_sort_center_name: '示例目的分拣中心',
    target_cross_code: '00',
    target_trolley_code: 'T0',
    cover_code: 'T',
    distribute_code: '000',
    collection_address: '示例集包地',
  },
  pre_sort_result: null,
  print_count: 1,
  simulated: 1,
  station_name: '测试页 Test page',
};

/** Returns a test label with invented data for this paper and printer, marked as simulated. */
export const printTestLabel = async (
  app: App,
  _: Actor,
  input: ParsedOf<typeof calls.testLabel>,
): Promise<FileAnswer> => {
  const { format, driver } = input;
  assertPrinter(input);
  const { file } = await renderLabels(
    [{ ...example, printed_at: app.clock.now().toISOString() }],
    format,
    input,
  );
  return { body: file ?? fail('label_failed'), ...labelFile(`test-label-${format}`, driver) };
};
