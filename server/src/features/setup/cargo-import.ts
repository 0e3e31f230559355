import type { CargoLine, CargoValues } from '@waystation/contract/parcels/cargo.ts';
import type { calls } from '@waystation/contract/parcels/cargo.schema.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { readGoodsSheet } from '#domain/goods-sheets/goods-sheets.ts';
import type { GoodsRow } from '#domain/goods-sheets/goods-sheets.ts';
import { recordAudit } from '#platform/audit.ts';
import { auditedChange, auditedInsert } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { RowOf, UserWork, Work } from '#platform/db/db.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { withIdempotencyKey } from '#platform/idempotency.ts';
import { auditedCargos } from './cargos.ts';

type Stored = RowOf<'cargos', 'id' | 'version' | keyof CargoValues>;
type Counts = OutputOf<typeof calls.importCargos>;

const fields = [
  'name',
  'type',
  'provider',
  'priority',
  'banned',
  'banned_reason',
  'status',
] as const;
const keyOf = ({ provider, name }: Pick<CargoValues, 'provider' | 'name'>): string =>
  `${provider} ${name.toLowerCase()}`;
const valuesOf = (row: CargoValues): CargoValues =>
  Object.fromEntries(fields.map((field) => [field, row[field]])) as unknown as CargoValues;
const isSame = (a: CargoValues, b: CargoValues): boolean =>
  fields.every((field) => a[field] === b[field]);
const isShippable = ({ status, banned }: Pick<CargoValues, 'status' | 'banned'>): boolean =>
  status === 1 && banned === 0;

/**
 * All goods by carrier and name, locked if they will be changed. A network has no more goods than a
 * person can sort by hand.
 */
const storedGoods = async (work: Work, lock: boolean): Promise<Map<string, Stored>> => {
  const rows = await work.tx
    .selectFrom('cargos')
    .select(['id', 'version', ...fields])
    .orderBy('id')
    .$if(lock, (query) => query.forUpdate())
    .execute();
  return new Map(rows.map((row) => [keyOf(row), row]));
};

/** Fails if a carrier would be left without goods, because it could then not be used for orders. */
const refuseLast = (stored: ReadonlyMap<string, Stored>, wanted: readonly CargoValues[]): void => {
  const after = new Map<string, CargoValues>(stored);
  for (const values of wanted) after.set(keyOf(values), values);
  const carriers = (goods: Iterable<CargoValues>) =>
    new Set([...goods].filter(isShippable).map(({ provider }) => provider));
  const left = carriers(after.values());
  if ([...carriers(stored.values())].some((provider) => !left.has(provider))) fail('last_cargo');
};

const first = { type: 1, priority: 0, banned: 0, banned_reason: '', status: 1 } as const;

const lineOf = ({ line, said }: GoodsRow, stored: Stored | undefined): CargoLine => {
  // Goods whose name differs only in letter case are the same goods, written differently.
  const before = stored ? valuesOf(stored) : null;
  const values = { ...first, ...before, ...said };
  const state = before === null ? 'new' : isSame(before, values) ? 'unchanged' : 'changed';
  return { line, state, version: stored?.version ?? null, values, before };
};

/**
 * Reads a sheet and compares it with the goods. Stores nothing, so that the user can check the
 * changes.
 */
export const readSheet = async (
  app: App,
  actor: Actor,
  { language = 'zh' }: ParsedOf<typeof calls.readCargoSheet>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.readCargoSheet>> => {
  const sent = request.file ?? failFields({ file: { code: 'file_required' } });
  const bytes = await sent.read();
  const { rows, ...problems } = await readGoodsSheet(
    { name: sent.name, bytes },
    { language, isBusy: () => app.listSlots.isBusy() },
  );
  if (problems.problems_total > 0) return { rows: [], ...problems };
  const stored = await app.db.tx(callerOf(actor, request), (work) => storedGoods(work, false));
  const lines = rows.map((row) => lineOf(row, stored.get(keyOf(row.said))));
  const reasonless = lines.filter(
    ({ values }) => values.banned === 1 && values.banned_reason === '',
  );
  if (reasonless.length > 0) {
    const reason = { code: 'cargo_sheet_reason', params: {} };
    return {
      rows: [],
      problems: reasonless
        .slice(0, 200)
        .map(({ line, values }) => ({ line, column: 'A', title: values.name, value: '', reason })),
      problems_total: reasonless.length,
    };
  }
  refuseLast(
    stored,
    lines.map(({ values }) => values),
  );
  return { rows: lines, ...problems };
};

const importRow = async (
  work: UserWork,
  { version, ...values }: CargoValues & { version: number | null },
  stored: Stored | undefined,
): Promise<keyof Counts> => {
  if ((stored?.version ?? null) !== version) fail('cargos_changed', { name: values.name });
  if (values.banned === 1 && values.banned_reason === '')
    failFields({ rows: { code: 'banned_reason_required' } });
  if (!stored) {
    await auditedInsert(work, auditedCargos, { values });
    return 'created';
  }
  if (isSame(valuesOf(stored), values)) return 'unchanged';
  await auditedChange(work, auditedCargos, {
    id: stored.id,
    action: 'edit',
    columns: () => values,
  });
  return 'changed';
};

const importAll = async (
  work: UserWork,
  rows: ParsedOf<typeof calls.importCargos>['rows'],
): Promise<Counts> => {
  // New names have no rows to lock, so this lock lets only one import run at a time.
  await sql`select pg_advisory_xact_lock(hashtextextended('import cargos', 0))`.execute(work.tx);
  const stored = await storedGoods(work, true);
  if (new Set(rows.map(keyOf)).size < rows.length) failFields({ rows: { code: 'taken' } });
  refuseLast(stored, rows);
  const counts: Counts = { created: 0, changed: 0, unchanged: 0 };
  for (const row of rows) counts[await importRow(work, row, stored.get(keyOf(row)))]++;
  return counts;
};

/**
 * Imports all rows or none, each by the rules of an ordinary edit and with its audit entry. A
 * repeated idempotency key returns the first counts.
 */
export const importRows = (
  app: App,
  actor: Actor,
  { rows }: ParsedOf<typeof calls.importCargos>,
  request: RequestContext,
): Promise<Counts> => {
  const caller = callerOf(actor, request);
  return withIdempotencyKey({
    db: app.db,
    caller,
    endpoint: 'POST /api/arco/cargos/import',
    request,
    effect: async (work) => {
      const { created, changed, unchanged } = await importAll(work, rows);
      const changes = {
        rows: [null, created + changed + unchanged] as const,
        created_count: [null, created] as const,
        changed_count: [null, changed] as const,
      };
      await recordAudit(work, {
        action: 'import',
        subject: 'cargos',
        subject_id: null,
        changes,
      });
      const { rows: entries } = await sql<{ id: number }>`select max(id) as id from audit_log
        where request_id = ${request.request_id} and subject = 'cargos'
          and action = 'import'`.execute(work.tx);
      return firstOf(entries).id;
    },
    answer: (id) =>
      app.db.tx(caller, async (work) => {
        const { rows: entries } = await sql<
          Pick<Counts, 'created' | 'changed'> & { total: number }
        >`select (changes -> 'rows' ->> 1)::integer as total,
          (changes -> 'created_count' ->> 1)::integer as created,
            (changes -> 'changed_count' ->> 1)::integer as changed from audit_log
            where id = ${id}`.execute(work.tx);
        const { total, created, changed } = firstOf(entries);
        return { created, changed, unchanged: total - created - changed };
      }),
  });
};
