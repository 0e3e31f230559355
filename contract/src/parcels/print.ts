import type { BoundedList } from '#base/bounded-lists.ts';
import { endpoint } from '#base/endpoint.ts';
import { everyone, managers } from '#base/roles.ts';
import type { schemas } from './print.schema.ts';
export type { PrintRecord } from './print.schema.ts';

const base = '/api/arco/prints';

/** The ways in which a label can reach its printer. */
export const printDrivers = {
  pdf: { zh: 'PDF', en: 'PDF' },
  component: { zh: '本地打印组件', en: 'Local print component' },
  zpl: { zh: 'ZPL', en: 'ZPL' },
  tspl: { zh: 'TSPL', en: 'TSPL' },
} as const;
export type PrintDriver = keyof typeof printDrivers;

/**
 * The paper of labels: width × height in millimetres, or A4 sheets with four labels of 76 × 130 mm.
 */
export const labelFormats = ['76x130', '100x150', '100x180', 'a4'] as const;
export type LabelFormat = (typeof labelFormats)[number];
/** The number of labels on an A4 sheet; they are filled row by row. */
export const sheetPlaces = 4;

/**
 * `sent`: the label was handed to the printer, and no result was reported. `unreported`: the label
 * has been queued for longer than `unreportedMinutes`; the workstation may have been switched off.
 */
export const printResults = {
  queued: { zh: '排队中', en: 'Queued' },
  sent: { zh: '已发送', en: 'Sent' },
  ok: { zh: '成功', en: 'Printed' },
  failed: { zh: '失败', en: 'Failed' },
  unreported: { zh: '未上报', en: 'Not reported' },
} as const;
export type PrintResult = keyof typeof printResults;

/**
 * The minutes after which a queued label counts as not reported. A report that comes later, but
 * within an hour, is still accepted.
 */
export const unreportedMinutes = 30;

/**
 * Hours in which a waybill may be printed again only a limited number of times (setting
 * `reprint_limit`).
 */
export const reprintHours = 48;

/** The filters for which the database reads every print of the chosen days. */
export const boundedPrints: BoundedList = {
  days: 'created',
  sorts: [],
  filters: ['result', 'reprint', 'count_from', 'driver'],
  narrow: ['q', 'batch_id'],
};

/** The number of days in the figures per printer, today included. */
export const printerDays = 14;
/**
 * The maximum number of printers in the figures; and the maximum number of prints (the newest) that
 * are counted for the figures and for the list's notices.
 */
export const mostPrinters = 50;
export const mostPrinterPrints = 100_000;

export const listPrints = endpoint<typeof schemas.listPrints>({
  method: 'GET',
  path: base,
  roles: managers,
  summary: 'Print records of the caller’s stations, newest first.',
});

export const countPrints = endpoint<typeof schemas.countPrints>({
  method: 'GET',
  path: `${base}/counts`,
  roles: managers,
  reads: 'stale',
  summary:
    'How many print records the filters match, how many of them are reprints and how many failed; above 10,000 “at least” and neither, unless exact: 1. Within 31 days also the labels that were not reported, and the printers that failed.',
});

export const printerFigures = endpoint<typeof schemas.printerFigures>({
  method: 'GET',
  path: `${base}/printers`,
  roles: managers,
  reads: 'stale',
  summary:
    'How many labels each printer printed in the last 14 days and how many of them failed, day by day, and the sums of today.',
});

/**
 * Called by the program that prints labels. A print record that already has a result is not
 * changed.
 */
export const reportPrint = endpoint<typeof schemas.reportPrint>({
  method: 'POST',
  path: `${base}/{id}/result`,
  roles: everyone,
  summary: 'What became of a label that was sent to a printer: by who printed it, within an hour.',
});
