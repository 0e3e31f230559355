import type { CargoLine, CargoValues } from '@waystation/contract/cargo.ts';
import type { calls } from '@waystation/contract/cargo.schema.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { App } from '#app.ts';
import { readGoodsSheet } from '#domain/goods-sheets/goods-sheets.ts';
import type { GoodsRow } from '#domain/goods-sheets/goods-sheets.ts';
import { recordAudit } from '#platform/audit.ts';
import { auditedChange, auditedInsert } from '#platform/audited-change.ts';
import type { ChangeContext } from '#platform/audited-change.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { withIdempotencyKey } from '#platform/idempotency.ts';
import { auditedCargos } from './cargos.ts';

type Stored = RowOf<'cargos', 'id' | 'version' | keyof CargoValues>;
type Counts = OutputOf<typeof calls.importCargos>;

const fields = ['name', 'type', 'provider', 'priority', 'banned', 'banned_reason', 'status'] as const;
const keyOf = ({ provider, name }: Pick<CargoValues, 'provider' | 'name'>): string => `${provider} ${name.toLowerCase()}`;
const valuesOf = (row: CargoValues): CargoValues => Object.fromEntries(fields.map((field) => [field, row[field]])) as unknown as CargoValues;
const isSame = (a: CargoValues, b: CargoValues): boolean => fields.every((field) => a[field] === b[field]);
const isShippable = ({ status, banned }: Pick<CargoValues, 'status' | 'banned'>): boolean => status === 1 && banned === 0;

/** All goods by carrier and name; locked where they are changed. There are as many as an office arranges by hand. */
const storedGoods = async (tx: Tx, lock: boolean): Promise<Map<string, Stored>> => {
  const rows = await tx
    .selectFrom('cargos')
    .select(['id', 'version', ...fields])
    .orderBy('id')
    .$if(lock, (query) => query.forUpdate())
    .execute();
  return new Map(rows.map((row) => [keyOf(row), row]));
};

/** A carrier without goods could not be ordered with: one that had some keeps some. */
const refuseLast = (stored: ReadonlyMap<string, Stored>, wanted: readonly CargoValues[]): void => {
  const after = new Map<string, CargoValues>(stored);
  for (const values of wanted) after.set(keyOf(values), values);
  const carriers = (goods: Iterable<CargoValues>) => new Set([...goods].filter(isShippable).map(({ provider }) => provider));
  const left = carriers(after.values());
  if ([...carriers(stored.values())].some((provider) => !left.has(provider))) fail('last_cargo');
};

const first = { type: 1, priority: 0, banned: 0, banned_reason: '', status: 1 } as const;

const lineOf = ({ line, said }: GoodsRow, stored: Stored | undefined): CargoLine => {
  // A name in other letters' case is the same goods under another spelling.
  const before = stored ? valuesOf(stored) : null;
  const values = { ...first, ...before, ...said };
  const state = before === null ? 'new' : isSame(before, values) ? 'unchanged' : 'changed';
  return { line, state, version: stored?.version ?? null, values, before };
};

/** Reads a sheet and compares it with the goods. Stores nothing, so that a person sees what would change. */
export const readSheet = async (
  app: App,
  actor: Actor,
  { language = 'zh' }: ParsedOf<typeof calls.readCargoSheet>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.readCargoSheet>> => {
  const sent = request.file ?? failFields({ file: { code: 'file_required' } });
  const bytes = await sent.read();
  const { rows, ...problems } = await readGoodsSheet({ name: sent.name, bytes }, { language, isBusy: () => app.listSlots.isBusy() });
  if (problems.problems_total > 0) return { rows: [], ...problems };
  const stored = await app.db.tx(scopeOf(actor), (tx) => storedGoods(tx, false));
  const lines = rows.map((row) => lineOf(row, stored.get(keyOf(row.said))));
  const reasonless = lines.filter(({ values }) => values.banned === 1 && values.banned_reason === '');
  if (reasonless.length > 0) {
    const reason = { code: 'cargo_sheet_reason', params: {} };
    return {
      rows: [],
      problems: reasonless.slice(0, 200).map(({ line, values }) => ({ line, column: 'A', title: values.name, value: '', reason })),
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
  context: ChangeContext,
  { version, ...values }: CargoValues & { version: number | null },
  stored: Stored | undefined,
): Promise<keyof Counts> => {
  if ((stored?.version ?? null) !== version) fail('cargos_changed', { name: values.name });
  if (values.banned === 1 && values.banned_reason === '') failFields({ rows: { code: 'banned_reason_required' } });
  if (!stored) {
    await auditedInsert(context, auditedCargos, { values });
    return 'created';
  }
  if (isSame(valuesOf(stored), values)) return 'unchanged';
  await auditedChange(context, auditedCargos, { id: stored.id, action: 'edit', columns: () => values });
  return 'changed';
};

const importAll = async (context: ChangeContext, rows: ParsedOf<typeof calls.importCargos>['rows']): Promise<Counts> => {
  const { tx } = context;
  // New names cannot be locked as rows: one import at a time.
  await sql`select pg_advisory_xact_lock(hashtextextended('import cargos', 0))`.execute(tx);
  const stored = await storedGoods(tx, true);
  if (new Set(rows.map(keyOf)).size < rows.length) failFields({ rows: { code: 'taken' } });
  refuseLast(stored, rows);
  const counts: Counts = { created: 0, changed: 0, unchanged: 0 };
  for (const row of rows) counts[await importRow(context, row, stored.get(keyOf(row)))]++;
  return counts;
};

/** Each row by the rules and with the audit entry of its own form; all of it or nothing. A repeat of the key answers the first counts. */
export const importRows = (app: App, actor: Actor, { rows }: ParsedOf<typeof calls.importCargos>, request: RequestContext): Promise<Counts> => {
  const scope = scopeOf(actor);
  return withIdempotencyKey({
    db: app.db,
    scope,
    actor,
    endpoint: 'POST /api/arco/cargos/import',
    request,
    effect: async (tx) => {
      const { created, changed, unchanged } = await importAll({ tx, actor, request }, rows);
      const changes = {
        rows: [null, created + changed + unchanged] as const,
        created_count: [null, created] as const,
        changed_count: [null, changed] as const,
      };
      await recordAudit(tx, actor, request, { action: 'import', subject: 'cargos', subject_id: null, changes });
      const { rows: entries } = await sql<{ id: number }>`select max(id) as id from audit_log
        where request_id = ${request.request_id} and subject = 'cargos' and action = 'import'`.execute(tx);
      return entries[0]!.id;
    },
    answer: (id) =>
      app.db.tx(scope, async (tx) => {
        const { rows: entries } = await sql<Pick<Counts, 'created' | 'changed'> & { total: number }>`select (changes -> 'rows' ->> 1)::integer as total,
          (changes -> 'created_count' ->> 1)::integer as created, (changes -> 'changed_count' ->> 1)::integer as changed from audit_log where id = ${id}`.execute(
          tx,
        );
        const { total, created, changed } = entries[0]!;
        return { created, changed, unchanged: total - created - changed };
      }),
  });
};
