import type { Answer, Call } from '#orders/client.ts';
import { logIn, send } from '#orders/client.ts';
import { pushes } from './open-loop.ts';
import type { Kind } from './open-loop.ts';
import { exampleParcel } from '@waystation/contract/parcels/example-parcel.ts';
import type { RunningBuild } from '#orders/build.ts';

/**
 * The mix of calls in a busy hour, for the running product. Also contains the users that prepare
 * the measurement.
 */
export interface Mix {
  kinds: readonly Kind[];
  /**
   * Sends a carrier's message about a parcel in transit. The server has already received this
   * message.
   */
  push(): Promise<Answer>;
  office: Call;
  clerk: Call;
}

interface Parcel {
  id: number;
  waybill: string;
  order: string;
}

/**
 * Remembers parcels of the clerk that are waiting for pickup. The measured drawers, labels and
 * pushes use these parcels.
 */
const createShown = () => {
  const shown: Parcel[] = [];
  return {
    note: ({ data }: Answer): void => {
      const items = (data['items'] ?? []) as Record<string, unknown>[];
      for (const item of items)
        if (item['delivery_id'] && Number(item['state_code']) === 100)
          shown.push({
            id: Number(item['id']),
            waybill: String(item['delivery_id']),
            order: String(item['order_id']),
          });
      if (shown.length > 2_000) shown.splice(0, 1_000);
    },
    one: (): Parcel => {
      const parcel = shown[Math.floor(Math.random() * shown.length)];
      if (!parcel) throw new Error('no list has shown a parcel with a waybill');
      return parcel;
    },
  };
};

const oneOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

/** Formats a time in Beijing's local time, because the carrier does so. */
const wallClock = (instant: number): string =>
  new Date(instant + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

/**
 * A message of the carrier that reports a parcel in transit. Its time is rounded down to 20
 * seconds, so that many messages repeat an earlier message.
 */
const transit = ({ waybill, order }: Parcel): Record<string, unknown> => ({
  waybillCode: waybill,
  orderId: order,
  category: 430,
  categoryName: '运输中',
  state: '10032',
  scanType: '10',
  operationTitle: '分拣中心验货',
  operationRemark: '包裹已到达示例分拣中心',
  operationTime: wallClock(Math.floor(Date.now() / 20_000) * 20_000),
  operateSiteId: '1',
  operateSite: '示例分拣中心',
});

const post = (call: Call, path: string, body: unknown) => (): Promise<Answer> =>
  call('POST', `/api/arco/${path}`, body);

const pushPath = async (office: Call): Promise<string> => {
  const accounts = await office('GET', '/api/arco/merchants?page_size=50');
  const jdl = (accounts.data['items'] as Record<string, unknown>[]).find(
    ({ provider }) => provider === 'jdl',
  );
  const { data, text } = await office(
    'POST',
    `/api/arco/merchants/${Number(jdl?.['id'])}/push-address`,
    {},
  );
  if (typeof data['path'] !== 'string') throw new Error(`no push address: ${text}`);
  return data['path'];
};

/** Logs in users of the network: clerks, station managers, a partner and an administrator. */
const loggedIn = async (url: string, office: Call): Promise<Call[]> => {
  const { data } = await office('GET', '/api/arco/users?page_size=100');
  const names = (data['items'] as Record<string, unknown>[])
    .filter(({ status }) => status === 1)
    .map(({ username }) => String(username));
  // A demo account whose password was changed cannot log in here, so it is left out.
  const calls = await Promise.all(names.map((name) => logIn(url, name).catch(() => null)));
  return calls.filter((call) => call !== null);
};

/** The texts of the searches: frequent names, a rarer name, and numbers. */
const searches = ['张', '张三', 'JDVE0000', '1390000', '上海'];

/**
 * Creates the mix of calls. For each order there are ten first pages, two drawers, two searches,
 * two counts, one quote and one recognized address. For each order there are also one label, the
 * numbers of the Workplace and nine pushes. All accounts of the demo read, but only one clerk
 * orders.
 */
export const createMix = async ({ url }: RunningBuild): Promise<Mix> => {
  const [office, clerk] = [await logIn(url, 'super'), await logIn(url, 'clerk')];
  const people = [clerk, ...(await loggedIn(url, office))];
  const shown = createShown();
  const list = async (call: Call, query: string): Promise<Answer> => {
    const answer = await call('GET', `/api/arco/expresses?page_size=20${query}`);
    if (call === clerk) shown.note(answer);
    return answer;
  };
  await list(clerk, '');
  const path = await pushPath(office);
  const push = (): Promise<Answer> => send({ url, token: '' }, 'POST', path, transit(shown.one()));
  const { receive_name: _, receive_phone: __, ...priced } = exampleParcel;
  const kinds: Kind[] = [
    { name: 'order', weight: 1, run: post(clerk, 'expresses', { ...exampleParcel, wait: 0 }) },
    { name: 'page', weight: 10, run: () => list(oneOf(people), '') },
    {
      name: 'search',
      weight: 2,
      run: () => list(oneOf(people), `&q=${encodeURIComponent(oneOf(searches))}`),
    },
    { name: 'drawer', weight: 2, run: () => clerk('GET', `/api/arco/expresses/${shown.one().id}`) },
    { name: 'counts', weight: 2, run: () => oneOf(people)('GET', '/api/arco/expresses/counts') },
    { name: 'workplace', weight: 1, run: () => oneOf(people)('GET', '/api/arco/workplace') },
    { name: 'quote', weight: 2, run: post(clerk, 'expresses/quote', priced) },
    {
      name: 'address',
      weight: 1,
      run: post(clerk, 'address/parse', { text: '李四 13900000002 上海市浦东新区世纪大道100号' }),
    },
    {
      name: 'label',
      weight: 1,
      run: () =>
        clerk('POST', '/api/arco/labels', { ids: [shown.one().id], format: '100x180', preview: 1 }),
    },
    { name: pushes, weight: 9, run: push },
  ];
  return { kinds, push, office, clerk };
};
