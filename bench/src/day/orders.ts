/**
 * Parcels as a station orders them, without a browser: what the parts of the day begin from.
 */
import { pause } from '#browser/program.ts';

export interface Place {
  url: string;
  carrierUrl: string;
  token: string;
}

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
/** The recipient's phone of all of them. */
export const orderedPhone = '13900139009';

/**
 * Orders so many parcels under one order number of the customer's, waits for the carrier, and
 * returns them as they are listed, the newest first.
 */
export const orderParcels = async (
  place: Place,
  count: number,
  tag: string,
): Promise<{ id: number; delivery_id: string }[]> => {
  const { station } = await askApi<{ station: Record<string, string> }>(
    place,
    '/expresses/options',
  );
  const to = { receive_province: '上海市', receive_city: '上海市', receive_county: '浦东新区' };
  const from = {
    sender_province: station['province'],
    sender_city: station['city'],
    sender_county: station['county'],
  };
  const { quotes } = await askApi<{ quotes: { promise_id: string; selectable: number }[] }>(
    place,
    '/expresses/quote',
    { ...to, ...from, weight: 1_000 },
  );
  const parcel = {
    ...to,
    ...from,
    receive_name: '批量',
    receive_phone: orderedPhone,
    receive_address: '世纪大道100号',
    sender_name: station['sender_name'],
    sender_phone: station['sender_phone'],
    sender_address: station['address'],
    goods: '文件',
    weight: 1_000,
    package_count: 1,
    thr_order_id: tag,
    promise_id: quotes.find(({ selectable }) => selectable === 1)!.promise_id,
    wait: 0,
  };
  for (let n = 0; n < count; n++) await askApi(place, '/expresses', parcel);
  const listed = async () =>
    (
      await askApi<{ items: { id: number; delivery_id: string }[] }>(
        place,
        `/expresses?q=${tag}&tab=awaiting_pickup&page_size=${pageSize}`,
      )
    ).items;
  for (const until = Date.now() + 240_000; ; await pause(500)) {
    const items = await listed();
    if (items.length === count) return items;
    if (Date.now() > until)
      throw new Error(`the carrier accepted ${items.length} of ${count} parcels`);
  }
};
