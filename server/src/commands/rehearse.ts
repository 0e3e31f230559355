import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fill } from '@waystation/contract/base/fill.ts';
import { roles } from '@waystation/contract/base/roles.ts';
import { createApp } from '#app.ts';
import type { App } from '#app.ts';
import type { Config } from '#config.ts';
import type { Connections } from '#connections.ts';
import { makeBackup } from './backup.ts';
import type { CommandResult } from './command-result.ts';
import { blockedNow, proveBooks } from './prove.ts';
import { copyBytes, openCopy, RehearsalError, requireRoom } from './rehearsal-copy.ts';
import type { Copy } from './rehearsal-copy.ts';
import { readDay } from './rehearsal-lists.ts';
import type { ListRead } from './rehearsal-lists.ts';
import { recordUpgrade } from './rehearsal-locks.ts';
import type { Step } from './rehearsal-locks.ts';
import { readShape, shapeChanges } from './rehearsal-shape.ts';
import { asOwner, loadRows } from './restore.ts';
import type { Manifest } from '#platform/db/backup/archive.ts';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import { schemaOfBackup } from '#platform/db/backup/read-backup.ts';
import { migrate, readSchema } from '#platform/db/migrate.ts';
import type { Schema } from '#platform/db/migrate.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log.ts';

export interface RehearsalContext {
  config: Config;
  /** The connections of the database to copy; null if a backup file is copied. */
  connections: Connections | null;
  log: Log;
  /** Registers a function that runs when the process gets a signal to end. */
  onEnd(run: () => Promise<void>): void;
  print(line: string): void;
}

const openSource = (
  { config, connections }: RehearsalContext,
  file: string | null,
): AsyncIterable<Buffer> => {
  if (file !== null) return createReadStream(file, { highWaterMark: 1 << 18 });
  const through = new PassThrough();
  makeBackup(connections!.owner!, config, (source) => pipeline(source, through)).catch(
    (error: Error) => through.destroy(error),
  );
  return through;
};

const milliseconds = (ms: number): string =>
  ms < 10_000 ? `${Math.ceil(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

const stepLines = (steps: readonly Step[]): string[] =>
  steps.flatMap(({ name, ms, locks }) => {
    if (name === 'server/sql')
      return [`${name}: ${milliseconds(ms)}, in which every new transaction waits`];
    const text = locks.map(
      (lock) => `  ${lock.table}: ${lock.blocks} wait for at most ${milliseconds(lock.ms)}`,
    );
    return [`${name}: ${milliseconds(ms)}${locks.length === 0 ? ', locks no table' : ''}`, ...text];
  });

/** The codes of PostgreSQL for a missing column, table, function, parameter or conflict target. */
const missing = new Set(['42703', '42P01', '42883', '42P02', '42P10']);

interface Proof {
  ok: boolean;
  lines: string[];
}

const proveCopy = async (app: App, when: string): Promise<Proof> => {
  const blocked = JSON.stringify(await blockedNow(app));
  const { ok, text } = await proveBooks(app, true);
  const isAsBefore = JSON.stringify(await blockedNow(app)) === blocked;
  return {
    ok: ok && isAsBefore,
    lines: [`Ledger check ${when} the upgrade:`, ...text.split('\n').map((line) => `  ${line}`)],
  };
};

interface Upgraded {
  lines: string[];
  failures: string[];
}

/**
 * Makes the ledger check before the upgrade: functions of this version read the tables of the
 * previous version. If the functions do not fit these tables, returns a note instead.
 */
const proveBefore = async (app: App, isApplied: boolean): Promise<Proof> => {
  const unfit = {
    ok: true,
    lines: [
      'Ledger check before the upgrade: not possible, since this version does not read the tables of the version before.',
    ],
  };
  if (!isApplied) return unfit;
  return proveCopy(app, 'before').catch((error: unknown) => {
    if (missing.has((error as { code?: string }).code ?? '')) return unfit;
    throw error;
  });
};

/**
 * Applies the missing upgrade steps to the copy. Returns each step with its time and locks, and the
 * changes of the database.
 */
const upgrade = async (
  { config, connections: { owner, app: appConnection, role } }: Copy,
  schema: Schema,
  manifest: Manifest,
  log: Log,
): Promise<Upgraded> => {
  const to = (target: Schema): Promise<void> =>
    migrate(owner!, target, {
      appRole: role,
      log,
      after: (client) => migrateJobs(client, owner!, role.name),
    });
  const had = schemaOfBackup(manifest, schema).migrations;
  const pending = schema.migrations.filter((one) => !had.includes(one));
  // In a real upgrade, functions and triggers exist while a migration runs. The copy therefore gets
  // the functions and triggers of this version, if its tables allow it.
  let isApplied = true;
  const first = await recordUpgrade(owner!, async () => {
    await to({ migrations: had, sql: schema.sql }).catch((error: Error) => {
      if (pending.length === 0) throw error;
      isApplied = false;
    });
  });
  const lines: string[] = [];
  const failures: string[] = [];
  if (pending.length > 0) {
    const app = createApp(config, appConnection, log);
    const before = await proveBefore(app, isApplied).finally(() => app.close());
    lines.push(...before.lines);
    if (!before.ok) failures.push('The ledger check fails before the upgrade.');
  }
  const was = await asOwner(owner!, readShape);
  const second = await recordUpgrade(owner!, () => to(schema));
  const changes = shapeChanges(was, await asOwner(owner!, readShape));
  await asOwner(owner!, (client) => client.query('analyze'));
  lines.push(
    `${fill('{n|migration is|migrations are}', { n: pending.length })} pending. Functions of edition ${manifest.edition} become those of edition ${schema.sql.edition}.`,
    ...stepLines([...second, ...first]),
    changes.length === 0 ? 'No table changes.' : 'Tables change:',
    ...changes.map((line) => `  ${line}`),
  );
  return { lines, failures };
};

/** The number of slowest lists in the report. */
const slowest = 10;
const statementLength = 160;

const listLines = (reads: readonly ListRead[]): Upgraded => {
  const failed = reads.filter(({ status }) => status !== 200 && status !== 422);
  const unnamed = reads.filter(({ status }) => status === 422).length;
  const absent = roles.filter((role) => !reads.some((read) => read.role === role));
  const top = reads.toSorted((a, b) => b.ms - a.ms).slice(0, slowest);
  return {
    lines: [
      `A day's lists: ${fill('{n|read|reads}', { n: reads.length })}, ${failed.length} not answered, ${unnamed} in need of more input. The slowest:`,
      ...top.flatMap(({ path, role, ms, worst }) => [
        `  ${milliseconds(ms)} ${path} as ${role}`,
        ...(worst
          ? [
              `    ${milliseconds(worst.ms)}, ${fill('{n|page|pages}', { n: worst.pages })} of 8 kB: ${worst.text.replaceAll(/\s+/g, ' ').trim().slice(0, statementLength)}`,
            ]
          : []),
      ]),
      ...(absent.length > 0
        ? [
            `No account to read as: ${absent.join(', ')}; none is enabled with a password of its own.`,
          ]
        : []),
    ],
    failures: failed.map(({ path, role, status }) => `${path} as ${role} answers ${status}.`),
  };
};

const rehearse = async (
  context: RehearsalContext,
  copy: Copy,
  file: string | null,
  schema: Schema,
): Promise<CommandResult> => {
  const { print } = context;
  // Single requests are not logged.
  const log = context.log.isLevelEnabled('info')
    ? context.log.child({}, { level: 'warn' })
    : context.log;
  const owner = copy.connections.owner!;
  print('Copying the database …');
  const { manifest, summary } = await loadRows(
    { config: copy.config, connections: copy.connections, log },
    openSource(context, file),
    schema,
  );
  await asOwner(owner, (client) => client.query('analyze'));
  const rows = summary.parts.reduce((sum, part) => sum + part.rows, 0);
  print(`Copied ${fill('{n|row|rows}', { n: rows })} of ${manifest.at}. Upgrading the copy …`);
  const upgraded = await upgrade(copy, schema, manifest, log);
  print('Checking the ledger and reading the lists …');
  const app = createApp(copy.config, copy.connections.app, log);
  try {
    const proof = await proveCopy(app, 'after');
    const lists = listLines(await asOwner(owner, (client) => readDay(app, client)));
    const failures = [
      ...upgraded.failures,
      ...(proof.ok ? [] : ['The ledger check fails after the upgrade.']),
      ...lists.failures,
    ];
    return {
      text: [
        ...upgraded.lines,
        ...proof.lines,
        ...lists.lines,
        ...failures,
        failures.length === 0 ? 'The upgrade is rehearsed.' : 'The rehearsal failed.',
      ].join('\n'),
      code: failures.length === 0 ? 0 : 1,
    };
  } finally {
    await app.close();
  }
};

/**
 * `rehearse [FILE]` upgrades a copy of the database, or of a backup, in a separate PostgreSQL. It
 * reports the time and locks of each step, the changes, the ledger check and how fast lists are
 * read. The exit code is 1 if anything fails. The database itself is only read, and the copy is
 * removed.
 */
export const rehearseCommand = async (
  context: RehearsalContext,
  file: string | null,
  schema: Schema = readSchema(join(import.meta.dirname, '..', '..')),
): Promise<CommandResult> => {
  const { config, connections, log, onEnd } = context;
  try {
    if (file === null && !connections?.owner)
      throw new RehearsalError(
        'The database is copied as its owner: set DATABASE_URL, or name a backup file.',
      );
    await requireRoom(await copyBytes(file === null ? { owner: connections!.owner! } : { file }));
    const copy = await openCopy(config, log, onEnd);
    try {
      return await Promise.race([rehearse(context, copy, file, schema), copy.ended]);
    } finally {
      await copy.remove();
    }
  } catch (error) {
    const { message } = error as Error;
    const isKnown = error instanceof RehearsalError || error instanceof BackupError;
    return {
      text: isKnown ? message : `${message}\nThe rehearsal failed.`,
      code: 1,
    };
  }
};
