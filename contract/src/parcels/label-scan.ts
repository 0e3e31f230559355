import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './label-scan.schema.ts';
export type { LabelParcel, LabelScan, UnverifiedLabel, VerifyAnswer } from './label-scan.schema.ts';

const base = '/api/arco/prints';

/** The results of scanning a number whose label shall be printed, and the next step for each. */
export const labelScanResults = {
  print: { zh: '正在打印', en: 'Printing', next: { zh: '', en: '' } },
  unknown: {
    zh: '未知单号',
    en: 'Unknown number',
    next: {
      zh: '请核对单号，或在运单中查询',
      en: 'Check the number, or search the parcels',
    },
  },
  several: {
    zh: '多个运单有此单号',
    en: 'Several parcels have this number',
    next: { zh: '请选择要打印的运单', en: 'Choose the parcel to print' },
  },
  printed: {
    zh: '面单已打印过',
    en: 'Label already printed',
    next: {
      zh: '一单两张面单会发出两个包裹。如确需补打，请填写原因',
      en: 'Two labels of a parcel are two shipments. Enter a reason if you need another copy',
    },
  },
  on_hold: {
    zh: '暂挂，尚未下单',
    en: 'Awaiting funds, not ordered',
    next: { zh: '充值后自动下单，再扫描打印', en: 'It is ordered after a top-up; scan it then' },
  },
  not_ordered: {
    zh: '未下单成功（{state}）',
    en: 'Not ordered ({state})',
    next: { zh: '请先完成下单，再扫描打印', en: 'Order it first, then scan it again' },
  },
  failed: {
    zh: '上次打印失败，是否再打印？',
    en: 'Last print failed; print again?',
    next: {
      zh: '先确认没有打出面单；打出了就扫描它',
      en: 'Make sure that no label came out; scan it if one did',
    },
  },
  ordering: {
    zh: '正在下单，请稍后再扫',
    en: 'Being ordered; scan again soon',
    next: { zh: '', en: '' },
  },
  cancelled: {
    zh: '已取消',
    en: 'Cancelled',
    next: { zh: '请勿发出，撕掉已有的面单', en: 'Do not ship it; remove any label' },
  },
  cancelling: {
    zh: '正在取消',
    en: 'Being cancelled',
    next: { zh: '请勿发出，等待取消结果', en: 'Do not ship it; wait for the outcome' },
  },
  collected: {
    zh: '承运商已揽收（{state}）',
    en: 'Already collected ({state})',
    next: {
      zh: '请核对实物；如确需补打，请在运单中打印',
      en: 'Check the goods; if needed, reprint it from the parcel',
    },
  },
  undecided: {
    zh: '运单号待管理员确认',
    en: 'Its waybill is undecided',
    next: { zh: '请联系管理员', en: 'Contact an administrator' },
  },
  sorting: {
    zh: '承运商正在人工预分拣',
    en: 'Awaiting manual pre-sorting',
    next: { zh: '完成后再扫描打印', en: 'Scan it again afterwards' },
  },
  no_print: {
    zh: '网点“{station_name}”未开通打印',
    en: '“{station_name}” may not print labels',
    next: { zh: '请联系管理员', en: 'Contact an administrator' },
  },
} as const;
export type LabelScanResult = keyof typeof labelScanResults;

/** The results of the scan of a printed label, and the next step for each. */
export const verifyResults = {
  verified: {
    zh: '面单正确',
    en: 'Label verified',
    next: { zh: '请扫描下一单', en: 'Scan the next order' },
  },
  package: {
    zh: '第 {no}/{package_count} 件正确',
    en: 'Package {no} of {package_count} verified',
    next: { zh: '请扫描其余各件的面单', en: 'Scan the labels of the other packages' },
  },
  before: {
    zh: '第 {no} 件已核对过',
    en: 'Package {no} was verified before',
    next: { zh: '请扫描其余各件的面单', en: 'Scan the labels of the other packages' },
  },
  wrong: {
    zh: '面单不符',
    en: 'Wrong label',
    next: {
      zh: '请勿贴到此包裹，找到 {delivery_id} 的面单再扫描',
      en: 'Do not put it on this parcel; scan the label of {delivery_id}',
    },
  },
  not_label: {
    zh: '这是订单号，不是面单',
    en: 'An order number, not a label',
    next: { zh: '请扫描打印出的面单条码', en: 'Scan the barcode of the printed label' },
  },
  which_package: {
    zh: '此单共 {package_count} 件',
    en: 'This parcel has {package_count|package|packages}',
    next: { zh: '请逐件扫描各自的条码', en: 'Scan the barcode of each package' },
  },
  old_label: {
    zh: '旧面单：运单已修改，现为 {package_count} 件',
    en: 'Old label: the parcel was changed, now {package_count|package|packages}',
    next: {
      zh: '请撕掉，扫描修改后打印的面单；没有则补打一份',
      en: 'Remove it; scan the label printed after the change, or print another copy',
    },
  },
  changing: {
    zh: '运单修改尚无结果',
    en: 'A change of the parcel is undecided',
    next: {
      zh: '请勿发出；修改有结果后再扫描',
      en: 'Do not ship it; scan it again once the change is decided',
    },
  },
  cancelled: {
    zh: '运单已取消或正在取消',
    en: 'The parcel was or is being cancelled',
    next: { zh: '请勿发出，撕掉面单', en: 'Do not ship it; remove the label' },
  },
} as const;
export type VerifyResult = keyof typeof verifyResults;

export const scanForLabel = endpoint<typeof schemas.scanForLabel>({
  method: 'GET',
  path: `${base}/scans`,
  roles: everyone,
  summary:
    'Which parcel a scanned number means, and whether its label may be printed at once; `label` is the caller’s print that the number is on and that waits to be scanned back. A number of several parcels is answered with the newest of them; nothing is printed.',
});

export const unverifiedLabels = endpoint<typeof schemas.unverifiedLabels>({
  method: 'GET',
  path: `${base}/unverified`,
  roles: everyone,
  background: true,
  summary:
    'The caller’s labels of the last 24 hours that were printed by a scan and not scanned back, newest first.',
});

export const verifyLabel = endpoint<typeof schemas.verifyLabel>({
  method: 'POST',
  path: `${base}/{id}/verify`,
  roles: everyone,
  summary:
    'Scan a printed label back: by who printed it. Any other number than one on this label is refused, and the label stays unverified.',
});
