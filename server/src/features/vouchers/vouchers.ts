import { changedCells } from '@waystation/contract/money/voucher-diff.ts';
import type { TemplateState } from '@waystation/contract/money/voucher-diff.ts';
import type { TemplateContent } from '@waystation/contract/money/voucher-content.ts';
import type { Voucher, VoucherRow } from '@waystation/contract/money/voucher.ts';
import type * as calls from '@waystation/contract/money/voucher.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { settings } from '@waystation/contract/shell/settings.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import type { Usage } from '@waystation/contract/base/usage.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { usesLately } from '#domain/express/express-reads.ts';
import type { Changes } from '#platform/audit.ts';
import { auditedChange, auditedInsert, auditedStatus } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { inOwnTx } from '#platform/auth/own-tx.ts';
import { daysBefore } from '#platform/clock.ts';
import { equal, filterConditions, named } from '#platform/db/conditions.ts';
import type { Listed } from '#platform/db/paging.ts';
import { callerOf, jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, UserWork, Work } from '#platform/db/db.ts';
import { getRow, listRows, lockRow, namedRows } from '#platform/db/rows.ts';
import type { Stored } from '#platform/db/rows.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

const audited: AuditedTable<'vouchers'> = {
  table: 'vouchers',
  audited: ['name', 'provider', 'promise_id', 'discount', 'northeast_discount', 'status'],
  unique: { vouchers_name: 'name' },
};

const emptyContent: TemplateContent = { divisor: null, origins: [] };

/** A row of `vouchers` as it is stored. */
export type StoredVoucher = Stored<'vouchers'>;

/**
 * The draft's prices. An empty draft is stored as `{}`, and is returned as a template without
 * prices.
 */
const weight = sql`case when v.weight ? 'origins' then v.weight
  else '{"divisor":null,"origins":[]}'::jsonb end`;

/** The north-eastern provinces, with the same default as in `readSetting`. */
const northeast = sql`coalesce((select s.value from settings s
  where s.name = 'northeast_provinces'),
  ${JSON.stringify(settings.northeast_provinces.default)}::jsonb)`;

/**
 * The columns of a template, with its versions at the time `at` and the number of its uses.
 * `content` adds the draft's prices, which lists omit.
 */
const shown = (at: Date, content: boolean) =>
  namedRows(
    [
      'id name provider promise_id promise_name discount northeast_discount status no valid_from next_no next_from latest_no changed zones projects stations parcels_30d',
      `${content ? 'weight northeast ' : ''}version created_at updated_at`,
    ].join(' '),
    sql`(select v.id, v.name, v.pinyin, v.provider, v.promise_id, p.promise_name, v.discount,
      v.northeast_discount, v.status,
    n.no, n.valid_from, x.no as next_no, x.valid_from as next_from, l.no as latest_no,
      ${
        content
          ? sql`${weight} as weight,
      ${northeast} as northeast,`
          : sql``
      }
    ((v.discount, v.northeast_discount, v.weight) is distinct
      from (l.discount, l.northeast_discount, l.weight))::int as changed,
    (select coalesce(sum(jsonb_array_length(o -> 'zones')), 0)::int
      from jsonb_array_elements(v.weight -> 'origins') o) as zones,
    (select count(*) from project_vouchers b where b.voucher_id = v.id) as projects,
    (select count(*) from stations s where s.status = 1
      and s.project_id in (select b.project_id from project_vouchers b
      where b.voucher_id = v.id)) as stations,
    ${usesLately('voucher', 'v.id', sql`${at}::timestamptz`)} as parcels_30d,
    v.version, v.created_at, v.updated_at
  from vouchers v join promises p on (p.provider, p.promise_id) = (v.provider, v.promise_id)
    left join lateral (select n.no, n.valid_from from voucher_versions n
      where n.voucher_id = v.id and n.valid_from <= ${at}
      order by n.valid_from desc, n.no desc limit 1) n on true
    left join lateral (select n.no, n.valid_from from voucher_versions n
      where n.voucher_id = v.id and n.valid_from > ${at} order by n.valid_from, n.no desc
      limit 1) x on true
    left join lateral (select n.no, n.discount, n.northeast_discount, n.weight
      from voucher_versions n where n.voucher_id = v.id order by n.no desc
      limit 1) l on true)`,
  );

export const readVoucher = (app: App, work: Work, id: number): Promise<Voucher> =>
  getRow<Voucher>(work, shown(app.clock.now(), true), id);

/** The draft's prices, also for an empty draft. */
const contentOf = ({ weight: content }: StoredVoucher): Pick<StoredVoucher, 'weight'> => ({
  weight: 'origins' in content ? content : emptyContent,
});

/**
 * Locks the row for a change and returns it. Fails with 409 and the current row if another user was
 * faster.
 */
export const lockVoucher = async (
  app: App,
  work: Work,
  id: number,
  version?: number,
): Promise<StoredVoucher> => {
  const locked = await lockRow(work, 'vouchers', id);
  if (version !== undefined && locked.version !== version)
    fail('version_conflict', {}, { current: await readVoucher(app, work, id) });
  return { ...locked, ...contentOf(locked) };
};

export const list = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listVouchers>,
): Promise<Listed<VoucherRow>> =>
  app.db.tx(callerOf(actor), (work) =>
    listRows(work, shown(app.clock.now(), false), {
      conditions: filterConditions(filters, {
        q: named('r.name', 'r.pinyin'),
        provider: equal,
        promise_id: equal,
        published: (is) => sql<boolean>`(r.latest_no is not null) = ${is === 1}`,
        changed: equal,
        status: equal,
      }),
      paging: filters,
      sortable: [
        '-created_at',
        'name',
        'provider',
        'promise_id',
        'zones',
        'projects',
        'stations',
        'parcels_30d',
        'status',
        'updated_at',
      ],
    }),
  );

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getVoucher>,
): Promise<Voucher> => app.db.tx(callerOf(actor), (work) => readVoucher(app, work, id));

const checkPromise = async (work: Work, provider: Provider, promise_id: string): Promise<void> => {
  const { rows } = await sql`select 1 from promises where provider = ${provider}
    and promise_id = ${promise_id}`.execute(work.tx);
  if (rows.length === 0)
    failFields({ promise_id: { code: 'promise_unknown', params: { promise_id } } });
};

const stored = <Given extends { weight?: object | undefined }>({
  weight: content,
  ...values
}: Given) => ({
  ...values,
  ...(content !== undefined && { weight: jsonText(content) }),
});

/**
 * The limit of changed cells that one audit row lists; of more cells it contains only the number.
 */
const mostCells = 40;

/** The changed price cells by region and field, for example `440000 first.price`. */
export const cellChanges = (before: TemplateState, after: TemplateState): Changes => {
  const cells = changedCells(before, after).filter(({ area }) => area !== '');
  const named = cells
    .slice(0, mostCells)
    .map(
      ({ senders, area, field, before: was, after: is }) =>
        [
          `${senders.length > 0 ? `${senders.join('+')} → ` : ''}${area} ${field}`,
          [was, is] as const,
        ] as const,
    );
  return {
    ...Object.fromEntries(named),
    ...(cells.length > mostCells && { cells: [null, cells.length] as const }),
  };
};

const contentChanges = (before: TemplateState, after: TemplateState): Changes => ({
  ...(before.weight.divisor !== after.weight.divisor && {
    divisor: [before.weight.divisor, after.weight.divisor] as const,
  }),
  ...cellChanges(before, after),
});

const nothing: TemplateState = { discount: null, northeast_discount: null, weight: emptyContent };

export const create = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.createVoucher>,
  request: RequestContext,
): Promise<Voucher> => {
  app.carrierOf(input.provider);
  return app.db.tx(callerOf(actor, request), async (work) => {
    await checkPromise(work, input.provider, input.promise_id);
    const { id } = await auditedInsert(work, audited, {
      values: stored({ weight: emptyContent, ...input }),
      also: (row) => cellChanges(nothing, { ...row, ...contentOf(row) }),
    });
    return readVoucher(app, work, id);
  });
};

/** Refuses another delivery time for a template that was published or belongs to a scheme. */
const checkPromiseChange = async (
  work: Work,
  { id, provider }: StoredVoucher,
  promise_id: string,
): Promise<void> => {
  const { rows } = await sql`select 1 from voucher_versions where voucher_id = ${id} union all
    select 1 from project_vouchers where voucher_id = ${id}`.execute(work.tx);
  if (rows.length > 0) failFields({ promise_id: { code: 'voucher_promise_fixed' } });
  await checkPromise(work, provider, promise_id);
};

export const edit = (
  app: App,
  actor: Actor,
  { id, version, ...values }: ParsedOf<typeof calls.editVoucher>,
  request: RequestContext,
): Promise<Voucher> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    await auditedChange(work, audited, {
      id,
      version,
      action: 'edit',
      current: () => readVoucher(app, work, id),
      columns: async (before) => {
        if (values.promise_id !== undefined && values.promise_id !== before.promise_id)
          await checkPromiseChange(work, before, values.promise_id);
        return stored(values);
      },
      also: (after, before) =>
        contentChanges({ ...before, ...contentOf(before) }, { ...after, ...contentOf(after) }),
    });
    return readVoucher(app, work, id);
  });

/**
 * Fails while an enabled scheme offers the template to an enabled station, which would lose a
 * price.
 */
const checkUnused = async (work: Work, id: number): Promise<void> => {
  const { n: count } = await oneRow(
    work,
    sql<{ n: number }>`select count(distinct p.id) as n from project_vouchers b
      join projects p on p.id = b.project_id
      where b.voucher_id = ${id} and p.status = 1
        and exists (select 1 from stations s where s.project_id = p.id and s.status = 1)`,
  );
  if (count > 0) fail('voucher_in_use', { count });
};

/** Enables or disables one row in the caller's transaction; a bulk action calls it for each row. */
export const setStatusInTx = async (
  app: App,
  work: UserWork,
  { id, status }: ParsedOf<typeof calls.setVoucherStatus>,
): Promise<Voucher> => {
  await auditedStatus(work, audited, {
    id,
    status,
    check: async (before) => {
      if (status === 0 && before.status === 1) await checkUnused(work, id);
    },
  });
  return readVoucher(app, work, id);
};

export const switchStatus = inOwnTx(setStatusInTx);

export const copy = (
  app: App,
  actor: Actor,
  { id, name, promise_id }: ParsedOf<typeof calls.copyVoucher>,
  request: RequestContext,
): Promise<Voucher> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const from = await readVoucher(app, work, id);
    const { provider, discount, northeast_discount, weight: content } = from;
    if (promise_id !== undefined) await checkPromise(work, provider, promise_id);
    const values = stored({
      name,
      provider,
      promise_id: promise_id ?? from.promise_id,
      discount,
      northeast_discount,
      weight: content,
    });
    const row = await auditedInsert(work, audited, {
      values,
      also: () => ({ copied_from: [null, id] }),
    });
    return readVoucher(app, work, row.id);
  });

export const usage = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.voucherUsage>,
): Promise<Usage> =>
  app.db.tx(callerOf(actor), async (work) => {
    const { stations, parcels_30d } = await readVoucher(app, work, id);
    const { rows } = await sql<
      RowOf<'projects', 'name'> & { n: number }
    >`select distinct p.name, (select count(distinct project_id) from project_vouchers
      where voucher_id = ${id}) as n
      from project_vouchers b join projects p on p.id = b.project_id
        where b.voucher_id = ${id} order by 1 limit 5`.execute(work.tx);
    return {
      items: [
        ...(rows.length > 0
          ? [
              {
                what: 'projects' as const,
                count: firstOf(rows).n,
                names: rows.map((row) => row.name),
              },
            ]
          : []),
        ...(stations > 0 ? [{ what: 'stations' as const, count: stations }] : []),
        ...(parcels_30d > 0 ? [{ what: 'parcels' as const, count: parcels_30d }] : []),
      ],
    };
  });

const days = 30;

/**
 * The number of parcels per region of the draft, from daily sums. It reads thirty rows per region,
 * however many parcels there are.
 */
export const uses = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.voucherUses>,
): Promise<OutputOf<typeof calls.voucherUses>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const at = app.clock.now();
    const { weight: content } = await readVoucher(app, work, id);
    const areas = [
      ...new Set(content.origins.flatMap(({ zones }) => zones.flatMap((zone) => zone.areas))),
    ];
    const { rows } = await sql<{ area: string; parcels: number }>`select a.area,
      ${usesLately('area', 'a.key', sql`${at}::timestamptz`)} as parcels
      from (select area, area_use_key(${id}::bigint, area::bigint) as key
        from unnest(${areas}::text[]) area) a order by 1`.execute(work.tx);
    return { since: daysBefore(at, days - 1).toISOString(), until: at.toISOString(), areas: rows };
  });
