import { changedCells } from '@waystation/contract/voucher-diff.ts';
import type { TemplateState } from '@waystation/contract/voucher-diff.ts';
import type { TemplateContent } from '@waystation/contract/voucher-content.ts';
import type { Voucher, VoucherRow } from '@waystation/contract/voucher.ts';
import type * as calls from '@waystation/contract/voucher.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import { settings } from '@waystation/contract/settings.ts';
import type { Provider } from '@waystation/contract/provider.ts';
import type { Usage } from '@waystation/contract/usage.ts';
import type { App } from '#app.ts';
import { usesLately } from '#domain/express/express-reads.ts';
import type { Changes } from '#platform/audit.ts';
import { auditedChange, auditedInsert, auditedStatus } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { inOwnTx } from '#platform/auth/own-tx.ts';
import { daysBefore } from '#platform/clock.ts';
import { contains, equal, filterConditions } from '#platform/db/conditions.ts';
import type { Listed } from '#platform/db/paging.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { getRow, listRows, lockRow, namedRows } from '#platform/db/rows.ts';
import type { Stored } from '#platform/db/rows.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { Origin, RequestContext } from '#platform/http/context.ts';

const audited: AuditedTable<'vouchers'> = {
  table: 'vouchers',
  audited: ['name', 'provider', 'promise_id', 'discount', 'northeast_discount', 'status'],
  unique: { vouchers_name: 'name' },
};

const emptyContent: TemplateContent = { divisor: null, origins: [] };

/** A row as it is stored. */
export type StoredVoucher = Stored<'vouchers'>;

/** A draft nothing was written into yet is stored as an empty object. */
const weight = sql`case when v.weight ? 'origins' then v.weight else '{"divisor":null,"origins":[]}'::jsonb end`;

/** Which provinces the north-east is, as `readSetting` reads it. */
const northeast = sql`coalesce((select s.value from settings s where s.name = 'northeast_provinces'), ${JSON.stringify(settings.northeast_provinces.default)}::jsonb)`;

/** With the versions as of a moment, and who uses it. `content` adds the draft's prices, which lists leave out. */
const shown = (at: Date, content: boolean) =>
  namedRows(
    [
      'id name provider promise_id promise_name discount northeast_discount status no valid_from next_no next_from latest_no changed zones projects stations parcels_30d',
      `${content ? 'weight northeast ' : ''}version created_at updated_at`,
    ].join(' '),
    sql`(select v.id, v.name, v.provider, v.promise_id, p.promise_name, v.discount, v.northeast_discount, v.status,
    n.no, n.valid_from, x.no as next_no, x.valid_from as next_from, l.no as latest_no, ${content ? sql`${weight} as weight, ${northeast} as northeast,` : sql``}
    ((v.discount, v.northeast_discount, v.weight) is distinct from (l.discount, l.northeast_discount, l.weight))::int as changed,
    (select coalesce(sum(jsonb_array_length(o -> 'zones')), 0)::int from jsonb_array_elements(v.weight -> 'origins') o) as zones,
    (select count(*) from project_vouchers b where b.voucher_id = v.id) as projects,
    (select count(*) from stations s where s.status = 1 and s.project_id in (select b.project_id from project_vouchers b where b.voucher_id = v.id)) as stations,
    ${usesLately('voucher', 'v.id', sql`${at}::timestamptz`)} as parcels_30d,
    v.version, v.created_at, v.updated_at
  from vouchers v join promises p on (p.provider, p.promise_id) = (v.provider, v.promise_id)
    left join lateral (select n.no, n.valid_from from voucher_versions n where n.voucher_id = v.id and n.valid_from <= ${at} order by n.valid_from desc, n.no desc limit 1) n on true
    left join lateral (select n.no, n.valid_from from voucher_versions n where n.voucher_id = v.id and n.valid_from > ${at} order by n.valid_from, n.no desc limit 1) x on true
    left join lateral (select n.no, n.discount, n.northeast_discount, n.weight from voucher_versions n where n.voucher_id = v.id order by n.no desc limit 1) l on true)`,
  );

export const readVoucher = (app: App, tx: Tx, id: number): Promise<Voucher> => getRow<Voucher>(tx, shown(app.clock.now(), true), id);

/** The draft's prices, also of one that nothing was written into yet. */
const contentOf = ({ weight: content }: StoredVoucher): Pick<StoredVoucher, 'weight'> => ({ weight: 'origins' in content ? content : emptyContent });

/** The row, locked for a change; 409 with the current row where somebody was faster. */
export const lockVoucher = async (app: App, tx: Tx, id: number, version?: number): Promise<StoredVoucher> => {
  const locked = await lockRow(tx, 'vouchers', id);
  if (version !== undefined && locked.version !== version) fail('version_conflict', {}, { current: await readVoucher(app, tx, id) });
  return { ...locked, ...contentOf(locked) };
};

export const list = (app: App, actor: Actor, filters: ParsedOf<typeof calls.listVouchers>): Promise<Listed<VoucherRow>> =>
  app.db.tx(scopeOf(actor), (tx) =>
    listRows(
      tx,
      shown(app.clock.now(), false),
      filterConditions(filters, {
        q: contains('r.name'),
        provider: equal,
        promise_id: equal,
        published: (is) => sql<boolean>`(r.latest_no is not null) = ${is === 1}`,
        changed: equal,
        status: equal,
      }),
      filters,
      ['-created_at', 'name', 'provider', 'promise_id', 'zones', 'projects', 'stations', 'parcels_30d', 'status', 'updated_at'],
    ),
  );

export const get = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.getVoucher>): Promise<Voucher> =>
  app.db.tx(scopeOf(actor), (tx) => readVoucher(app, tx, id));

const checkPromise = async (tx: Tx, provider: Provider, promise_id: string): Promise<void> => {
  const { rows } = await sql`select 1 from promises where provider = ${provider} and promise_id = ${promise_id}`.execute(tx);
  if (rows.length === 0) failFields({ promise_id: { code: 'promise_unknown', params: { promise_id } } });
};

const stored = <Given extends { weight?: object | undefined }>({ weight: content, ...values }: Given) => ({
  ...values,
  ...(content !== undefined && { weight: jsonText(content) }),
});

/** Cells of a price list that one audit row names; of more, it says how many there were. */
const mostCells = 40;

/** The changed cells by region and field, as `440000 first.price`. */
export const cellChanges = (before: TemplateState, after: TemplateState): Changes => {
  const cells = changedCells(before, after).filter(({ area }) => area !== '');
  const named = cells
    .slice(0, mostCells)
    .map(
      ({ senders, area, field, before: was, after: is }) =>
        [`${senders.length > 0 ? `${senders.join('+')} → ` : ''}${area} ${field}`, [was, is] as const] as const,
    );
  return { ...Object.fromEntries(named), ...(cells.length > mostCells && { cells: [null, cells.length] as const }) };
};

const contentChanges = (before: TemplateState, after: TemplateState): Changes => ({
  ...(before.weight.divisor !== after.weight.divisor && { divisor: [before.weight.divisor, after.weight.divisor] as const }),
  ...cellChanges(before, after),
});

const nothing: TemplateState = { discount: null, northeast_discount: null, weight: emptyContent };

export const create = (app: App, actor: Actor, input: ParsedOf<typeof calls.createVoucher>, request: RequestContext): Promise<Voucher> => {
  app.carrierOf(input.provider);
  return app.db.tx(scopeOf(actor), async (tx) => {
    await checkPromise(tx, input.provider, input.promise_id);
    const { id } = await auditedInsert({ tx, actor, request }, audited, {
      values: stored({ weight: emptyContent, ...input }),
      also: (row) => cellChanges(nothing, { ...row, ...contentOf(row) }),
    });
    return readVoucher(app, tx, id);
  });
};

/** The delivery time of a template that was ordered with, or that a scheme offers, is what they know it by. */
const checkPromiseChange = async (tx: Tx, { id, provider }: StoredVoucher, promise_id: string): Promise<void> => {
  const { rows } = await sql`select 1 from voucher_versions where voucher_id = ${id} union all select 1 from project_vouchers where voucher_id = ${id}`.execute(
    tx,
  );
  if (rows.length > 0) failFields({ promise_id: { code: 'voucher_promise_fixed' } });
  await checkPromise(tx, provider, promise_id);
};

export const edit = (app: App, actor: Actor, { id, version, ...values }: ParsedOf<typeof calls.editVoucher>, request: RequestContext): Promise<Voucher> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    await auditedChange({ tx, actor, request }, audited, {
      id,
      version,
      action: 'edit',
      current: () => readVoucher(app, tx, id),
      columns: async (before) => {
        if (values.promise_id !== undefined && values.promise_id !== before.promise_id) await checkPromiseChange(tx, before, values.promise_id);
        return stored(values);
      },
      also: (after, before) => contentChanges({ ...before, ...contentOf(before) }, { ...after, ...contentOf(after) }),
    });
    return readVoucher(app, tx, id);
  });

/** Enabled schemes that offer the template to an enabled station would lose a price. */
const checkUnused = async (tx: Tx, id: number): Promise<void> => {
  const { n: count } = await oneRow(
    tx,
    sql<{ n: number }>`select count(distinct p.id) as n from project_vouchers b join projects p on p.id = b.project_id
      where b.voucher_id = ${id} and p.status = 1 and exists (select 1 from stations s where s.project_id = p.id and s.status = 1)`,
  );
  if (count > 0) fail('voucher_in_use', { count });
};

/** In the caller's transaction: the switch of one row, and of each row of many. */
export const setStatusInTx = async (
  app: App,
  tx: Tx,
  actor: Actor,
  { id, status }: ParsedOf<typeof calls.setVoucherStatus>,
  request: Origin,
): Promise<Voucher> => {
  await auditedStatus({ tx, actor, request }, audited, {
    id,
    status,
    check: async (before) => {
      if (status === 0 && before.status === 1) await checkUnused(tx, id);
    },
  });
  return readVoucher(app, tx, id);
};

export const switchStatus = inOwnTx(setStatusInTx);

export const copy = (app: App, actor: Actor, { id, name, promise_id }: ParsedOf<typeof calls.copyVoucher>, request: RequestContext): Promise<Voucher> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const from = await readVoucher(app, tx, id);
    const { provider, discount, northeast_discount, weight: content } = from;
    if (promise_id !== undefined) await checkPromise(tx, provider, promise_id);
    const values = stored({ name, provider, promise_id: promise_id ?? from.promise_id, discount, northeast_discount, weight: content });
    const row = await auditedInsert({ tx, actor, request }, audited, { values, also: () => ({ copied_from: [null, id] }) });
    return readVoucher(app, tx, row.id);
  });

export const usage = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.voucherUsage>): Promise<Usage> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const { stations, parcels_30d } = await readVoucher(app, tx, id);
    const { rows } = await sql<
      RowOf<'projects', 'name'> & { n: number }
    >`select distinct p.name, (select count(distinct project_id) from project_vouchers where voucher_id = ${id}) as n
      from project_vouchers b join projects p on p.id = b.project_id where b.voucher_id = ${id} order by 1 limit 5`.execute(tx);
    return {
      items: [
        ...(rows.length > 0 ? [{ what: 'projects' as const, count: rows[0]!.n, names: rows.map((row) => row.name) }] : []),
        ...(stations > 0 ? [{ what: 'stations' as const, count: stations }] : []),
        ...(parcels_30d > 0 ? [{ what: 'parcels' as const, count: parcels_30d }] : []),
      ],
    };
  });

const days = 30;

/** By region of the draft, from sums by day: it reads thirty rows a region, however many parcels there are. */
export const uses = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.voucherUses>): Promise<OutputOf<typeof calls.voucherUses>> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const at = app.clock.now();
    const { weight: content } = await readVoucher(app, tx, id);
    const areas = [...new Set(content.origins.flatMap(({ zones }) => zones.flatMap((zone) => zone.areas)))];
    const { rows } = await sql<{ area: string; parcels: number }>`select a.area, ${usesLately('area', 'a.key', sql`${at}::timestamptz`)} as parcels
      from (select area, ${id}::bigint * 1000000 + area::bigint as key from unnest(${areas}::text[]) area) a order by 1`.execute(tx);
    return { since: daysBefore(at, days - 1).toISOString(), until: at.toISOString(), areas: rows };
  });
