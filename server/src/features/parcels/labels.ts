import { stateAllows } from '@waystation/contract/express-states.ts';
import type { StateCode } from '@waystation/contract/express-states.ts';
import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type { LabelResult, printLabels } from '@waystation/contract/express-calls.ts';
import { reprintHours } from '@waystation/contract/print.ts';
import type { PrintDriver } from '@waystation/contract/print.ts';
import { mostSeparateParcels, mostTsplDarkness } from '@waystation/contract/limits.ts';
import { maskPhone } from '@waystation/contract/phone.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import type { App } from '#app.ts';
import { raiseAlert } from '#domain/alerts/alerts.ts';
import { renderLabels } from '#domain/documents/documents.ts';
import type { LabelInput, LabelSheet } from '#domain/documents/documents.ts';
import { zipStream } from '#domain/workbook/workbook.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { asSystem, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { FileAnswer, RequestContext } from '#platform/http/context.ts';
import { fileWithResult } from '#platform/http/file-with-result.ts';
import { seesPhones } from './view.ts';

type Input = ParsedOf<typeof printLabels>;

export interface PrintableRow extends Omit<LabelInput, 'printed_at'> {
  id: number;
  station_id: number;
  merchant_id: number | null;
  state_code: StateCode;
  state_txt: string;
  need_retry: 0 | 1;
  /** Two waybills were named for it, and the office has not chosen yet. */
  undecided: boolean;
  allow_print: 0 | 1;
  /** Prints of its waybill in the last two days. */
  lately: number;
}

export type LabelFailure = LabelResult['failures'][number];

/** Two waybills were named for it, and the office has not chosen yet. */
export const isUndecided = sql<boolean>`jsonb_path_query_array(e.waybill_claims, '$[*] ? (!exists(@.rejected))') -> 1 is not null`;

/** Why a parcel's label is not printed. */
export const obstacle = (row: Pick<PrintableRow, 'allow_print' | 'state_code' | 'state_txt' | 'undecided' | 'need_retry'>): Reason | null => {
  if (row.allow_print !== 1) return { code: 'print_not_allowed' };
  if (!stateAllows(row.state_code, 'print')) return { code: 'not_printable', params: { state: row.state_txt } };
  if (row.undecided) return { code: 'waybill_undecided' };
  if (row.need_retry === 1) return { code: 'sorting_pending' };
  return null;
};

/** Why it is not printed once more; a preview is no print. */
const obstacleAgain = ({ lately, print_count }: PrintableRow, { preview, reason = '' }: PrintInput, limit: number): Reason | null => {
  if (preview === 1) return null;
  if (lately >= limit) return { code: 'reprint_limit', params: { count: lately, limit } };
  return print_count > 0 && reason === '' ? { code: 'reprint_reason', params: { count: print_count } } : null;
};

const rowsOf = async (tx: Tx, scope: Scope, ids: readonly number[], at: Date): Promise<Map<number, PrintableRow>> => {
  const since = new Date(at.getTime() - reprintHours * 3_600_000);
  const { rows } = await sql<PrintableRow>`
    select e.id, e.station_id, e.merchant_id, e.state_code, e.state_txt, e.need_retry, ${isUndecided} as undecided, s.allow_print, s.name as station_name, e.delivery_id, e.provider, e.package_count, e.order_id, e.thr_order_id,
      e.sender_name, e.sender_phone, e.sender_province, e.sender_city, e.sender_county, e.sender_address,
      e.receive_name, e.receive_phone, e.receive_province, e.receive_city, e.receive_county, e.receive_address,
      e.goods, coalesce(e.re_weight, e.weight) as weight, e.remark, greatest(e.guarantee_value_amount, coalesce((e.terms ->> 'guarantee')::bigint, 0)) as guarantee_value_amount,
      e.trans_type, e.print_data, e.pre_sort_result, e.print_count, e.simulated, (select count(*)::int from prints r where r.delivery_id = e.delivery_id and r.created_at > ${since}) as lately,
      coalesce(p.promise_name, e.promise_id) as promise_name
    from expresses e join stations s on s.id = e.station_id left join promises p on (p.provider, p.promise_id) = (e.provider, e.promise_id)
    where e.id = any(${ids}::bigint[]) and ${scopeCondition(scope, 'e.station_id', 'e.user_id')}`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
};

/** A label needs its phones, and its print is kept; a preview leaves no trace, so that it shows no more than the parcel does. */
const phonesFor = (actor: Actor, { station_id, sender_phone, receive_phone }: PrintableRow, { preview }: Input) =>
  preview !== 1 || seesPhones(actor, station_id) ? {} : { sender_phone: maskPhone(sender_phone), receive_phone: maskPhone(receive_phone) };

interface PrintedRow {
  id: number;
  express_id: number;
  batch_id: number | null;
}

/** One print record per parcel, numbered per waybill, with the row's own count and last printer. Answers the records in the order of the ids. */
const recordPrints = async (tx: Tx, actor: Actor, ids: readonly number[], input: PrintInput, at: Date): Promise<PrintedRow[]> => {
  const { format, reason = '', driver = 'pdf', printer = '' } = input;
  const { rows } = await sql<PrintedRow>`
    with counted as (
      update expresses set print_count = print_count + 1, print_uid = ${actor.account_id}, printed_at = ${at}, updated_at = ${at} where id = any(${ids}::bigint[])
      returning id, station_id, delivery_id, print_count),
      batch as materialized (select case when cardinality(${ids}::bigint[]) > 1 then nextval('print_batches') end as id)
    insert into prints (express_id, station_id, delivery_id, user_id, at_station_id, print_count, format, reason, driver, printer, result, batch_id, created_at)
    select c.id, c.station_id, c.delivery_id, ${actor.account_id}, ${actor.station_id}::bigint, c.print_count, ${format}, ${reason}, ${driver}, ${printer}, ${driver === 'component' ? 'queued' : 'sent'}, batch.id, ${at}
    from batch, counted c join unnest(${ids}::bigint[]) with ordinality as o(id, n) on o.id = c.id order by o.n returning id, express_id, batch_id`.execute(tx);
  return rows;
};

/** Two stations hold a label of the same waybill: one of them may stick it on another parcel. */
const alarmIfElsewhere = (tx: Tx, actor: Actor, ids: readonly number[]): Promise<void> =>
  asSystem(tx, scopeOf(actor), async () => {
    const { rows } = await sql<{ express_id: number; station_id: number; delivery_id: string; first: string; second: string }>`
      select distinct on (p.delivery_id) p.express_id, p.station_id, p.delivery_id, s.name as first, o.name as second
      from prints p join expresses e on e.id = any(${ids}::bigint[]) and e.delivery_id = p.delivery_id
        join stations s on s.id = p.at_station_id join stations o on o.id = ${actor.station_id}
      where p.at_station_id <> ${actor.station_id} order by p.delivery_id, p.created_at`.execute(tx);
    for (const { express_id, station_id, ...params } of rows)
      await raiseAlert(tx, {
        code: 'printed_by_two_stations',
        params,
        express_id,
        station_id,
        account_id: actor.account_id,
        key: `printed_twice:${params.delivery_id}`,
      });
  });

export interface Selected {
  rows: PrintableRow[];
  failures: LabelFailure[];
}

/** How labels are printed; what a preview leaves out. */
export type PrintInput = Pick<Input, 'format' | 'preview' | 'reason' | 'printer'> & { driver?: PrintDriver | undefined };

/** What of the ids is printed, in their order, and why the others are not. */
export const select = async (tx: Tx, scope: Scope, ids: readonly number[], input: PrintInput, at: Date): Promise<Selected> => {
  const known = await rowsOf(tx, scope, ids, at);
  const limit = await readSetting(tx, 'reprint_limit');
  const selected: Selected = { rows: [], failures: [] };
  for (const id of ids) {
    const row = known.get(id);
    const reason = row ? (obstacle(row) ?? obstacleAgain(row, input, limit)) : { code: 'not_found' };
    if (reason) selected.failures.push({ id, reason });
    else selected.rows.push(row!);
  }
  return selected;
};

/**
 * Records the labels that were drawn. Null if one of them was printed or stopped being printable since it was read: its label shows an old number.
 * Parcels are locked by id, so that overlapping batches wait for each other and never for themselves.
 */
export const recordDrawn = (app: App, actor: Actor, drawn: readonly PrintableRow[], input: PrintInput, request: RequestContext, at: Date) => {
  const scope = scopeOf(actor);
  const ids = drawn.map((row) => row.id);
  return app.db.tx(scope, async (tx) => {
    await sql`select e.id from expresses e where e.id = any(${ids}::bigint[]) and ${scopeCondition(scope, 'e.station_id', 'e.user_id')} order by e.id for no key update`.execute(
      tx,
    );
    const { rows } = await select(tx, scope, ids, input, at);
    const counts = new Map(rows.map((row) => [row.id, row.print_count]));
    if (drawn.some((row) => counts.get(row.id) !== row.print_count)) return null;
    const records = await recordPrints(tx, actor, ids, input, at);
    for (const { id, station_id } of drawn)
      await recordAudit(tx, actor, request, { action: 'print', subject: 'expresses', subject_id: id, station_id, reason: input.reason ?? '' });
    if (actor.station_id !== null) await alarmIfElsewhere(tx, actor, ids);
    return records;
  });
};

const fileTypes = {
  pdf: 'application/pdf',
  zpl: 'text/plain; charset=us-ascii',
  tspl: 'application/octet-stream',
  zip: 'application/zip',
};

/** Type and name of a file of labels. */
export const labelFile = (name: string, kind: keyof typeof fileTypes = 'pdf'): Pick<FileAnswer, 'type' | 'name'> => ({
  type: fileTypes[kind],
  name: `${name}.${kind}`,
});

/** What a printer's language does not have is refused by field. */
export const assertPrinter = ({ driver, darkness = 0 }: Pick<Input, 'driver' | 'darkness'>): void => {
  if (driver === 'tspl' && darkness > mostTsplDarkness) failFields({ darkness: { code: 'label_darkness', params: { max: mostTsplDarkness } } });
};

/** PDFs of their own, in one archive: each is named by its place in the list and its waybill, so that folders and programs keep the order. */
const archiveOf = async (files: LabelSheet['files'], rows: readonly PrintableRow[], ids: readonly number[], first: number): Promise<Uint8Array> => {
  const places = new Map(ids.map((id, place) => [id, place + first]));
  const entries = files.map(({ index, file }) => {
    const { id, delivery_id } = rows[index]!;
    return { name: `${String(places.get(id)).padStart(4, '0')}-${delivery_id.replaceAll(/[^\w-]/g, '_')}.pdf`, content: [Buffer.from(file)] };
  });
  const pieces: Buffer[] = [];
  for await (const piece of zipStream(entries)) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
};

/** How often labels are drawn again because somebody printed one of them meanwhile. */
export const mostDrawings = 5;

/** Why nothing of several parcels is printed: the first reason is the error, all of them are in its body. */
export const failWithAll = (failures: readonly LabelFailure[]): never =>
  fail((failures[0]?.reason.code ?? 'not_found') as 'not_found', failures[0]?.reason.params, { failures });

/** Bytes of one header: proxies and browsers take some kilobytes of all headers together. */
const mostHeaderBytes = 2_048;

const shortHeader = (name: string, value: string): Record<string, string> => (value.length <= mostHeaderBytes ? { [name]: value } : {});

/** The labels, with what became of each parcel in the body where the caller asks for it. */
const answerOf = (input: Input, file: FileAnswer & { body: Uint8Array }, { count, pages, failures, warnings, prints }: LabelResult): FileAnswer => {
  const headers = { 'x-label-count': String(count), 'x-label-pages': String(pages), 'x-label-failed': String(failures.length) };
  if (input.result === 1) return fileWithResult({ ...file, headers }, { count, pages, failures, warnings, prints } satisfies LabelResult);
  return {
    ...file,
    headers: {
      ...headers,
      ...shortHeader('x-label-failures', encodeURIComponent(JSON.stringify(failures))),
      ...shortHeader('x-label-warnings', encodeURIComponent(JSON.stringify(warnings))),
      ...(prints.length > 0 && shortHeader('x-label-prints', JSON.stringify(prints))),
    },
  };
};

/**
 * Labels as one PDF, as an archive with one a parcel, or as ZPL or TSPL, in the order given; a parcel that cannot be printed is left out, the others go on. Headers say how many
 * labels there are and how many parcels failed; which ones and why is in the body of an answer with its `result`, and in headers while they are short.
 * Nothing printable at all is an error with the first reason and all failures. What another request prints meanwhile is read and drawn again, so that a double click
 * is a reprint and no waybill passes its limit.
 */
export const print = async (app: App, actor: Actor, input: Input, request: RequestContext): Promise<FileAnswer> => {
  const scope = scopeOf(actor);
  const ids = [...new Set(input.ids)];
  const separate = input.separate === 1;
  assertPrinter(input);
  if (separate && ids.length > mostSeparateParcels) fail('labels_separate_too_many', { max: mostSeparateParcels, count: ids.length });
  for (let drawing = 1; drawing <= mostDrawings; drawing++) {
    const at = app.clock.now();
    const { rows, failures } = await app.db.tx(scope, (tx) => select(tx, scope, ids, input, at));
    const sheet = await renderLabels(
      rows.map((row) => ({ ...row, ...phonesFor(actor, row, input), print_count: row.print_count + 1, printed_at: at.toISOString() })),
      input.format,
      { ...input, separate },
    );
    for (const { index, code, params } of sheet.failures) failures.push({ id: rows[index]!.id, reason: { code, params } });
    const warnings = sheet.warnings.map(({ index, code, params }): LabelFailure => ({ id: rows[index]!.id, reason: { code, params } }));
    if (sheet.pages === 0) return failWithAll(failures);
    const drawn = rows.filter((_, index) => !sheet.failures.some((failure) => failure.index === index));
    const records = input.preview === 1 ? [] : await recordDrawn(app, actor, drawn, input, request, at);
    if (records === null) continue;
    // Where something reports back what became of each.
    const reports = input.driver !== undefined && input.driver !== 'pdf';
    const prints = reports ? records.map(({ id, express_id }): [number, number] => [express_id, id]) : [];
    const file = {
      body: sheet.file ?? (await archiveOf(sheet.files, rows, ids, input.first_no ?? 1)),
      ...labelFile(`labels-${input.format}`, separate ? 'zip' : input.driver),
    };
    return answerOf(input, file, { count: drawn.length, pages: sheet.pages, failures, warnings, prints });
  }
  return fail('printed_meanwhile');
};
