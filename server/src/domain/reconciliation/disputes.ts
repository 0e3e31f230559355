import { billBuckets } from '@waystation/contract/money/reconciliation.ts';
import type { BillBucket } from '@waystation/contract/money/reconciliation.ts';
import { present } from '@waystation/contract/base/present.ts';
import { writeWorkbook } from '#domain/workbook/workbook.ts';
import type { CellValue, SheetColumn } from '#domain/workbook/workbook.ts';
import { businessTime } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { datedColumn } from './dispute-dates.ts';
import type { Bill } from './store.ts';

type Language = 'zh' | 'en';

interface Disputed {
  no: number | null;
  cells: string[] | null;
  bucket: BillBucket;
  delivery_id: string | null;
  their_amount: number | null;
  total_weight: number | null;
  total_amount: number | null;
  our_weight: number | null;
  our_amount: number | null;
  order_id: string | null;
  note: string;
  weight_from: Source | null;
  amount_from: Source | null;
}
interface Source {
  no: number;
  source: string;
  at: string;
}

const words = {
  no: { zh: '账单行号', en: 'Bill line' },
  order_id: { zh: '我方订单号', en: 'Our order' },
  bucket: { zh: '异议分类', en: 'Dispute kind' },
  our_weight: { zh: '我方重量（kg）', en: 'Our weight (kg)' },
  weight_from: { zh: '计重依据', en: 'Weight source' },
  weight_step: { zh: '重量差（kg）', en: 'Weight difference (kg)' },
  our_amount: { zh: '我方金额（元）', en: 'Our amount (¥)' },
  amount_from: { zh: '金额依据', en: 'Amount source' },
  amount_step: { zh: '金额差（元）', en: 'Amount difference (¥)' },
  note: { zh: '异议原因', en: 'Reason' },
} as const;
const kinds: Record<keyof typeof words, SheetColumn['kind']> = {
  no: 'number',
  order_id: 'text',
  bucket: 'text',
  our_weight: 'kg',
  weight_from: 'text',
  weight_step: 'kg',
  our_amount: 'money',
  amount_from: 'text',
  amount_step: 'money',
  note: 'text',
};
const sources: Record<string, { zh: string; en: string }> = {
  order: { zh: '下单申报', en: 'declared at order' },
  station: { zh: '网点复重', en: 'station re-weigh' },
  poll: { zh: '承运商查询', en: 'carrier query' },
  push: { zh: '承运商推送', en: 'carrier push' },
  bill: { zh: '承运商账单', en: 'carrier bill' },
  estimate: { zh: '按预估计费', en: 'estimate' },
  edit: { zh: '订单修改', en: 'order edit' },
  accepted: { zh: '核定后计费', en: 'accepted carrier charge' },
};

/** The source of a figure as text, with its time in Asia/Shanghai: `#3 承运商查询 2026-03-02 10:00`. */
const evidence = (from: Source | null, language: Language): string => {
  if (!from) return '';
  return `#${from.no} ${sources[from.source]?.[language] ?? from.source} ${businessTime(new Date(from.at))}`;
};

const disputedOf = async (work: Work, id: number): Promise<Disputed[]> => {
  const latest = (field: string) => sql`(select json_build_object('no', f.no, 'source',
    f.source, 'at', f.at) from express_facts f
    where f.express_id = h.express_id and f.source <> 'held' and f.facts ? ${field}::text
      order by f.no desc limit 1)`;
  const { rows } =
    await sql<Disputed>`select r.no, r.cells, r.bucket, r.delivery_id, r.their_amount,
      r.total_weight, h.total_amount, h.our_weight, h.our_amount, e.order_id, r.note,
      ${latest('jd_weight')} as weight_from, ${latest('jd_amount')} as amount_from
    from reconciliation_rows r join reconciliation_rows h on h.id = coalesce(r.head_id, r.id)
      left join expresses e on e.id = r.express_id
    where r.reconciliation_id = ${id} and r.decision = 'disputed' order by r.id`.execute(work.tx);
  return rows;
};

const difference = (theirs: number | null, ours: number | null): number | null =>
  theirs === null || ours === null ? null : theirs - ours;

const ours = (line: Disputed, language: Language): Record<keyof typeof words, CellValue> => ({
  no: line.no,
  order_id: line.order_id,
  bucket: billBuckets[line.bucket][language],
  our_weight: line.our_weight,
  weight_from: line.our_weight === null ? '' : evidence(line.weight_from, language),
  weight_step: difference(line.total_weight, line.our_weight),
  our_amount: line.our_amount,
  amount_from: line.our_amount === null ? '' : evidence(line.amount_from, language),
  amount_step: difference(line.total_amount, line.our_amount),
  note: line.note,
});

/**
 * A line for a parcel that is missing in the carrier's bill shows only the parcel's waybill number.
 */
const theirCells = (
  { cells, delivery_id }: Disputed,
  { columns, mapping }: Bill,
): (string | null)[] =>
  columns.map(({ index }) =>
    cells ? (cells[index] ?? '') : index === mapping.delivery_id ? delivery_id : '',
  );

/**
 * An .xlsx file of the disputed lines. It has the carrier's own columns, followed by our figures,
 * the source of these figures, and our objection.
 */
export const disputesFile = async (
  work: Work,
  bill: Bill,
  language: Language,
): Promise<Uint8Array> => {
  const lines = await disputedOf(work, bill.id);
  const theirs = lines.map((line) => theirCells(line, bill));
  const dated = bill.columns.map(({ title }, at) =>
    datedColumn(
      title,
      theirs.map((cells) => cells[at] ?? ''),
    ),
  );
  const names = Object.keys(words) as (keyof typeof words)[];
  async function* rows() {
    for (const [no, line] of lines.entries()) {
      const own = ours(line, language);
      yield [
        ...present(theirs[no]).map((cell, at) => present(dated[at]).valueOf(cell ?? '')),
        ...names.map((name) => own[name]),
      ];
    }
  }
  const columns: SheetColumn[] = [
    ...bill.columns.map(({ title }, at) => ({ title, kind: present(dated[at]).kind })),
    ...names.map((name) => ({ title: words[name][language], kind: kinds[name] })),
  ];
  const pieces: Uint8Array[] = [];
  for await (const piece of writeWorkbook('xlsx', {
    name: language === 'zh' ? '异议' : 'Disputes',
    columns,
    rows: rows(),
  }))
    pieces.push(piece);
  return Buffer.concat(pieces);
};
