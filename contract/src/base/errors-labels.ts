/**
 * Errors about labels that cannot be printed, and about texts that a printed label omits. They are
 * included in `errors` in errors.ts.
 */
export const labelErrors = {
  label_waybill_missing: {
    status: 422,
    zh: '尚无运单号，不能打印',
    en: 'No waybill yet, so there is nothing to print',
  },
  label_waybill_invalid: {
    status: 422,
    zh: '运单号 {delivery_id} 无法印成条码',
    en: 'Waybill {delivery_id} cannot be printed as a barcode',
  },
  label_pieces_invalid: { status: 422, zh: '件数须为 1–{max}', en: 'Pieces must be 1 to {max}' },
  reprint_reason: {
    status: 422,
    zh: '已打印过 {count} 次，补打请填写原因',
    en: 'Printed {count|time|times} before; give a reason to print it again',
  },
  reprint_limit: {
    status: 422,
    zh: '两天内已打印 {count} 次，达到上限 {limit} 次，请联系管理员',
    en: 'Printed {count|time|times} in two days, the limit is {limit}; contact an administrator',
  },
  printed_meanwhile: {
    status: 409,
    zh: '所选运单正由他人打印，请刷新后再试',
    en: 'Someone else is printing these parcels; refresh and try again',
  },
  printed_by_two_stations: {
    status: 422,
    zh: '运单 {delivery_id} 的面单在两个网点打印：{first}、{second}，请核实包裹在哪里',
    en: 'Labels of waybill {delivery_id} were printed at two stations, {first} and {second}; check where the parcel is',
  },
  label_not_sorted: {
    status: 422,
    zh: '承运商尚未提供分拣信息，请稍后再打印',
    en: 'The carrier has not provided the sorting data yet; print later',
  },
  label_no_component: {
    status: 422,
    zh: '打印组件没有 {format} mm 的面单模板，请换用 76 × 130 mm 的纸张或 PDF 打印',
    en: 'The print component has no layout for paper of {format} mm; use 76 × 130 mm or print as PDF',
  },
  label_paper_pdf: {
    status: 422,
    zh: 'A4 纸只能用 PDF 打印',
    en: 'A4 paper is printed as PDF only',
  },
  labels_separate_pdf: {
    status: 422,
    zh: '每单一个文件只能用 PDF 打印',
    en: 'Only PDF has one file per parcel',
  },
  labels_separate_too_many: {
    status: 422,
    zh: '每单一个 PDF 时一次最多 {max} 单，现有 {count} 单',
    en: 'No more than {max|parcel|parcels} with a PDF each at once; you selected {count}',
  },
  label_darkness: {
    status: 422,
    zh: 'TSPL 打印浓度须为 0–{max}',
    en: 'The darkness of TSPL must be 0 to {max}',
  },
  label_data_refused: {
    status: 422,
    zh: '承运商未提供面单数据：{text}',
    en: 'The carrier gave no label data: {text}',
  },
  label_data_unavailable: {
    status: 503,
    zh: '承运商暂无响应，未取得面单数据；请稍后重试，或改用 PDF 打印',
    en: 'The carrier does not respond and gave no label data; try again later or print as PDF',
  },
  label_failed: {
    status: 422,
    zh: '面单无法生成，请联系管理员',
    en: 'This label cannot be created; contact an administrator',
  },
  labels_too_many: {
    status: 413,
    zh: '一次最多打印 {max} 张，现有 {pages} 张',
    en: 'No more than {max|label|labels} at once; you selected {pages}',
  },
  labels_interrupted: {
    status: 503,
    zh: '面单生成中断，请重试',
    en: 'Label creation was interrupted; try again',
  },
  label_characters_missing: {
    status: 422,
    zh: '以下字符无法打印，面单已略去：{characters}',
    en: 'These characters cannot be printed and are left out of the label: {characters}',
  },
  label_unprintable: {
    status: 422,
    zh: '面单无法打印以下字符，将略去：{characters}',
    en: 'The label cannot print these characters and leaves them out: {characters}',
  },
  label_nothing_printable: {
    status: 422,
    zh: '面单无法打印“{text}”，请改用汉字、字母或数字',
    en: 'The label cannot print “{text}”; enter Chinese characters, letters or digits',
  },
  label_text_shortened: {
    status: 422,
    zh: '“{text}”过长，面单未印全',
    en: '“{text}” is too long and was shortened',
  },
  label_qr_left_out: {
    status: 422,
    zh: '承运商提供的二维码无法打印，已略去',
    en: 'The carrier’s QR content cannot be printed and was left out',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
