import type { BoundedList } from '#base/bounded-lists.ts';
import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './handover.schema.ts';
export type {
  Handover,
  HandoverScan,
  HandoverSummary,
  MissingParcel,
  ParcelHandover,
  ScanAnswer,
} from './handover.schema.ts';

const base = '/api/arco/handovers';

export const handoverStatuses = {
  open: { zh: '进行中', en: 'Open' },
  closed: { zh: '已关闭', en: 'Closed' },
  discarded: { zh: '已放弃', en: 'Discarded' },
} as const;
export type HandoverStatus = keyof typeof handoverStatuses;

/**
 * The results of a scan, each with a short text and the next step. `{name}` is replaced from the
 * details of the response.
 */
export const scanResults = {
  given: { zh: '已交', en: 'Given', next: { zh: '', en: '' } },
  given_before: {
    zh: '本单已交过',
    en: 'Already given here',
    next: { zh: '继续扫描下一件', en: 'Scan the next one' },
  },
  given_earlier: {
    zh: '已在交接单 {handover_id} 交出',
    en: 'Given in hand-over {handover_id}',
    // If the button “Give again” is shown, a separate text beside it explains it.
    next: { zh: '请留下此件', en: 'Keep it here' },
  },
  unknown: {
    zh: '未知单号',
    en: 'Unknown number',
    next: {
      zh: '请留下此件，核对面单或在运单中查询',
      en: 'Keep it here; check its label, or search the parcels',
    },
  },
  ambiguous: {
    zh: '多个运单有此单号',
    en: 'Several parcels have this number',
    next: { zh: '请扫描面单上的运单条码', en: 'Scan the waybill’s barcode on the label' },
  },
  which_package: {
    zh: '此单共 {package_count} 件',
    en: 'This parcel has {package_count|package|packages}',
    next: {
      zh: '请逐件扫描各自的条码',
      en: 'Scan the barcode of each package',
    },
  },
  old_label: {
    zh: '旧面单：此单现为 {package_count} 件',
    en: 'Old label: the parcel now has {package_count|package|packages}',
    next: {
      zh: '请撕掉，扫描新打印的面单',
      en: 'Remove it; scan the newly printed label',
    },
  },
  other_carrier: {
    zh: '属于其他承运商：{carrier}',
    en: 'Of another carrier: {carrier}',
    next: { zh: '请留下此件，交给该承运商', en: 'Keep it for that carrier' },
  },
  other_station: {
    zh: '属于其他网点：{station_name}',
    en: 'Of another station: {station_name}',
    next: { zh: '请留下此件，在该网点交接', en: 'Keep it; it is handed over at that station' },
  },
  other_user: {
    zh: '由本站其他人下单',
    en: 'Ordered by another user of the station',
    next: { zh: '请在全站交接单中扫描', en: 'Scan it in a hand-over of the whole station' },
  },
  cancelled: {
    zh: '已取消',
    en: 'Cancelled',
    next: {
      zh: '请勿交出，已交的请撤回；撕掉面单',
      en: 'Do not give it, or take it back; remove the label',
    },
  },
  cancelling: {
    zh: '正在取消',
    en: 'Being cancelled',
    next: {
      zh: '请勿交出，已交的请撤回；等待取消结果',
      en: 'Do not give it, or take it back; wait for the outcome',
    },
  },
  collected: {
    zh: '承运商已揽收（{state}）',
    en: 'Already collected ({state})',
    next: { zh: '请核对实物，勿重复交出', en: 'Check the parcel; do not give it twice' },
  },
  on_hold: {
    zh: '暂挂，尚未下单',
    en: 'Awaiting funds, not ordered',
    next: { zh: '请留下此件，充值后下单', en: 'Keep it; it is ordered after a top-up' },
  },
  not_ordered: {
    zh: '未下单成功（{state}）',
    en: 'Not ordered ({state})',
    next: { zh: '请留下此件，先完成下单', en: 'Keep it; order it first' },
  },
  undecided: {
    zh: '运单号待管理员确认',
    en: 'Its waybill is undecided',
    next: { zh: '请留下此件，联系管理员', en: 'Keep it; contact an administrator' },
  },
} as const;
export type ScanResult = keyof typeof scanResults;

/** The filters for which the database reads every hand-over of the chosen days. */
export const boundedHandovers: BoundedList = {
  days: 'opened',
  sorts: [],
  filters: ['status', 'provider'],
  narrow: ['q'],
};

export const listHandovers = endpoint<typeof schemas.listHandovers>({
  method: 'GET',
  path: base,
  roles: everyone,
  summary: 'Hand-overs of the caller’s stations, newest first; a clerk’s own.',
});

export const countHandovers = endpoint<typeof schemas.countHandovers>({
  method: 'GET',
  path: `${base}/counts`,
  roles: everyone,
  reads: 'stale',
  summary: 'How many hand-overs the filters match; above 10,000 “at least”, unless exact: 1.',
});

/**
 * A repeated call returns the caller's open hand-over. The hand-over of a clerk expects only the
 * clerk's own parcels.
 */
export const openHandover = endpoint<typeof schemas.openHandover>({
  method: 'POST',
  path: base,
  roles: everyone,
  summary: 'Open a hand-over to a carrier’s courier, or return the caller’s open one.',
});

export const getHandover = endpoint<typeof schemas.getHandover>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: everyone,
  background: true,
  summary: 'A hand-over with what is expected, given, missing and of others.',
});

export const handoverScans = endpoint<typeof schemas.handoverScans>({
  method: 'GET',
  path: `${base}/{id}/scans`,
  roles: everyone,
  background: true,
  summary: 'The scans of a hand-over, newest first: those that count, or the refused ones.',
});

export const handoverMissing = endpoint<typeof schemas.handoverMissing>({
  method: 'GET',
  path: `${base}/{id}/missing`,
  roles: everyone,
  background: true,
  summary:
    'Expected parcels that were not given: now while it is open, else when it was closed; the first 500.',
});

/**
 * Each scan has an id chosen by the caller, so that a repeated call returns the first result again.
 */
export const scanHandover = endpoint<typeof schemas.scanHandover>({
  method: 'POST',
  path: `${base}/{id}/scans`,
  roles: everyone,
  summary: 'Scan numbers of labels into an open hand-over, in their order; an answer for each.',
});

export const takeBackScan = endpoint<typeof schemas.takeBackScan>({
  method: 'POST',
  path: `${base}/{id}/take-back`,
  roles: everyone,
  summary: 'Take a scan of an open hand-over back: the package was not given.',
});

/**
 * `packages` is the number that the caller saw. Closing is refused if another person has scanned
 * meanwhile, or if packages of cancelled parcels are in the hand-over and `with_cancelled` is not
 * set.
 */
export const closeHandover = endpoint<typeof schemas.closeHandover>({
  method: 'POST',
  path: `${base}/{id}/close`,
  roles: everyone,
  summary: 'Close a hand-over: its list is final, and what is missing stays expected.',
});

export const discardHandover = endpoint<typeof schemas.discardHandover>({
  method: 'POST',
  path: `${base}/{id}/discard`,
  roles: everyone,
  summary: 'Discard an open hand-over without packages.',
});

/** `origin` is the URL of the console, to which the QR code on the page leads. */
export const printHandover = endpoint<typeof schemas.printHandover>({
  method: 'GET',
  path: `${base}/{id}/file`,
  roles: everyone,
  answers: 'file',
  summary: 'The list of a closed hand-over to print and sign, as PDF.',
});

export const parcelHandovers = endpoint<typeof schemas.parcelHandovers>({
  method: 'GET',
  path: '/api/arco/expresses/{id}/handovers',
  roles: everyone,
  summary: 'In which hand-overs the packages of a parcel were given, newest first.',
});
