import type { TextRow } from '#domain/workbook/workbook.ts';

const groups = [
  { named: /^(?:寄件|发件|寄方|发货|sender|shipper)/i, prefix: '寄件' },
  { named: /^(?:收件|收货|收方|recipient|receiver|consignee)/i, prefix: '收件' },
] as const;
/** Titles that a sender has as well as a recipient. */
const ofEither = /^(?:姓名|名字|联系人|电话|手机|手机号|手机号码|联系电话|联系方式|省|省份|市|城市|区|县|区县|地址|详细地址)$/;

/**
 * The titles of a row together with those above it: of a title that is merged over both rows the upper one has the text, and it says whose name, phone or
 * address the columns below are.
 */
export const titlesAt = (rows: readonly TextRow[], at: number): TextRow => {
  const head = rows[at] ?? [];
  const above = rows[at - 1] ?? [];
  // A single text above is the name of the sheet.
  if (above.filter((cell) => cell !== '').length < 2) return head;
  let prefix = '';
  return Array.from({ length: Math.max(head.length, above.length) }, (_, column) => {
    const [own, upper] = [(head[column] ?? '').trim(), (above[column] ?? '').trim()];
    if (upper !== '') prefix = groups.find(({ named }) => named.test(upper))?.prefix ?? '';
    return own === '' ? upper : ofEither.test(own) ? prefix + own : own;
  });
};
