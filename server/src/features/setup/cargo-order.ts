import type { orderCargos } from '@waystation/contract/parcels/cargo.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { mostPriority } from '@waystation/contract/base/limits.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import { updateRow } from '#platform/db/rows.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

/**
 * The priorities by position, highest first. The present priorities are kept unless two are equal;
 * then evenly spaced ones are returned.
 */
export const evenPriorities = (priorities: readonly number[]): number[] => {
  const falling = priorities.every((priority, at) => at === 0 || priority < priorities[at - 1]!);
  const step = Math.max(1, Math.min(10, Math.floor(mostPriority / Math.max(1, priorities.length))));
  return falling
    ? [...priorities]
    : priorities.map((_, at) => Math.max(0, (priorities.length - at) * step));
};

/**
 * Returns `all` with the elements of `wanted` in the order of `wanted`, at the positions that these
 * elements had together.
 */
export const reordered = (all: readonly number[], wanted: readonly number[]): number[] => {
  const moved = new Set(wanted);
  const next = wanted.values();
  return all.map((id) => (moved.has(id) ? next.next().value! : id));
};

export const putInOrder = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof orderCargos>,
  request: RequestContext,
): Promise<{ changed: number }> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const wanted = [...new Set(input.ids)];
    const rows = await work.tx
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
      const row = present(known.get(id));
      const priority = present(places[at]);
      if (row.priority === priority) continue;
      changed += 1;
      await updateRow(work, 'cargos', row, { version: row.version, values: { priority } });
      await recordAudit(work, {
        action: 'order',
        subject: 'cargos',
        subject_id: id,
        changes: { priority: [row.priority, priority] },
      });
    }
    return { changed };
  });
