/**
 * The texts of the page “scan to label”; they are loaded with the page, not with the whole console.
 */
export const labelScanWords = {
  scan: { zh: '扫描单号', en: 'Scan a number' },
  placeholder: { zh: '扫描订单号或运单号', en: 'Scan an order number or a waybill' },
  placeholder_label: { zh: '扫描打印出的面单', en: 'Scan the printed label' },
  hint: {
    zh: '扫描单号即打印面单，再扫描面单核对。任何位置都可扫描，以 Enter 或 Tab 结束',
    en: 'A scanned number prints its label; scan the label back. A scan is read wherever the focus is; Enter or Tab ends it.',
  },
  dialog: {
    zh: '本机用 PDF 打印，每张面单都会弹出打印窗口。请改用打印组件或标签打印机。',
    en: 'This computer prints PDFs, so that each label opens a print dialog. Set up a print component or label printer instead.',
  },
  ready: { zh: '请扫描单号', en: 'Scan an order' },
  finding: { zh: '正在查询', en: 'Searching' },
  printing: { zh: '正在打印', en: 'Printing' },
  checking: { zh: '正在核对', en: 'Verifying' },
  busy: { zh: '上一次扫描处理中，请稍后再扫', en: 'The last scan is in progress; scan again' },
  printed: { zh: '已打印，请扫描面单', en: 'Printed: scan the label' },
  remembered: { zh: '此面单尚未核对，请扫描', en: 'Not verified yet: scan this label' },
  pieces: { zh: '已核对 {done}/{count} 件', en: '{done} of {count} packages verified' },
  not_printed: { zh: '未打印', en: 'Not printed' },
  not_printed_next: {
    zh: '请检查打印机；重扫前先确认没有打出面单',
    en: 'Check the printer, and that no label came out, before you scan again',
  },
  not_found: { zh: '未查询', en: 'Not searched' },
  not_found_next: { zh: '没有打印，请再扫一次', en: 'Nothing was printed; scan it again' },
  not_verified: { zh: '未核对', en: 'Not verified' },
  not_verified_next: { zh: '请再扫一次面单', en: 'Scan the label again' },
  own_code: { zh: '此运单号刚才用于打印', en: 'This waybill started the print' },
  own_code_next: {
    zh: '请扫描面单上带件号的条码',
    en: 'Scan the barcode of the printed label, which names the package',
  },
  gone: { zh: '此面单不再等待核对', en: 'This label no longer waits' },
  gone_next: {
    zh: '运单可能已取消、已揽收或已补打，请核对后再发出',
    en: 'Its parcel may be cancelled, collected or printed again; check it before it ships',
  },
  more: {
    zh: '只列出最新的 {count} 单；其余请在运单中查询',
    en: 'Only the newest {count|parcel is|parcels are} listed; search the parcels for others',
  },
  again: { zh: '再次打印', en: 'Print again' },
  again_reason: { zh: '上次打印失败', en: 'Last print failed' },
  count: { zh: '已打印 {count} 次', en: 'Printed {count|time|times}' },
  choose: { zh: '打印 {number}', en: 'Print {number}' },
  later: { zh: '稍后核对', en: 'Verify later' },
  copy: { zh: '补打一份', en: 'Print another copy' },
  copied_next: {
    zh: '此后又补打过 {count} 份：请找到并撕掉多余的面单，再发出',
    en: '{count|copy was|copies were} printed after it: find and remove what is left over before it ships',
  },
  reason: { zh: '补打原因', en: 'Reason' },
  leave: { zh: '不补打', en: 'No other copy' },
  waiting: { zh: '待核对面单', en: 'Labels to verify' },
  waiting_none: { zh: '没有待核对的面单', en: 'No label waits' },
  verify: { zh: '核对', en: 'Verify' },
  verify_of: { zh: '核对 {number}', en: 'Verify {number}' },
} as const;
export type LabelScanWord = keyof typeof labelScanWords;
