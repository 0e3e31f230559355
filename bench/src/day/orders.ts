/**
 * Orders parcels as a station does, but without a browser. This prepares the measured parts of the
 * day.
 */
import { Waystation } from '@waystation/client';
import { pause } from '#browser/program.ts';

export interface Place {
  url: string;
  carrierUrl: string;
  token: string;
}

/**
 * A client of the public API that uses the token of a session. It never repeats a request, so that
 * every failure becomes visible.
 */
export const clientOf = ({ url, token }: Pick<Place, 'url' | 'token'>): Waystation =>
  new Waystation({ baseUrl: url, key: token, retries: 0 });

export const askApi = async <T>({ url, token }: Place, path: string, body?: object): Promise<T> => {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  };
  const answer = await fetch(
    `${url}/api/arco${path}`,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  );
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: T }).data;
};

const pageSize = 200;
/** The recipient's phone number in all parcels that this file orders. */
export const orderedPhone = '13900139009';

/**
 * Orders a number of parcels with the same third-party order number, and waits until the carrier
 * has answered. Returns the parcels in the order of the list, newest first.
 */
export const orderParcels = async (
  place: Place,
  count: number,
  tag: string,
): Promise<{ id: number; delivery_id: string }[]> => {
  const client = clientOf(place);
  const { station } = await client.parcelOptions();
  const to = { receive_province: '上海市', receive_city: '上海市', receive_county: '浦东新区' };
  const from = {
    sender_province: station.province,
    sender_city: station.city,
    sender_county: station.county,
  };
  const { quotes } = await client.quoteParcel({ ...to, ...from, weight: 1_000 });
  const parcel = {
    ...to,
    ...from,
    receive_name: '批量',
    receive_phone: orderedPhone,
    receive_address: '世纪大道100号',
    sender_name: station.sender_name,
    sender_phone: station.sender_phone,
    sender_address: station.address,
    goods: '文件',
    weight: 1_000,
    package_count: 1,
    thr_order_id: tag,
    promise_id: quotes.find(({ selectable }) => selectable === 1)!.promise_id,
    wait: 0,
  } as const;
  for (let n = 0; n < count; n++)
    await client.createParcel(parcel, { idempotencyKey: crypto.randomUUID() });
  const listed = async () =>
    (await client.listParcels({ q: tag, tab: 'awaiting_pickup', page_size: pageSize })).items;
  for (const until = Date.now() + 240_000; ; await pause(500)) {
    const items = await listed();
    if (items.length === count)
      return items.map(({ id, delivery_id }) => ({ id, delivery_id: delivery_id! }));
    if (Date.now() > until)
      throw new Error(`the carrier accepted ${items.length} of ${count} parcels`);
  }
};
