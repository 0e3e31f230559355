import { liveStates } from '@waystation/contract/parcels/express-states.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { ConfigError } from '#config.ts';
import { offersOf } from '#domain/offers/offers.ts';
import { stateList } from '#domain/express/express-reads.ts';
import type { Offer } from '#domain/offers/offers.ts';
import { post, prove, setHeadsAside } from '#domain/ledger/ledger.ts';
import { openPushSecret } from '#domain/merchant-secrets/merchant-secrets.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { chanceFrom } from './chance.ts';
import { historyOf } from './history.ts';
import type { ParcelHistory } from './history.ts';
import { exampleLabel } from './label-data.ts';
import { topUpsOf } from './money.ts';
import { buildNetwork, exampleKeys } from './network.ts';
import type { DemoNetwork } from './network.ts';
import { planParcels } from './parcels.ts';
import type { PlannedParcel } from './parcels.ts';
import { addWaiting } from './waiting.ts';
import { catchUp, handOver, setCallback, simulatorIsThere } from './simulator.ts';
import type { Row } from './simulator.ts';
import { storeHistories, reserveIds } from './store.ts';

const all = systemScope('demo network');
const days = 90;
const seed = 20_260_101;
const parcelsAtOnce = 500;
const movementsAtOnce = 1_000;

const offersByStation = async (
  work: Work,
  network: DemoNetwork,
  at: Date,
): Promise<Map<number, Offer[]>> => {
  const rows = await work.tx
    .selectFrom('stations')
    .select([
      'id',
      'name',
      'status',
      'money',
      'freeze',
      'available',
      'has_amount',
      'credit_limit',
      'allow_select',
      'allow_print',
      'project_id',
      'customer_code',
    ])
    .execute();
  const offers = new Map<number, Offer[]>();
  for (const station of rows)
    if (network.stations.some(({ id }) => id === station.id))
      offers.set(station.id, await offersOf(work, station, at));
  return offers;
};

type Ordered = PlannedParcel & { amount: number; history: ParcelHistory };

const withHistories = (
  app: App,
  plan: readonly PlannedParcel[],
  ids: readonly number[],
): Ordered[] => {
  const known = { reader: app.carrierOf('jdl'), now: app.clock.now() };
  return plan.map((parcel, index) => {
    const history = historyOf(parcel, present(ids[index]), index + 1, known);
    if (!parcel.over) Object.assign(history.express, exampleLabel(parcel.fields));
    // The week's top-up must suffice for the first hold or the final charge, whichever is greater.
    const { movements } = history;
    const amount = Math.max(
      ...movements.map((movement) =>
        'price' in movement
          ? movement.price.post_amount
          : 'price_after' in movement
            ? movement.price_after.post_amount
            : 0,
      ),
    );
    return { ...parcel, amount, history };
  });
};

/**
 * Commits without waiting for the disk. A power failure loses nothing of value, because an
 * unfinished demo is filled again from the beginning.
 */
const hurried = <T>(app: App, run: (work: Work) => Promise<T>): Promise<T> =>
  app.db.tx(all, async (work) => {
    await sql`set local synchronous_commit = off`.execute(work.tx);
    return run(work);
  });

const inBatches = async <T>(
  items: readonly T[],
  size: number,
  run: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> => {
  for (let from = 0; from < items.length; from += size) await run(items.slice(from, from + size));
};

const storeAll = async (
  app: App,
  ordered: readonly Ordered[],
  step: (text: string) => void,
): Promise<void> => {
  let stored = 0;
  await inBatches(ordered, parcelsAtOnce, async (batch) => {
    await hurried(app, (work) =>
      storeHistories(
        work,
        batch.map(({ history }) => history),
      ),
    );
    stored += batch.length;
    if (stored % 5_000 === 0)
      step(
        `Filling the demo: ${stored.toLocaleString('en')} of ${ordered.length.toLocaleString('en')} parcels`,
      );
  });
};

/**
 * Posts all movements of one tree of stations in the order of time. Different trees have no wallet
 * in common, so they are posted concurrently.
 */
const postTree = async (
  app: App,
  network: DemoNetwork,
  { ordered, tree, since }: { ordered: readonly Ordered[]; tree: string; since: Date },
): Promise<void> => {
  const stations = network.stations.filter((station) => station.tree === tree);
  const own = ordered.filter(({ station }) => station.tree === tree);
  const movements = [
    ...topUpsOf(own, stations, since, network.office),
    ...own.flatMap(({ history }) => history.movements),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  await inBatches(movements, movementsAtOnce, (batch) => hurried(app, (work) => post(work, batch)));
};

const underway = (ordered: readonly Ordered[]): Ordered[] =>
  ordered.filter(({ over, fate }) => !over && fate !== 'failed');

const remember = (work: Work, value: object): Promise<unknown> =>
  sql`insert into settings (name, value) values ('demo', ${JSON.stringify(value)}::jsonb)
    on conflict (name) do update set value = excluded.value, updated_at = now()`.execute(work.tx);

/** The account that stations of the demo are asked to pay into. */
const paymentAccount =
  '户名：示例快运有限公司\n开户行：示例银行示例支行\n账号：0000 0000 0000 0000（示例，请勿付款）';

const setPaymentAccount = (work: Work): Promise<unknown> =>
  sql`insert into settings (name, value) values ('payment_account',
    ${JSON.stringify(paymentAccount)}::jsonb) on conflict (name) do nothing`.execute(work.tx);

/** Adds the latest recipients of each station to its address book. */
const addRecentContacts = (work: Work): Promise<unknown> =>
  sql`insert into contacts (station_id, kind, name, phone, province, city, county, address,
    created_at, updated_at)
    select station_id, 'receive', receive_name, receive_phone, receive_province, receive_city,
      receive_county, receive_address, created_at, created_at from (
      select e.*, row_number() over (partition by station_id
        order by created_at desc, id desc) as nth from (
        select distinct on (station_id, receive_phone) * from expresses
          where receive_phone <> '' and receive_name <> '' and receive_city <> ''
          order by station_id, receive_phone, created_at desc, id desc) e) lately
    where nth <= 12 order by station_id, created_at, id`.execute(work.tx);

/**
 * Fills the example network with the parcels of several months, by the product's own rules.
 * `catchUpDemo` continues while the network is in use. With `simulated`, a simulator moves the
 * parcels in transit.
 */
export const fillDemo = async (
  app: App,
  step: (text: string) => void,
  simulated = simulatorIsThere,
): Promise<void> => {
  const now = app.clock.now();
  const since = new Date(now.getTime() - (days + 1) * 86_400_000);
  // The heads file of an earlier demo, whose data folder was deleted, does not belong to this
  // database.
  if (app.config.headsFile !== null) await setHeadsAside(app.config.headsFile, now);
  step('Filling the demo: the network');
  const { network, offers, ids } = await app.db.tx(all, async (work) => {
    const made = await buildNetwork(app, work, since);
    // If a start is interrupted, this state remains, and the next start fills the demo again from
    // the beginning (clearHalfFilled).
    await remember(work, { state: 'filling' });
    return {
      network: made,
      offers: await offersByStation(work, made, now),
      ids: await reserveIds(work, app.config.demoParcels),
    };
  });
  const plan = planParcels(chanceFrom(seed), network.stations, offers, {
    count: app.config.demoParcels,
    now,
    days,
  });
  const ordered = withHistories(app, plan, ids);
  await app.db.tx(all, (work) =>
    sql`select setval('express_order_numbers',
    greatest(nextval('express_order_numbers'), ${ordered.length}))`.execute(work.tx),
  );
  const trees = [...new Set(network.stations.map(({ tree }) => tree))];
  await Promise.all([
    storeAll(app, ordered, step),
    ...trees.map((tree) => postTree(app, network, { ordered, tree, since })),
  ]);
  const isSimulated = await simulated(app);
  if (isSimulated) {
    step('Filling the demo: passing parcels in transit to the simulator');
    await setCallback(app, exampleKeys.customer_code, network.push_secret);
    await handOver(
      app,
      underway(ordered).map(({ history, nodes, jd_weight, jd_amount }) => ({
        express: history.express as Row,
        nodes,
        jd_weight,
        jd_amount,
      })),
      // The simulator must not assign these waybill numbers again. They are the highest numbers,
      // and some of their parcels have already ended.
      { taken: ordered.slice(-100).map(({ history }) => history.express as Row), now },
    );
  }
  await addWaiting(app, network);
  await app.db.tx(all, addRecentContacts);
  await app.db.tx(all, setPaymentAccount);
  await app.db.tx(all, (work) => remember(work, { state: 'catching_up', simulated: isSimulated }));
};

/**
 * Reads the events of parcels in transit from the simulator, and then runs the ledger check. If it
 * is interrupted, it runs again at the next start.
 */
export const catchUpDemo = async (app: App): Promise<void> => {
  const ids = await app.db.tx(all, async (work) => {
    const { rows } = await sql<RowOf<'expresses', 'id'>>`select e.id
      from expresses e, settings s
      where s.name = 'demo' and (s.value ->> 'simulated')::boolean and e.simulated = 1
        and e.state_code in (${stateList(liveStates)}) and e.polled_at is null
      order by e.id`.execute(work.tx);
    return rows.map((row) => row.id);
  });
  await catchUp(app, ids);
  const proof = await prove(app, { full: true, at: app.clock.now() });
  if (!proof.ok)
    throw new Error(
      `the demo's ledger does not balance: ${JSON.stringify(proof.breaks.slice(0, 3))}`,
    );
  await app.db.tx(all, (work) => remember(work, { state: 'filled', at: app.clock.now() }));
};

const demoPushSecret = (app: App): Promise<string> =>
  app.db.tx(all, async (work) => {
    const row = await work.tx
      .selectFrom('merchants')
      .select('id')
      .where('customer_code', '=', exampleKeys.customer_code)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    return row ? openPushSecret(work, app.secrets, row.id) : '';
  });

/**
 * Updates the URL of the simulated carrier account, because the simulator may have another port
 * than when the demo was filled. Waiting calls can then be made.
 */
const followSimulator = (app: App): Promise<unknown> =>
  app.db.tx(all, (work) =>
    sql`update merchants set base_url = ${app.config.simulator.url}, version = version + 1,
      updated_at = now()
      where simulated = 1 and customer_code = ${exampleKeys.customer_code}
        and base_url ~ '^http://127\\.0\\.0\\.1:[0-9]+$'
        and base_url <> ${app.config.simulator.url}`.execute(work.tx),
  );

/**
 * The state of the example network: empty, filled without `catchUpDemo`, or complete. Every start
 * sets the simulator's push URL and carrier account again. Fails if the database has other content.
 */
export const demoState = async (app: App): Promise<'none' | 'catching_up' | 'filled'> => {
  const found = await app.db.tx(all, async (work) => {
    return oneRow(
      work,
      sql<{ demo: { state: 'filling' | 'catching_up' | 'filled' } | null; accounts: number }>`
      select (select value from settings where name = 'demo') as demo,
        (select count(*) from accounts) as accounts`,
    );
  });
  if (found.demo && found.demo.state !== 'filling') {
    await followSimulator(app);
    if (await simulatorIsThere(app))
      await setCallback(app, exampleKeys.customer_code, await demoPushSecret(app));
    return found.demo.state;
  }
  if (found.accounts > 0)
    throw new ConfigError(
      'This database is not empty and holds no finished demo: start without WAYSTATION_DEMO, or with an empty database or data directory.',
    );
  return 'none';
};
