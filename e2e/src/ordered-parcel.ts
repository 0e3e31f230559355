import { expect, inject } from 'vitest';
import { carrier } from './wire.ts';
import type { Wire } from './wire.ts';

const receiver = {
  province: '上海市',
  city: '上海市',
  county: '浦东新区',
  address: '世纪大道100号',
};

/**
 * The input to order a parcel of the caller's own station, or of the station that an administrator
 * chose.
 */
const parcelTo = async (wire: Wire, station_id?: number): Promise<Record<string, unknown>> => {
  const at = station_id === undefined ? {} : { station_id };
  const { station } = await wire.get<{ station: Record<string, string> }>(
    `/api/arco/expresses/options?${new URLSearchParams(Object.entries(at).map(([name, value]) => [name, String(value)]))}`,
  );
  const places = Object.fromEntries(
    Object.entries(receiver).flatMap(([name, value]) => [
      [`sender_${name}`, station[name]],
      [`receive_${name}`, value],
    ]),
  );
  const { quotes } = await wire.post<{ quotes: { promise_id: string; selectable: number }[] }>(
    '/api/arco/expresses/quote',
    {
      ...at,
      ...Object.fromEntries(Object.entries(places).filter(([name]) => !name.endsWith('address'))),
      weight: 2_000,
    },
  );
  return {
    ...at,
    ...places,
    sender_name: station['sender_name'],
    sender_phone: station['sender_phone'],
    receive_name: '赵靐芳',
    receive_phone: '13900139000',
    goods: '文件',
    weight: 2_000,
    package_count: 1,
    promise_id: quotes.find(({ selectable }) => selectable === 1)!.promise_id,
  };
};

/**
 * Creates a complete draft and does not order it. Its order number is already known, so that the
 * carrier simulator can be made to fail for this order only.
 */
export const draftedParcel = async (wire: Wire): Promise<{ id: number; order_id: string }> =>
  wire.post('/api/arco/expresses', { ...(await parcelTo(wire)), draft: 1 });

/**
 * Orders a parcel. The first calls do not reach the carrier, so the outcome of the order is unknown
 * at first.
 */
export const unknownOrder = async (wire: Wire): Promise<{ id: number; order_id: string }> => {
  await carrier.reachNow();
  const parcel = await draftedParcel(wire);
  await carrier.ask('POST', 'faults', {
    kind: 'drop_before',
    path: '/ecap/v1/orders/create',
    order_id: parcel.order_id,
    times: 4,
  });
  await wire.ask('POST', `/api/arco/expresses/${parcel.id}/order`, {});
  return parcel;
};

/**
 * Orders a parcel of a station, 2 kg to Shanghai. The parcel may be on hold, because the station's
 * balance may be too low.
 */
export const parcelOf = async (
  wire: Wire,
  station_id: number,
): Promise<{ id: number; state_code: number }> =>
  wire.post('/api/arco/expresses', await parcelTo(wire, station_id));

/**
 * Orders a parcel of 2 kg to Shanghai for the account's own station. Waits until the carrier has
 * accepted it, and returns it.
 */
export const orderedParcel = async (wire: Wire): Promise<{ id: number; post_amount: number }> => {
  const parcel = await wire.post<{ id: number; post_amount: number }>(
    '/api/arco/expresses',
    await parcelTo(wire),
  );
  await expect
    .poll(
      async () =>
        (await wire.get<{ state_code: number }>(`/api/arco/expresses/${parcel.id}`)).state_code,
    )
    .toBe(100);
  return parcel;
};

/** Orders a parcel and prints its label once. */
export const printedParcel = async (wire: Wire): Promise<{ id: number }> => {
  const parcel = await orderedParcel(wire);
  const { status } = await fetch(`${inject('product').url}/api/arco/labels`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${wire.token}` },
    body: JSON.stringify({ ids: [parcel.id], format: '76x130' }),
  });
  expect(status).toBe(200);
  return parcel;
};
