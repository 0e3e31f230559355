import { mostPreviewed } from '@waystation/contract/shell/bulk.ts';
import type { previewRows } from '@waystation/contract/shell/bulk.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { firstOf, present } from '@waystation/contract/base/present.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { Failure, fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { ListContext } from '#platform/http/list-limits.ts';
import { checkValues, chosenIds, refusalOf } from './bulk.ts';
import type { BulkList, ShownValues } from './bulk.ts';

type Input = ParsedOf<typeof previewRows>;
type Skipped = OutputOf<typeof previewRows>['skipped'];

type Changes = OutputOf<typeof previewRows>['changes'];

const mostNames = 5;
/** The largest number of rows whose changes are shown. */
const mostShown = 50;

/** Finds the list and its action, and checks the input as the action itself does. */
const actionFor = <App>(
  lists: Readonly<Record<string, BulkList<App>>>,
  actor: Actor,
  { list, ...input }: Input,
) => {
  const found = Object.hasOwn(lists, list)
    ? present(lists[list])
    : failFields({ list: { code: 'invalid' } });
  const { roles } = found.endpoint;
  if (roles !== 'public' && !roles.includes(actor.role)) fail('forbidden');
  const action = Object.hasOwn(found.actions, input.action)
    ? present(found.actions[input.action])
    : failFields({ action: { code: 'invalid' } });
  // The preview rolls the action back. An action with `outcomes` sends requests to carriers, which
  // cannot be rolled back.
  if (action.outcomes) failFields({ list: { code: 'invalid' } });
  const parsed = found.endpoint.input.safeParse(input);
  if (!parsed.success)
    return failFields({
      [String(firstOf(parsed.error.issues).path[0] ?? 'filter')]: { code: 'invalid' },
    });
  return { found, action, input: parsed.data as Omit<Input, 'list'> };
};

/**
 * Runs `work` for one row after another. The changes of a refused row are rolled back immediately.
 * Returns the refused rows with their reasons.
 */
const tryEach = async (
  work: Work,
  ids: readonly number[],
  run: (id: number) => Promise<unknown>,
): Promise<Map<number, Reason>> => {
  const refused = new Map<number, Reason>();
  for (const id of ids) {
    await sql`savepoint preview_row`.execute(work.tx);
    try {
      await run(id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await sql`rollback to savepoint preview_row`.execute(work.tx);
      refused.set(id, refusalOf(error));
    }
    await sql`release savepoint preview_row`.execute(work.tx);
  }
  return refused;
};

const grouped = (
  refused: ReadonlyMap<number, Reason>,
  names: ReadonlyMap<number, string>,
): Skipped => {
  const groups = new Map<string, Skipped[number]>();
  for (const [id, reason] of refused) {
    const key = JSON.stringify(reason);
    const group = groups.get(key) ?? {
      reason: { code: reason.code, params: reason.params ?? {} },
      count: 0,
      names: [],
    };
    groups.set(key, group);
    group.count++;
    const name = names.get(id);
    if (name !== undefined && group.names.length < mostNames) group.names.push(name);
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count);
};

/** The fields that the action would change in each row, with their earlier and later values. */
const changesOf = (
  { before, after }: { before: ReadonlyMap<number, ShownValues>; after: ShownValues },
  names: ReadonlyMap<number, string>,
): Changes =>
  [...before].map(([id, was]) => ({
    name: names.get(id) ?? '',
    fields: Object.entries(after)
      .filter(([field, value]) => (was[field] ?? null) !== value)
      .map(([field, value]) => ({ field, before: was[field] ?? null, after: value })),
  }));

/**
 * Previews a bulk action. It changes one row after another with the action's own function, as the
 * job would, and then rolls everything back. A row sees the changes of earlier rows. The preview
 * therefore also refuses what the job would refuse only after those changes, such as disabling the
 * last enabled row.
 */
export const previewBulk =
  <App extends ListContext>(lists: Readonly<Record<string, BulkList<App>>>) =>
  async (
    app: App,
    actor: Actor,
    wanted: Input,
    request: RequestContext,
  ): Promise<OutputOf<typeof previewRows>> => {
    const { found, action, input } = actionFor(lists, actor, wanted);
    const ids = await chosenIds(app, { actor, request }, found.source, input);
    const values = checkValues(action, input.values);
    const tried = ids.slice(0, mostPreviewed);
    const caller = callerOf(actor, request);
    return app.db.tx(caller, async (work) => {
      await sql`savepoint preview`.execute(work.tx);
      const refused = await tryEach(work, tried, (id) =>
        action.run(app, work, id, { reason: '', values }),
      );
      await sql`rollback to savepoint preview`.execute(work.tx);
      const ready = action.showValues
        ? tried.filter((id) => !refused.has(id)).slice(0, mostShown)
        : [];
      const { rows } = await sql<{ id: number; name: string | null }>`select x.id,
        ${found.nameOf(caller.scope, sql<number>`x.id`)} as name
        from unnest(${[...refused.keys(), ...ready]}::bigint[]) x (id)`.execute(work.tx);
      const names = new Map(
        rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])),
      );
      const changes = action.showValues
        ? changesOf(await action.showValues(work, ready, values), names)
        : [];
      return {
        total: ids.length,
        tried: tried.length,
        ready: tried.length - refused.size,
        changes,
        skipped: grouped(refused, names),
      };
    });
  };
