import type { Cargo } from '@waystation/contract/cargo.ts';
import type * as calls from '@waystation/contract/cargo.ts';
import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type { App } from '#app.ts';
import { changesBetween, recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { taken } from '#platform/db/taken.ts';
import { getRow, insertRow, listRows, lockRow, setStatus, updateRow } from '#platform/db/rows.ts';
import type { Listed } from '#platform/db/rows.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

const audited = ['name', 'type', 'provider', 'priority', 'status'] as const;
const unique = { cargos_name: 'name' };

export const list = (app: App, actor: Actor, filters: ParsedOf<typeof calls.listCargos>): Promise<Listed<Cargo>> =>
  app.db.tx(scopeOf(actor), (tx) =>
    listRows(
      tx,
      sql`cargos`,
      [
        ...(filters.q ? [sql<boolean>`strpos(lower(r.name), lower(${filters.q})) > 0`] : []),
        ...(filters.type !== undefined ? [sql<boolean>`r.type = ${filters.type}`] : []),
        ...(filters.provider !== undefined ? [sql<boolean>`r.provider = ${filters.provider}`] : []),
        ...(filters.status !== undefined ? [sql<boolean>`r.status = ${filters.status}`] : []),
      ],
      filters,
      ['-priority', 'name', 'type', 'created_at', 'updated_at'],
    ),
  );

export const get = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.getCargo>): Promise<Cargo> =>
  app.db.tx(scopeOf(actor), (tx) => getRow(tx, sql`cargos`, id));

export const create = (app: App, actor: Actor, input: ParsedOf<typeof calls.createCargo>, request: RequestContext): Promise<Cargo> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const cargo = await taken(unique, insertRow<Cargo>(tx, 'cargos', input));
    await recordAudit(tx, actor, request, { action: 'create', subject: 'cargos', subject_id: cargo.id, changes: changesBetween({} as Cargo, cargo, audited) });
    return cargo;
  });

export const edit = (app: App, actor: Actor, { id, version, ...values }: ParsedOf<typeof calls.editCargo>, request: RequestContext): Promise<Cargo> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const before = await lockRow<Cargo>(tx, 'cargos', id);
    const after = await taken(unique, updateRow<Cargo>(tx, 'cargos', before, version, values));
    await recordAudit(tx, actor, request, { action: 'edit', subject: 'cargos', subject_id: id, changes: changesBetween(before, after, audited) });
    return after;
  });

/** A carrier without goods could not be ordered with. */
const refuseLast = async (tx: Tx, { id, provider }: Cargo): Promise<void> => {
  const { rows } = await sql`select id from cargos where provider = ${provider} and status = 1 order by id for update`.execute(tx);
  if (rows.every((row) => (row as Cargo).id === id)) fail('last_cargo');
};

export const switchStatus = (app: App, actor: Actor, { id, status }: ParsedOf<typeof calls.setCargoStatus>, request: RequestContext): Promise<Cargo> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const before = await lockRow<Cargo>(tx, 'cargos', id);
    if (status === 0 && before.status === 1) await refuseLast(tx, before);
    const after = await setStatus(tx, 'cargos', before, status);
    await recordAudit(tx, actor, request, {
      action: status === 1 ? 'enable' : 'disable',
      subject: 'cargos',
      subject_id: id,
      changes: changesBetween(before, after, audited),
    });
    return after;
  });
