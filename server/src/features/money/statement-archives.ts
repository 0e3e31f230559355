import { isDeepStrictEqual } from 'node:util';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import {
  mostArchiveLines,
  mostStatementLines,
  mostStatements,
} from '@waystation/contract/money/station-statement.ts';
import type { archiveStatements } from '@waystation/contract/money/station-statement.ts';
import type { App } from '#app.ts';
import { minuteText, statementPdf, statementWords } from '#domain/documents/documents.ts';
import { monthStatement, stationsOfMonth } from '#domain/ledger/ledger.ts';
import type { StationLines } from '#domain/ledger/ledger.ts';
import {
  countedJob,
  openJobs,
  queueJob,
  storeFile,
  storedFile,
} from '#domain/user-jobs/user-jobs.ts';
import type { JobRow } from '#domain/user-jobs/user-jobs.ts';
import { zipStream } from '#domain/workbook/workbook.ts';
import type { ZipEntry } from '#domain/workbook/workbook.ts';
import { recordAudit } from '#platform/audit.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { periodOf } from '#platform/clock.ts';
import { callerOf } from '#platform/db/db.ts';
import type { UserWork, Work } from '#platform/db/db.ts';
import { Failure, fail } from '#platform/fail.ts';
import type { Origin, RequestContext } from '#platform/http/context.ts';
import { workbookOf } from './station-statements.ts';

/** The name of the list in the job, and in texts about the job. */
export const archiveName = 'month_statements';

type Input = Omit<ParsedOf<typeof archiveStatements>, 'language'> & { language: Language };

/**
 * The stations of an archive. Fails if there are none, above the limits, and for a month that has
 * not ended: a transaction posted meanwhile would be in one statement and not in another.
 */
const stationsWithin = async (
  work: Work,
  { period, station_id }: Pick<Input, 'period' | 'station_id'>,
  now: Date,
): Promise<StationLines[]> => {
  if (period >= periodOf(now)) fail('statements_not_ended', { period });
  const stations = await stationsOfMonth(work, period, station_id);
  const lines = stations.reduce((sum, station) => sum + station.lines, 0);
  if (stations.length === 0) fail('statements_none', { period });
  if (stations.length > mostStatements || lines > mostArchiveLines)
    fail('statements_too_many', {
      stations: stations.length,
      lines,
      limit: mostStatements,
      most: mostArchiveLines,
    });
  const long = stations.find((station) => station.lines > mostStatementLines);
  if (long)
    fail('statements_one_too_long', {
      name: long.name,
      period,
      count: long.lines,
      limit: mostStatementLines,
    });
  return stations;
};

/**
 * A file name that is valid in every file system. The id distinguishes stations with equal names.
 */
const fileName = ({ id, name }: StationLines, period: string): string =>
  `${period}-${name.replaceAll(/[^\p{L}\p{N} _()（）·-]/gu, '_').slice(0, 60)}-${id}`;

const audit = (
  work: UserWork,
  action: 'export' | 'export_file',
  { period, station_id }: Input,
  changes: Record<string, [null, unknown]>,
): Promise<void> =>
  recordAudit(work, {
    action,
    subject: 'statements',
    subject_id: null,
    station_id: station_id ?? work.actor.station_id,
    changes: { format: [null, 'zip'], period: [null, period], ...changes },
  });

/**
 * Starts the archive, or returns the unfinished job of an equal request. The job makes the archive
 * with the rights that the reader has at that time.
 */
export const start = (
  app: App,
  actor: Actor,
  { language = 'zh', ...input }: ParsedOf<typeof archiveStatements>,
  request: RequestContext,
): Promise<OutputOf<typeof archiveStatements>> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    if (actor.may_export === 0) fail('export_not_allowed');
    const { length: stations } = await stationsWithin(work, input, app.clock.now());
    const params = { ...input, language, role: actor.role };
    const same = (await openJobs(work, 'export')).find(
      (job) =>
        job.list === archiveName &&
        job.station_id === actor.station_id &&
        isDeepStrictEqual(
          { ...job.params, stations: undefined },
          { ...params, stations: undefined },
        ),
    );
    if (same) return { job_id: same.id, stations };
    const job_id = await queueJob(work, {
      list: archiveName,
      action: 'export',
      params,
      total: 0,
      queue: 'archives',
    });
    await audit(work, 'export', params, { job_id: [null, job_id] });
    return { job_id, stations };
  });

/**
 * Yields the files of the archive station by station. Each station is read only when its files are
 * needed.
 */
async function* entriesOf(
  app: App,
  reader: () => Promise<Actor>,
  origin: Origin,
  { stations, period, language }: Input & { stations: readonly StationLines[] },
): AsyncGenerator<ZipEntry> {
  for (const station of stations) {
    const actor = await reader();
    const now = app.clock.now();
    const month = await app.db.tx(callerOf(actor, origin), (work) =>
      monthStatement(work, { station_id: station.id, period }, now),
    );
    const made_by = actor.nickname || actor.username;
    const made_at = now.toISOString();
    const name = fileName(station, period);
    const { summary, lines, head } = month;
    const pdf = await statementPdf({ ...summary, language, lines, head, made_by, made_at });
    yield { name: `${name}.pdf`, content: [Buffer.from(pdf)] };
    const made = statementWords(language).made(made_by, minuteText(made_at));
    yield {
      name: `${name}.xlsx`,
      content: [Buffer.from(await workbookOf(month, language, made))],
    };
  }
}

/**
 * Makes the archive of a job; returns the reason if that is not possible. A second attempt writes
 * the archive again.
 */
export const make = async (app: App, job: JobRow): Promise<Reason | null> => {
  const input = job.params as unknown as Input & { role: string };
  try {
    // The account is checked before every station, because a user who loses the right to export
    // must get no more data.
    const reader = async (): Promise<Actor> => {
      const actor = (await actorOfAccount(app.db, job.account_id)) ?? fail('account_disabled');
      if (actor.may_export === 0) fail('export_not_allowed');
      return actor.role === input.role && actor.station_id === job.station_id
        ? actor
        : fail('forbidden');
    };
    const stations = await app.db.tx(callerOf(await reader(), job), (work) =>
      stationsWithin(work, input, app.clock.now()),
    );
    await countedJob(app.db, job.id, stations.length);
    const file = zipStream(entriesOf(app, reader, job, { ...input, stations }));
    const bytes = await storeFile(app.db, job.id, file);
    const tree = input.station_id === undefined ? '' : `-${input.station_id}`;
    await storedFile(app.db, job.id, {
      name: `statements-${input.period}${tree}.zip`,
      type: 'application/zip',
      bytes,
      rows: stations.length,
      stations: stations.map(({ id }) => id),
    });
    await app.db.tx(callerOf(await reader(), job), (work) =>
      audit(work, 'export_file', input, { rows: [null, stations.length] }),
    );
    return null;
  } catch (error) {
    // After an interruption, the job is retried by its next attempt.
    if (!(error instanceof Failure) || error.code === 'statement_interrupted') throw error;
    return { code: error.code, params: error.params };
  }
};
