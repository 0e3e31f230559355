import type { orderCargos } from '@waystation/contract/cargo.ts';
import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import { mostPriority } from '@waystation/contract/limits.ts';
import type { App } from '#app.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { updateRow } from '#platform/db/rows.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

/** The priorities by place, from the highest down: the present ones, or evenly spaced ones where two are equal and give no order. */
export const evenPriorities = (priorities: readonly number[]): number[] => {
  const falling = priorities.every((priority, at) => at === 0 || priority < priorities[at - 1]!);
  const step = Math.max(1, Math.min(10, Math.floor(mostPriority / Math.max(1, priorities.length))));
  return falling ? [...priorities] : priorities.map((_, at) => Math.max(0, (priorities.length - at) * step));
};

/** `all` with the ones named in `wanted` in that order, at the places they hold together. */
export const reordered = (all: readonly number[], wanted: readonly number[]): number[] => {
  const moved = new Set(wanted);
  const next = wanted.values();
  return all.map((id) => (moved.has(id) ? next.next().value! : id));
};

export const putInOrder = (app: App, actor: Actor, input: ParsedOf<typeof orderCargos>, request: RequestContext): Promise<{ changed: number }> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const wanted = [...new Set(input.ids)];
    const rows = await tx
      .selectFrom('cargos')
      .select(['id', 'priority', 'version'])
      .orderBy('priority', 'desc')
      .orderBy('id', 'desc')
      .forNoKeyUpdate()
      .execute();
    const known = new Map(rows.map((row) => [row.id, row]));
    if (wanted.some((id) => !known.has(id))) fail('not_found');
    const places = evenPriorities(rows.map(({ priority }) => priority));
    const order = reordered(
      rows.map(({ id }) => id),
      wanted,
    );
    let changed = 0;
    for (const [at, id] of order.entries()) {
      const row = known.get(id)!;
      const priority = places[at]!;
      if (row.priority === priority) continue;
      changed += 1;
      await updateRow(tx, 'cargos', row, row.version, { priority });
      await recordAudit(tx, actor, request, { action: 'order', subject: 'cargos', subject_id: id, changes: { priority: [row.priority, priority] } });
    }
    return { changed };
  });
