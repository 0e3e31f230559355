import type { Handover } from '@waystation/contract/parcels/handover.ts';
import type { Language } from '@waystation/contract/base/errors.ts';

/**
 * The content of a printed hand-over list. Times are ISO 8601, and are printed in Asia/Shanghai
 * time.
 */
export interface HandoverContent {
  language: Language;
  handover: Handover;
  /** The scanned packages, in the order of their waybill numbers. */
  packages: { delivery_id: string; package_no: number; package_count: number; at: string }[];
  missing: {
    parcels: number;
    items: { delivery_id: string; missing: number; package_count: number }[];
  };
  /** The URL in the QR code. */
  address: string;
  made_by: string;
  made_at: string;
}

const words = {
  zh: {
    title: '交接单',
    no: (id: number) => `编号 ${id}`,
    station: '网点',
    carrier: '承运商',
    opened: '开始',
    closed: '关闭',
    by: '经办人',
    courier: '快递员',
    note: '备注',
    parcels: '运单数',
    packages: '件数',
    missing: '未交件数',
    made: (by: string, at: string) => `由 ${by} 于 ${at} 打印（北京时间）`,
    seq: '序号',
    waybill: '运单号',
    package: '件',
    time: '扫描时间',
    missing_title: '关闭时未交（仍待交接）',
    missing_more: (count: number) => `另有 ${count} 单未列出`,
    code: '扫码查看此交接单',
    sign: '快递员（签字）：',
    date: '日期：',
    page: (page: number, pages: number) => `第 ${page} 页，共 ${pages} 页`,
    none: '—',
  },
  en: {
    title: 'Hand-over list',
    no: (id: number) => `No. ${id}`,
    station: 'Station',
    carrier: 'Carrier',
    opened: 'Opened',
    closed: 'Closed',
    by: 'Handed over by',
    courier: 'Courier',
    note: 'Note',
    parcels: 'Parcels',
    packages: 'Packages',
    missing: 'Missing packages',
    made: (by: string, at: string) => `Printed by ${by}, ${at} Beijing time`,
    seq: 'No.',
    waybill: 'Waybill',
    package: 'Package',
    time: 'Scanned',
    missing_title: 'Missing when it was closed (still expected)',
    missing_more: (count: number) => `Not listed: ${count}`,
    code: 'Scan to open this hand-over',
    sign: 'Courier (signature):',
    date: 'Date:',
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
    none: '—',
  },
} as const;
export type HandoverWords = (typeof words)[Language];

export const handoverWords = (language: Language): HandoverWords => words[language];
