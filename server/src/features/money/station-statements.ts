import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { statementTypes } from '@waystation/contract/money/statement.ts';
import type { StatementSummary } from '@waystation/contract/money/station-statement.ts';
import type * as calls from '@waystation/contract/money/station-statement.ts';
import type { App } from '#app.ts';
import {
  blockedReason,
  confirmMonth,
  confirmationsOf,
  lastReminder,
  monthStatement,
  monthSummary,
} from '#domain/ledger/ledger.ts';
import type { MonthLine } from '#domain/ledger/ledger.ts';
import {
  descriptionOf,
  minuteText,
  statementPdf,
  statementWords,
  sumText,
} from '#domain/documents/documents.ts';
import { fileTypeOf, writeWorkbook } from '#domain/workbook/workbook.ts';
import type { CellValue, SheetColumn } from '#domain/workbook/workbook.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { FileAnswer, RequestContext } from '#platform/http/context.ts';

export const summary = (
  app: App,
  actor: Actor,
  { id, period }: ParsedOf<typeof calls.stationStatementSummary>,
): Promise<StatementSummary> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, (work) =>
    monthSummary(work, { station_id: id, period }, app.clock.now()),
  );
};

export interface Month {
  summary: StatementSummary;
  lines: MonthLine[];
}

/** A row of the sheet without a transaction: a title with an amount, a balance or a text. */
const titled = (
  title: string,
  cells: { amount?: number; freeze?: number; balance?: number; text?: string },
): CellValue[] => [
  null,
  null,
  null,
  title,
  cells.amount ?? null,
  cells.freeze ?? null,
  cells.balance ?? null,
  cells.text ?? null,
];

async function* rowsOf(
  { summary, lines }: Month,
  language: Language,
  made: string,
): AsyncGenerator<CellValue[]> {
  const words = statementWords(language);
  const { confirmation } = summary;
  yield titled(words.opening, { balance: summary.opening });
  for (const line of lines)
    yield [
      line.seq,
      line.posted_at,
      line.delivery_id,
      statementTypes[line.type][language],
      line.amount,
      line.freeze_amount,
      line.balance,
      descriptionOf(line, language),
    ];
  yield titled(words.in, { amount: summary.in });
  yield titled(words.out, { amount: -summary.out });
  yield titled(words.closing, { balance: summary.closing });
  yield titled(words.frozen, { freeze: summary.frozen });
  for (const { type, lines: count, amount, freeze_amount } of summary.by_type)
    yield titled(`${words.sum}: ${statementTypes[type][language]}`, {
      amount,
      freeze: freeze_amount,
      text: `${words.lines}: ${count}`,
    });
  yield titled(words.station, { text: summary.station_name });
  yield titled(words.period, { text: summary.period });
  yield titled('', { text: made });
  yield titled('', {
    text: confirmation
      ? words.confirmed(
          confirmation.confirmed_by_name,
          minuteText(confirmation.at),
          sumText(confirmation.closing),
        )
      : words.unconfirmed,
  });
}

/** Returns a workbook with the transactions, the opening balance above them and the sums below. */
export const workbookOf = async (
  month: Month,
  language: Language,
  made: string,
): Promise<Uint8Array> => {
  const words = statementWords(language);
  const columns: SheetColumn[] = [
    { title: words.seq, kind: 'number' },
    { title: words.time, kind: 'time' },
    { title: words.waybill, kind: 'text' },
    { title: words.type, kind: 'text' },
    { title: words.amount, kind: 'money' },
    { title: words.freeze_amount, kind: 'money' },
    { title: words.balance, kind: 'money' },
    { title: words.description, kind: 'text' },
  ];
  const pieces: Uint8Array[] = [];
  for await (const piece of writeWorkbook('xlsx', {
    name: month.summary.period,
    columns,
    rows: rowsOf(month, language, made),
  }))
    pieces.push(piece);
  return Buffer.concat(pieces);
};

/** A station's monthly statement as a file, read from one snapshot of the database. */
export const file = async (
  app: App,
  actor: Actor,
  { id, period, format, language = 'zh' }: ParsedOf<typeof calls.stationStatement>,
  request: RequestContext,
): Promise<FileAnswer> => {
  const caller = callerOf(actor, request);
  const now = app.clock.now();
  const month = await app.db.tx(caller, async (work) => {
    const found = await monthStatement(work, { station_id: id, period }, now);
    await recordAudit(work, {
      action: 'export',
      subject: 'statements',
      subject_id: null,
      station_id: id,
      changes: { rows: [null, found.lines.length], format: [null, format], period: [null, period] },
    });
    return found;
  });
  const made_by = actor.nickname || actor.username;
  const name = `statement-${id}-${period}.${format}`;
  if (format === 'xlsx')
    return {
      body: await workbookOf(
        month,
        language,
        statementWords(language).made(made_by, minuteText(now.toISOString())),
      ),
      type: fileTypeOf.xlsx,
      name,
    };
  const { summary: figures, lines, head } = month;
  const body = await statementPdf({
    ...figures,
    language,
    lines,
    head,
    made_by,
    made_at: now.toISOString(),
  });
  return { body, type: 'application/pdf', name };
};

/** Confirms a month of a station. Users can confirm only for their own station. */
export const confirm = (
  app: App,
  actor: Actor,
  { id, period, closing, note = '' }: ParsedOf<typeof calls.confirmStatement>,
  request: RequestContext,
): Promise<StatementSummary> => {
  const caller = callerOf(actor, request);
  if (id !== actor.station_id) fail('not_found');
  return app.db.tx(caller, async (work) => {
    const confirmation = {
      station_id: id,
      period,
      closing,
      note,
      by: actor.account_id,
      by_name: actor.nickname || actor.username,
      at: app.clock.now(),
    };
    const { first, summary: agreed } = await confirmMonth(work, confirmation);
    if (first)
      await recordAudit(work, {
        action: 'confirm_statement',
        subject: 'stations',
        subject_id: id,
        station_id: id,
        changes: { period: [null, period], closing: [null, closing] },
        reason: note,
      });
    return agreed;
  });
};

export const confirmations = (
  app: App,
  actor: Actor,
  { period }: ParsedOf<typeof calls.listConfirmations>,
): Promise<OutputOf<typeof calls.listConfirmations>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    const found = await confirmationsOf(work, period, app.clock.now());
    const last = await lastReminder(work, period);
    return { ...found, reminded: last && { ...last, at: last.at.toISOString() } };
  });
};

export const ledgerStatus = (
  app: App,
  actor: Actor,
): Promise<OutputOf<typeof calls.ledgerStanding>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const reason = await blockedReason(work, actor.station_id ?? 0);
    return {
      stopped: reason === 'ledger_stopped' ? 1 : 0,
      blocked: reason === 'station_blocked' ? 1 : 0,
    };
  });
