import { stateAllows } from '@waystation/contract/parcels/express-states.ts';
import type { StateCode } from '@waystation/contract/parcels/express-states.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { LabelResult, printLabels } from '@waystation/contract/parcels/express-calls.ts';
import { reprintHours } from '@waystation/contract/parcels/print.ts';
import type { PrintDriver } from '@waystation/contract/parcels/print.ts';
import { mostSeparateParcels, mostTsplDarkness } from '@waystation/contract/base/limits.ts';
import { maskPhone } from '@waystation/contract/parcels/phone.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { raiseAlert } from '#domain/alerts/alerts.ts';
import { isUndecided } from '#domain/express/express-reads.ts';
import { renderLabels } from '#domain/documents/documents.ts';
import type { LabelInput } from '#domain/documents/documents.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { ReaderWork, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { FileAnswer, RequestContext } from '#platform/http/context.ts';
import { seesPhones } from './view.ts';
import { labelFile, archiveOf, answerOf } from './label-files.ts';

export type Input = ParsedOf<typeof printLabels>;

export interface PrintableRow extends Omit<LabelInput, 'printed_at'> {
  id: number;
  station_id: number;
  merchant_id: number | null;
  state_code: StateCode;
  state_txt: string;
  need_retry: 0 | 1;
  /**
   * True if the carrier named two waybills for the parcel, and no administrator has chosen one yet.
   */
  undecided: boolean;
  /** True if a cancel was requested, or if the carrier intercepts the parcel. */
  stopping: boolean;
  allow_print: 0 | 1;
  /** The number of sides, sender and receiver, of which the person was erased. */
  erased: number;
  /** The number of prints of the parcel's waybill in the last two days. */
  lately: number;
}

export type LabelFailure = LabelResult['failures'][number];

/** The reason why a parcel's label is not printed; null if it may be printed. */
export const obstacle = (
  row: Pick<
    PrintableRow,
    'allow_print' | 'state_code' | 'state_txt' | 'undecided' | 'need_retry' | 'erased'
  >,
): Reason | null => {
  if (row.erased > 0) return { code: 'parcel_erased' };
  if (row.allow_print !== 1) return { code: 'print_not_allowed' };
  if (!stateAllows(row.state_code, 'print'))
    return { code: 'not_printable', params: { state: row.state_txt } };
  if (row.undecided) return { code: 'waybill_undecided' };
  if (row.need_retry === 1) return { code: 'sorting_pending' };
  return null;
};

/**
 * The reason why a label may not be printed after a scan, or not again; null if it may. A preview
 * does not count as a print.
 */
const obstacleAgain = (
  { lately, print_count, stopping }: PrintableRow,
  { preview, reason = '', verify }: PrintInput,
  limit: number,
): Reason | null => {
  if (preview === 1) return null;
  if (verify === 1 && stopping) return { code: 'print_cancelling' };
  if (lately >= limit) return { code: 'reprint_limit', params: { count: lately, limit } };
  return print_count > 0 && reason === ''
    ? { code: 'reprint_reason', params: { count: print_count } }
    : null;
};

const rowsOf = async (
  work: Work,
  ids: readonly number[],
  at: Date,
): Promise<Map<number, PrintableRow>> => {
  const since = new Date(at.getTime() - reprintHours * 3_600_000);
  const { rows } = await sql<PrintableRow>`
    select e.id, e.station_id, e.merchant_id, e.state_code, e.state_txt, e.need_retry, e.erased,
      ${isUndecided} as undecided,
      (e.cancel_requested_at is not null or e.intercepting = 1) as stopping, s.allow_print, s.name as station_name, e.delivery_id,
      e.provider, e.package_count, e.package_ids, e.order_id, e.thr_order_id,
      e.sender_name, e.sender_phone, e.sender_province, e.sender_city, e.sender_county,
        e.sender_address,
      e.receive_name, e.receive_phone, e.receive_province, e.receive_city, e.receive_county,
        e.receive_address,
      e.goods, coalesce(e.re_weight, e.weight) as weight, e.remark,
        greatest(e.guarantee_value_amount, coalesce((e.terms ->> 'guarantee')::bigint,
        0)) as guarantee_value_amount,
      e.trans_type, e.print_data, e.pre_sort_result, e.print_count, e.simulated,
        (select count(*)::int from prints r where r.delivery_id = e.delivery_id
        and r.created_at > ${since}) as lately,
      coalesce(p.promise_name, e.promise_id) as promise_name
    from expresses e join stations s on s.id = e.station_id left
      join promises p on (p.provider, p.promise_id) = (e.provider, e.promise_id)
    where e.id = any(${ids}::bigint[])
      and ${scopeCondition(work, 'e.station_id', 'e.user_id')}`.execute(work.tx);
  return new Map(rows.map((row) => [row.id, row]));
};

/**
 * The phones for a label. A print shows them whole and is recorded. A preview is not recorded, so
 * it masks them as the parcel does.
 */
const phonesFor = (
  actor: Actor,
  { station_id, sender_phone, receive_phone }: PrintableRow,
  { preview }: Input,
) =>
  preview !== 1 || seesPhones(actor, station_id)
    ? {}
    : { sender_phone: maskPhone(sender_phone), receive_phone: maskPhone(receive_phone) };

interface PrintedRow {
  id: number;
  express_id: number;
  batch_id: number | null;
}

/**
 * Adds one print record per parcel, numbered per waybill, and updates the parcel's own print count
 * and last printer. Returns the records in the order of the ids.
 */
const recordPrints = async (
  work: ReaderWork,
  ids: readonly number[],
  input: PrintInput,
  at: Date,
): Promise<PrintedRow[]> => {
  const { format, reason = '', driver = 'pdf', printer = '' } = input;
  const { rows } = await sql<PrintedRow>`
    with counted as (
      update expresses set print_count = print_count + 1, print_uid = ${work.actor.account_id},
        printed_at = ${at}, updated_at = ${at} where id = any(${ids}::bigint[])
      returning id, station_id, delivery_id, print_count),
      batch as materialized (select case
        when cardinality(${ids}::bigint[]) > 1 then nextval('print_batches') end as id)
    insert into prints (express_id, station_id, delivery_id, user_id, at_station_id,
      print_count, format, reason, driver, printer, result, batch_id, created_at, to_verify,
      key_id)
    select c.id, c.station_id, c.delivery_id, ${work.actor.account_id},
      ${work.actor.station_id}::bigint, c.print_count, ${format}, ${reason}, ${driver}, ${printer},
      ${driver === 'component' ? 'queued' : 'sent'}, batch.id, ${at},
      ${input.verify === 1}, ${work.actor.key?.id ?? null}::bigint
    from batch, counted c join unnest(${ids}::bigint[]) with ordinality as o(id,
      n) on o.id = c.id order by o.n returning id, express_id, batch_id`.execute(work.tx);
  return rows;
};

/**
 * Raises an alert if another station has printed a label of the same waybill, because one of the
 * two may put its label on another parcel.
 */
const alarmIfElsewhere = (work: ReaderWork, ids: readonly number[]): Promise<void> =>
  work.asSystem('alert of a label', async (system) => {
    const { rows } = await sql<{
      express_id: number;
      station_id: number;
      delivery_id: string;
      first: string;
      second: string;
    }>`
      select distinct on (p.delivery_id) p.express_id, p.station_id, p.delivery_id,
        s.name as first, o.name as second
      from prints p join expresses e on e.id = any(${ids}::bigint[])
        and e.delivery_id = p.delivery_id
        join stations s on s.id = p.at_station_id
          join stations o on o.id = ${work.actor.station_id}
      where p.at_station_id <> ${work.actor.station_id}
        order by p.delivery_id, p.created_at`.execute(system.tx);
    for (const { express_id, station_id, ...params } of rows)
      await raiseAlert(system, {
        code: 'printed_by_two_stations',
        params,
        express_id,
        station_id,
        account_id: work.actor.account_id,
        key: `printed_twice:${params.delivery_id}`,
      });
  });

export interface Selected {
  rows: PrintableRow[];
  failures: LabelFailure[];
}

/** The settings of a print; a preview has no printer settings. */
export type PrintInput = Pick<Input, 'format' | 'preview' | 'reason' | 'printer' | 'verify'> & {
  driver?: PrintDriver | undefined;
};

/** Returns the ids that can be printed, in their order, and the reasons of the other ids. */
export const select = async (
  work: Work,
  ids: readonly number[],
  input: PrintInput,
  at: Date,
): Promise<Selected> => {
  const known = await rowsOf(work, ids, at);
  const limit = await readSetting(work, 'reprint_limit');
  const selected: Selected = { rows: [], failures: [] };
  for (const id of ids) {
    const row = known.get(id);
    const reason = row
      ? (obstacle(row) ?? obstacleAgain(row, input, limit))
      : { code: 'not_found' };
    if (reason) selected.failures.push({ id, reason });
    else selected.rows.push(row!);
  }
  return selected;
};

/**
 * Stores print records of the drawn labels. Returns null if one of them was printed or became
 * unprintable since it was read, because its label then shows an outdated print number. Parcels are
 * locked in the order of their ids, so that overlapping batches cannot deadlock.
 */
export const recordDrawn = (
  app: App,
  actor: Actor,
  {
    drawn,
    input,
    request,
    at,
  }: { drawn: readonly PrintableRow[]; input: PrintInput; request: RequestContext; at: Date },
) => {
  const caller = callerOf(actor, request);
  const ids = drawn.map((row) => row.id);
  return app.db.tx(caller, async (work) => {
    await sql`select e.id from expresses e where e.id = any(${ids}::bigint[])
      and ${scopeCondition(work, 'e.station_id', 'e.user_id')}
      order by e.id for no key update`.execute(work.tx);
    const { rows } = await select(work, ids, input, at);
    const counts = new Map(rows.map((row) => [row.id, row.print_count]));
    if (drawn.some((row) => counts.get(row.id) !== row.print_count)) return null;
    const records = await recordPrints(work, ids, input, at);
    for (const { id, station_id } of drawn)
      await recordAudit(work, {
        action: 'print',
        subject: 'expresses',
        subject_id: id,
        station_id,
        reason: input.reason ?? '',
      });
    if (actor.station_id !== null) await alarmIfElsewhere(work, ids);
    return records;
  });
};

/** Fails at the field `darkness` if the printer's language does not support the value. */
export const assertPrinter = ({
  driver,
  darkness = 0,
}: Pick<Input, 'driver' | 'darkness'>): void => {
  if (driver === 'tspl' && darkness > mostTsplDarkness)
    failFields({ darkness: { code: 'label_darkness', params: { max: mostTsplDarkness } } });
};

/**
 * The limit of times that labels are drawn in one request. They are drawn again if another user
 * printed one of them meanwhile.
 */
export const mostDrawings = 5;

/**
 * Fails if none of several parcels can be printed. The error has the first reason, and its body all
 * reasons.
 */
export const failWithAll = (failures: readonly LabelFailure[]): never =>
  fail((failures[0]?.reason.code ?? 'not_found') as 'not_found', failures[0]?.reason.params, {
    failures,
  });

/**
 * Prints labels in the requested order: as one PDF, as an archive with one PDF for each parcel, or
 * as ZPL or TSPL. Parcels that may not be printed are left out. Headers contain the numbers of
 * labels and of failures. The failures themselves are in the body of an answer with `result`, and
 * also in the headers if they are short. If no label can be printed, the error has the first reason
 * and all failures. Labels that another request prints meanwhile are read and drawn again. A double
 * click is therefore a reprint, and no waybill exceeds its limit.
 */
export const print = async (
  app: App,
  actor: Actor,
  input: Input,
  request: RequestContext,
): Promise<FileAnswer> => {
  const caller = callerOf(actor, request);
  const ids = [...new Set(input.ids)];
  const separate = input.separate === 1;
  assertPrinter(input);
  if (separate && ids.length > mostSeparateParcels)
    fail('labels_separate_too_many', { max: mostSeparateParcels, count: ids.length });
  for (let drawing = 1; drawing <= mostDrawings; drawing++) {
    const at = app.clock.now();
    const { rows, failures } = await app.db.tx(caller, (work) => select(work, ids, input, at));
    const sheet = await renderLabels(
      rows.map((row) => ({
        ...row,
        ...phonesFor(actor, row, input),
        print_count: row.print_count + 1,
        printed_at: at.toISOString(),
      })),
      input.format,
      { ...input, separate },
    );
    for (const { index, code, params } of sheet.failures)
      failures.push({ id: present(rows[index]).id, reason: { code, params } });
    const warnings = sheet.warnings.map(({ index, code, params }): LabelFailure => ({
      id: present(rows[index]).id,
      reason: { code, params },
    }));
    if (sheet.pages === 0) return failWithAll(failures);
    const drawn = rows.filter(
      (_, index) => !sheet.failures.some((failure) => failure.index === index),
    );
    const records =
      input.preview === 1 ? [] : await recordDrawn(app, actor, { drawn, input, request, at });
    if (records === null) continue;
    // Drivers other than PDF report a result for each label, so they need the ids of the print
    // records.
    const reports = input.driver !== undefined && input.driver !== 'pdf';
    const prints = reports
      ? records.map(({ id, express_id }): [number, number] => [express_id, id])
      : [];
    const file = {
      body: sheet.file ?? (await archiveOf(sheet.files, rows, ids, input.first_no ?? 1)),
      ...labelFile(`labels-${input.format}`, separate ? 'zip' : input.driver),
    };
    return answerOf(input, file, {
      count: drawn.length,
      pages: sheet.pages,
      failures,
      warnings,
      prints,
    });
  }
  return fail('printed_meanwhile');
};
