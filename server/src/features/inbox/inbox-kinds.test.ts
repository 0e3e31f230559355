import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { inboxKinds } from '@waystation/contract/shell/inbox.ts';
import type { Inbox, InboxKind } from '@waystation/contract/shell/inbox.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { sql } from '#platform/db/db.ts';
import { askedParcels } from '#testing/asked-parcels.ts';
import { failingChannel, failingWebhook } from '#testing/failing-endpoints.ts';
import { openImports } from '#testing/import-sheets.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { inTurn } from '#testing/slices.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { monthOutcomes } from '#testing/closed-months.ts';
import { runTask } from '#testing/run-task.ts';

// Every kind of entry is tested with every outcome of its subject. An entry that is written before
// the outcome is known would report a wrong one. The kinds are read from the contract, so that a
// new kind without outcomes fails here.

type Who = 'super' | 'partner' | 'station' | 'clerk';

/** The subject of an entry and its content. The content is null if there is no notification. */
interface Happened {
  subject_id: number | null;
  entry: object | null;
}
type Outcome = readonly [what: string, reader: Who, happens: () => Promise<Happened>];

let system: TestSystem;
let clerk: ParcelClient;
let partner: ParcelClient;
let asked: ReturnType<typeof askedParcels>;
const tokens = {} as Record<Who, string>;

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
  partner = await parcelClient(system, 'partner');
  asked = askedParcels(system, clerk);
  for (const who of ['super', 'station'] as const) tokens[who] = await system.login(who);
  Object.assign(tokens, { clerk: clerk.token, partner: partner.token });
});
beforeEach(async () => {
  await rowsOf(system, sql`delete from inbox_notices`);
  await rowsOf(system, sql`delete from inbox_entries`);
});
afterAll(() => system.close());

const run = (task: 'deliver_inbox' | 'note_low_balances') => runTask(system.app, task);
const post = async <T>(who: Who, path: string, body: object): Promise<T> => {
  const { status, data } = await system.call<T>(
    { token: tokens[who], headers: { 'idempotency-key': crypto.randomUUID() } },
    'POST',
    `/api/arco/${path}`,
    body,
  );
  expect(status, `${path}: ${JSON.stringify(data)}`).toBe(200);
  return data;
};
const notified = ({ id, order_id, delivery_id }: Express): Happened => ({
  subject_id: id,
  entry: { count: 1, parcel: { number: delivery_id ?? order_id } },
});
const silent = ({ id }: { id: number }): Happened => ({ subject_id: id, entry: null });

const jump = (parcel: Express, to: string) =>
  system.carrier.control('POST', `orders/${parcel.delivery_id}/jump`, { to });
/** Orders a parcel, lets the carrier move it to `to`, and waits for the state `state`. */
const at = async (
  to: string,
  state: number,
  changes: Record<string, unknown> = {},
): Promise<Express> => {
  const { data } = await clerk.order(changes);
  await jump(data, to);
  return clerk.until(data.id, state);
};
const delivered = async (): Promise<Happened> => silent(await at('delivered', 300));
const accepted = async (): Promise<Happened> => {
  const { data } = await clerk.order();
  expect(data.state_code).toBe(100);
  return silent(data);
};
/**
 * A parcel in transit whose interception the carrier refuses if `refused` is true, and else grants.
 */
const intercepted = async (refused: boolean): Promise<Express> => {
  const parcel = await at('sorted', 210, { remark: '退回' });
  if (refused)
    await system.carrier.control('POST', 'faults', {
      kind: 'refuse',
      path: '/ecap/v1/orders/cancel',
      message: '该运单不支持拦截',
    });
  const { data } = await clerk.act(parcel.id, 'cancel', { reason: '客户取消' });
  expect(data.intercepting).toBe(refused ? 0 : 1);
  if (refused) return data;
  await system.carrier.advance(12 * 86_400_000);
  return clerk.until(parcel.id, 420);
};
const cancelled = async (): Promise<Happened> => {
  const { data } = await clerk.order();
  await clerk.act(data.id, 'cancel', { reason: '客户取消' });
  return silent(await clerk.until(data.id, 500));
};

/** Sets the warning limit of the station to its available balance plus `beyond`. */
const limited = async (beyond: number): Promise<void> => {
  await rowsOf(
    system,
    sql`update stations set low_balance = available + ${beyond}
    where id = ${system.station('nanshan').id}`,
  );
  await run('note_low_balances');
};
const topUpBy = (who: 'station' | 'super') =>
  post<{ id: number }>(who, `stations/${system.station('nanshan').id}/top-ups`, {
    amount: 100,
    description: '充值',
  });
const decided = async (
  who: 'station' | 'super',
  decision: string,
  body: object,
): Promise<number> => {
  const { id } = await topUpBy('station');
  await post(who, `statements/${id}/${decision}`, body);
  return id;
};

const cancelJob = async (parcel: { id: number }, result: object): Promise<Happened> => {
  const { job_id } = await post<{ job_id: number }>('clerk', 'expresses/bulk', {
    action: 'cancel',
    ids: [parcel.id],
    reason: '测试',
  });
  return { subject_id: job_id, entry: { job: { action: 'cancel', status: 'done', ...result } } };
};
let stations = 0;
const newStation = (guided: 0 | 1) =>
  post<Station>('super', 'stations', { name: `新网点 ${++stations}`, guided });
const imported = async (changes: object, becomes: 'ordered' | 'checked'): Promise<number> => {
  const sheets = await openImports(system);
  const found = await sheets.checked(sheets.sheet(sheets.line(), sheets.line(changes)));
  return becomes === 'ordered' ? (await sheets.ordered(found)).id : found.id;
};
const unreadable = async (): Promise<number> => {
  const sheets = await openImports(system);
  const { id } = await sheets.upload(new File(['PK\u0003\u0004 not a workbook'], '坏表.xlsx'));
  return (await sheets.settled(id)).id;
};
const stationPosts = <T>(path: string, body: object): Promise<T> => post<T>('station', path, body);
const endedImport = (subject_id: number, entry: object): Happened => ({
  subject_id,
  entry: { import: entry },
});

const outcomes: Record<InboxKind, readonly Outcome[]> = {
  on_hold: [
    [
      'the balance does not cover it',
      'partner',
      async () => notified((await partner.order({ station_id: system.station('tianhe').id })).data),
    ],
    ['the balance covers it', 'clerk', accepted],
  ],
  refused: [
    [
      'the carrier refuses it',
      'clerk',
      async () => notified((await clerk.order({ remark: '拒单' })).data),
    ],
    ['the carrier accepts it', 'clerk', accepted],
  ],
  exception: [
    [
      'the recipient refuses it',
      'clerk',
      async () => notified(await at('refused', 400, { remark: '拒收' })),
    ],
    ['the recipient signs for it', 'clerk', delivered],
  ],
  returning: [
    [
      'it comes back',
      'clerk',
      async () => notified(await at('returning', 410, { remark: '拒收' })),
    ],
    ['it is signed for', 'clerk', delivered],
  ],
  unreachable: [
    [
      'nobody is there',
      'clerk',
      async () => notified(await at('attempted', 220, { remark: '再投' })),
    ],
    ['somebody is there', 'clerk', delivered],
  ],
  unmoved: [
    [
      'it stands longer than the setting says',
      'clerk',
      async () => notified(await asked.quietFor(49)),
    ],
    ['it stands less long', 'clerk', async () => silent(await asked.quietFor(47))],
  ],
  missed: [
    ['its window has ended', 'clerk', async () => notified(await asked.endedFor(2))],
    ['its window is open', 'clerk', async () => silent(await asked.endedFor(-2))],
  ],
  left_behind: [
    [
      'a hand-over gave one of its packages',
      'clerk',
      async () => notified(await asked.givenOfTwo(1)),
    ],
    [
      'a hand-over gave all of its packages',
      'clerk',
      async () => silent(await asked.givenOfTwo(1, 2)),
    ],
  ],
  cancel_failed: [
    ['the carrier refuses to intercept', 'clerk', async () => notified(await intercepted(true))],
    ['the carrier cancels before pickup', 'clerk', cancelled],
    [
      'the carrier intercepts, and the parcel comes back',
      'clerk',
      async () => silent(await intercepted(false)),
    ],
  ],
  low_balance: [
    [
      'the balance is below its limit',
      'station',
      async () => (
        await limited(1),
        { subject_id: null, entry: { station_id: system.station('nanshan').id } }
      ),
    ],
    [
      'the balance is above its limit',
      'station',
      async () => (await limited(-1), { subject_id: null, entry: null }),
    ],
  ],
  ...monthOutcomes(() => system),
  request: [
    [
      'it waits for the office',
      'super',
      async () => ({ subject_id: (await topUpBy('station')).id, entry: { waiting: 1 } }),
    ],
    ['the office tops up itself', 'super', async () => silent(await topUpBy('super'))],
  ],
  decided: [
    [
      'approved',
      'station',
      async () => ({
        subject_id: await decided('super', 'approve', {}),
        entry: { request: { status: 'posted', reason: '' } },
      }),
    ],
    [
      'declined',
      'station',
      async () => ({
        subject_id: await decided('super', 'decline', { reason: '没有收到款' }),
        entry: { request: { status: 'declined', reason: '没有收到款' } },
      }),
    ],
    [
      'retracted by who made it',
      'station',
      async () => silent({ id: await decided('station', 'retract', {}) }),
    ],
  ],
  job: [
    [
      'its row is done',
      'clerk',
      async () =>
        cancelJob((await clerk.order({ draft: 1 })).data, { ok: 1, skipped: 0, failed: 0 }),
    ],
    [
      'its row cannot be done',
      'clerk',
      async () => cancelJob(await at('delivered', 300), { ok: 0, skipped: 1, failed: 0 }),
    ],
  ],
  setup: [
    [
      'a guide begins',
      'super',
      async () => ({ subject_id: (await newStation(1)).id, entry: { setup: { is_open: 1 } } }),
    ],
    [
      'a guide is ended',
      'super',
      async () => {
        const { id } = await newStation(1);
        await post('super', `stations/${id}/setup/end`, {});
        return { subject_id: id, entry: { setup: { is_open: 0 } } };
      },
    ],
    ['a station without guide', 'super', async () => silent(await newStation(0))],
  ],
  import: [
    [
      'all its rows are ordered',
      'clerk',
      async () =>
        endedImport(await imported({}, 'ordered'), { status: 'done', ordered: 2, left: 0 }),
    ],
    [
      'a row cannot be ordered',
      'clerk',
      async () =>
        endedImport(await imported({ 物品: '文献' }, 'ordered'), {
          status: 'done',
          ordered: 1,
          left: 1,
        }),
    ],
    [
      'the file cannot be read',
      'clerk',
      async () => endedImport(await unreadable(), { status: 'failed', ordered: 0 }),
    ],
    [
      'it is checked and not ordered',
      'clerk',
      async () => silent({ id: await imported({}, 'checked') }),
    ],
  ],
  webhook: [
    [
      'its endpoint has failed for four days',
      'station',
      () => failingWebhook(system, stationPosts, 4),
    ],
    ['its endpoint has failed for a day', 'station', () => failingWebhook(system, stationPosts, 1)],
  ],
  channel: [
    ['it failed three times in a row', 'station', () => failingChannel(system, stationPosts, 2)],
    ['it failed once', 'station', () => failingChannel(system, stationPosts, 0)],
  ],
};

describe('every kind of inbox entry', () => {
  it('each kind of inbox entry has at least two tested outcomes', () => {
    expect(Object.keys(outcomes).toSorted()).toEqual(inboxKinds.toSorted());
    for (const kind of inboxKinds) expect(outcomes[kind].length, kind).toBeGreaterThanOrEqual(2);
  });

  it.each(
    inboxKinds.flatMap((kind, turn) =>
      inTurn(outcomes[kind], turn).map(([what, reader, happens]) => ({
        kind,
        what,
        reader,
        happens,
      })),
    ),
  )(
    'an inbox entry of the kind $kind has its outcome, and none is created without anything to do: $what',
    async ({ kind, reader, happens }) => {
      const { subject_id, entry } = await happens();
      const found = async () => {
        await run('deliver_inbox');
        const { data } = await system.call<Inbox>(tokens[reader], 'GET', '/api/arco/inbox');
        return data.items.filter((item) => item.kind === kind && item.subject_id === subject_id);
      };
      // An entry about background work is written only when the work has ended.
      const entries =
        entry === null
          ? await found()
          : await eventually(async () => ((await found()).length > 0 ? found() : null));
      expect(entries).toMatchObject(entry === null ? [] : [entry]);
      expect(entries).toHaveLength(entry === null ? 0 : 1);
    },
  );
});
