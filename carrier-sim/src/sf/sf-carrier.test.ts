import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSimulator } from '#simulator.ts';
import { startCallback } from '#testing/callback.ts';
import { anSfOrder, callSf, createSfOrder, sendSf, sfCard, sfExample } from '#testing/sf-client.ts';
import type { Simulator } from '#simulator.ts';
import type { Callback } from '#testing/callback.ts';
import type { Json } from '#testing/jdl-client.ts';

let carrier: Simulator;
let callback: Callback;
const hour = 3_600_000;

beforeAll(async () => {
  carrier = await startSimulator({ paused: true });
  callback = await startCallback();
  callback.answerWith(() => ({ status: 200, body: '{"return_code":"0000","return_msg":""}' }));
});
afterAll(async () => {
  await carrier.close();
  await callback.close();
});
beforeEach(() => {
  carrier.control.clearFaults();
  carrier.control.change({
    push: { shuffle_rate: 0 },
    sf: { repeat: 'first', push_copies: 1, contradict_fees: false, file_ms: 86_400_000 },
  });
  carrier.control.sf.setPartner({
    partner_id: sfExample.partnerId,
    signature: 'standard_md5',
    callback_url: callback.url,
  });
  callback.received.length = 0;
});

const create = 'EXP_RECE_CREATE_ORDER';
const search = 'EXP_RECE_SEARCH_ORDER_RESP';
const updates = 'EXP_RECE_UPDATE_ORDER';
const call = (service: string, content: unknown, options = {}) =>
  callSf(carrier.url, service, content, options);
let count = 0;
const fresh = (): string => `SF-${(count += 1)}`;

describe('the gate of the gateway', () => {
  it.each(['standard_md5', 'simple_md5', 'sm3'])('a call signed by %s passes', async (kind) => {
    carrier.control.sf.setPartner({ partner_id: sfExample.partnerId, signature: kind });
    expect(await call(create, anSfOrder(fresh()), { kind })).toMatchObject({ code: 'A1000' });
    const other = kind === 'sm3' ? 'simple_md5' : 'sm3';
    expect(await call(create, anSfOrder(fresh()), { kind: other })).toMatchObject({
      code: 'A1006',
    });
  });

  it.each([
    ['a wrong digest', { fields: { msgDigest: 'x' } }, 'A1006'],
    ['an old timestamp', { at: Date.now() - 7 * 60_000 }, 'A1002'],
    ['an unknown partner', { identity: { ...sfExample, partnerId: 'NOBODY' } }, 'A1004'],
    ['a missing field', { fields: { requestID: null } }, 'A1001'],
    ['a token beside the digest', { fields: { accessToken: 'x' } }, 'A1001'],
    ['a wrong token', { fields: { accessToken: 'x', msgDigest: null } }, 'A1011'],
  ])('the gate refuses %s', async (_, options, code) => {
    expect(await call(create, anSfOrder(fresh()), options)).toEqual({ code, inner: null });
  });

  it('the SF gateway refuses a request id that was used before, and an unknown service', async () => {
    const order = anSfOrder(fresh());
    expect(await call(create, order, { requestId: 'same' })).toMatchObject({ code: 'A1000' });
    expect(await call(create, order, { requestId: 'same' })).toMatchObject({ code: 'A1007' });
    expect(await call('EXP_RECE_NOTHING', {})).toMatchObject({ code: 'A1004' });
  });

  it('a call to SF with an OAuth token is accepted until the token expires', async () => {
    const token = async (): Promise<string> => {
      const form = { partnerID: sfExample.partnerId, secret: sfExample.checkWord };
      const answer = await fetch(`${carrier.url}/oauth2/accessToken`, {
        method: 'POST',
        body: new URLSearchParams({ ...form, grantType: 'password' }),
      });
      return ((await answer.json()) as { accessToken: string }).accessToken;
    };
    const withToken = async () => ({ fields: { accessToken: await token(), msgDigest: null } });
    expect(await call(create, anSfOrder(fresh()), await withToken())).toMatchObject({
      code: 'A1000',
    });
    carrier.control.change({ sf: { token_ms: 0 } });
    expect(await call(create, anSfOrder(fresh()), await withToken())).toMatchObject({
      code: 'A1011',
    });
  });

  it('the gateway of SF refuses one call as too frequent if a fault for its service was added, and accepts the next call', async () => {
    carrier.control.addFault({ kind: 'gateway', path: create, code: 1005 });
    expect(await call(create, anSfOrder(fresh()))).toMatchObject({ code: 'A1005' });
    expect(await call(create, anSfOrder(fresh()))).toMatchObject({ code: 'A1000' });
  });
});

describe('an order', () => {
  it('an order at SF gets a waybill, the data of its label, and one more number for each further package', async () => {
    const { inner } = await call(create, anSfOrder(fresh(), { parcelQty: 3, totalWeight: 7 }));
    expect(inner.msgData).toMatchObject({
      filterResult: 2,
      routeLabelInfo: [{ routeLabelData: { destRouteLabel: '020W-F0-CK', codingMapping: 'K35' } }],
    });
    expect(
      inner.msgData.waybillNoInfoList.map((row: Json) => [row.waybillType, row.waybillNo.length]),
    ).toEqual([
      [1, 15],
      [2, 15],
      [2, 15],
    ]);
  });

  it.each([
    [{ parcelQty: 2, totalWeight: 6 }, 'S0006'],
    [{ parcelQty: 308, totalWeight: 100 }, '8067'],
    [{ totalWeight: 300.1 }, '20012'],
    [{ cargoDetails: [] }, '1023'],
    [{ orderId: '' }, '6118'],
    [{ monthlyCard: '7550000000' }, '8114'],
  ])('an order is refused: %o', async (change, errorCode) => {
    expect(await call(create, anSfOrder(fresh(), change))).toMatchObject({
      code: 'A1000',
      inner: { success: false, errorCode },
    });
  });

  it('a repeated order number at SF returns the first order, or error 8016 if the simulator is configured to return an error', async () => {
    const id = fresh();
    const first = await createSfOrder(carrier.url, id);
    expect(await createSfOrder(carrier.url, id, { totalWeight: 2 })).toBe(first);
    carrier.control.change({ sf: { repeat: 'error' } });
    expect((await call(create, anSfOrder(id))).inner).toMatchObject({ errorCode: '8016' });
    expect(carrier.control.sf.orders({ order_id: id })).toHaveLength(1);
    expect((await call(search, { orderId: id })).inner.msgData.waybillNoInfoList).toEqual([
      { waybillType: 1, waybillNo: first },
    ]);
    expect((await call(search, { orderId: 'none' })).inner).toMatchObject({ errorCode: '8018' });
  });

  it('an SF order with the keyword 人工筛单 waits for manual sorting and is then accepted, and one with 超区 is refused', async () => {
    const id = fresh();
    await createSfOrder(carrier.url, id, { remark: '人工筛单' });
    const found = async () => (await call(search, { orderId: id })).inner.msgData;
    expect(await found()).toMatchObject({ filterResult: 1, routeLabelInfo: [] });
    carrier.control.advance(hour);
    expect((await found()).filterResult).toBe(2);
    const { inner } = await call(create, anSfOrder(fresh(), { remark: '超区' }));
    expect(inner.msgData).toMatchObject({ filterResult: 3, waybillNoInfoList: [] });
  });

  it('SF gives no waybill to an order outside its area, and may refuse an accepted order later after a manual check', async () => {
    const [out, late] = [fresh(), fresh()];
    const found = async (orderId: string) => (await call(search, { orderId })).inner.msgData;
    await call(create, anSfOrder(out, { remark: '超区' }));
    expect(await found(out)).toMatchObject({ filterResult: 3, waybillNoInfoList: [] });
    carrier.control.change({ sf: { repeat: 'error' } });
    expect((await call(create, anSfOrder(out))).inner.errorCode).toBe('8016');
    const waybillNo = await createSfOrder(carrier.url, late, { remark: '人工拒收派' });
    expect(await found(late)).toMatchObject({ filterResult: 1 });
    carrier.control.advance(hour);
    expect(await found(late)).toMatchObject({
      filterResult: 3,
      waybillNoInfoList: [{ waybillNo }],
      routeLabelInfo: [],
    });
  });

  it('the reason of a lost parcel is in a separate list of SF’s answer, not in a row of its route', async () => {
    const waybill = await createSfOrder(carrier.url, fresh(), { remark: '遗失' });
    carrier.control.sf.jump(waybill, '8000');
    const { inner } = await call('EXP_RECE_SEARCH_ROUTES', {
      trackingType: 1,
      trackingNumber: [waybill],
    });
    const [resp] = inner.msgData.routeResps;
    expect(resp.reasonCode).toEqual(['6']);
    expect(resp.routes.map((row: Json) => row.reasonCode)).not.toContain('6');
  });

  it('an order at SF is cancelled only before the pickup, and its order number cannot be used again', async () => {
    const [id, later] = [fresh(), fresh()];
    await createSfOrder(carrier.url, id);
    const cancel = (orderId: string) => call(updates, { orderId, dealType: 2 });
    expect((await cancel(id)).inner.msgData.resStatus).toBe(2);
    expect((await cancel(id)).inner.errorCode).toBe('8037');
    expect((await call(create, anSfOrder(id))).inner.errorCode).toBe('8016');
    const waybill = await createSfOrder(carrier.url, later);
    carrier.control.sf.jump(waybill, '50');
    expect((await cancel(later)).inner.errorCode).toBe('8252');
  });

  it('SF refuses an interception before the pickup, charges for one after it, and returns the parcel under a new waybill number', async () => {
    const waybill = await createSfOrder(carrier.url, fresh());
    const intercept = () =>
      call('EXP_RECE_WANTED_INTERCEPT', { waybillNo: waybill, serviceCode: '2', role: 1 });
    expect((await intercept()).inner.errorCode).toBe('8024');
    carrier.control.sf.jump(waybill, '30');
    expect((await intercept()).inner.msgData).toMatchObject({ amount: '10.00' });
    const { return_waybill } = carrier.control.sf.order(waybill);
    carrier.control.sf.jump(waybill, '648');
    const { inner } = await call('EXP_RECE_SEARCH_ROUTES', {
      trackingType: 1,
      trackingNumber: [waybill],
    });
    expect(inner.msgData.routeResps[0].routes.at(-1).remark).toContain(return_waybill);
  });
});

describe('the journey of a parcel', () => {
  it('a parcel that SF puts into a locker is later signed for', async () => {
    const waybill = await createSfOrder(carrier.url, fresh(), { remark: '放丰巢' });
    carrier.control.advance(10 * 24 * hour);
    expect(carrier.control.sf.order(waybill).route).toEqual(['50', '30', '31', '44', '125', '80']);
  });

  it('SF pushes each route row as many times as configured, and the copies differ only in their id', async () => {
    carrier.control.change({ sf: { push_copies: 4 } });
    const waybill = await createSfOrder(carrier.url, fresh());
    carrier.control.sf.tell(waybill, { op: '50', remark: '已收件' });
    await carrier.control.settle();
    const rows: Json[] = callback.received
      .flatMap((push) => push.Body?.WaybillRoute ?? [])
      .filter((row: Json) => row.mailno === waybill);
    expect(rows).toHaveLength(4);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(4);
    expect(new Set(rows.map((row) => JSON.stringify({ ...row, id: '' }))).size).toBe(1);
    expect(rows[0]).toMatchObject({ opCode: '50', reasonCode: '', firstStatusCode: '' });
  });

  it('SF pushes contradictory fees with rising versions, and its fee query returns those of the highest version', async () => {
    carrier.control.change({ sf: { contradict_fees: true } });
    const waybill = await createSfOrder(carrier.url, fresh(), { remark: '称重一致' });
    carrier.control.sf.jump(waybill, '50');
    await carrier.control.settle();
    const fees: Json[] = callback.received
      .flatMap((push) => push.content ?? [])
      .filter((fee: Json) => fee.waybillNo === waybill);
    expect(fees.map(({ versionNo }) => versionNo).toSorted()).toEqual([1, 2, 3]);
    expect(new Set(fees.map(({ feeList }) => JSON.stringify(feeList))).size).toBe(3);
    const { inner } = await call('EXP_RECE_QUERY_SFWAYBILL', {
      trackingType: '2',
      trackingNum: waybill,
    });
    const highest = fees.find(({ versionNo }) => versionNo === 3);
    expect(inner.msgData.waybillFeeList[0].value).toBe(highest.feeList[0].feeAmt);
  });
});

describe('the files of labels', () => {
  const print = async (waybills: string[]) =>
    (
      await call('COM_RECE_CLOUD_PRINT_WAYBILLS', {
        templateCode: `fm_76130_standard_${sfExample.partnerId}`,
        version: '2.0',
        fileType: 'pdf',
        sync: true,
        documents: waybills.map((masterWaybillNo) => ({ masterWaybillNo })),
      })
    ).inner.msgData.files as Json[];

  it('SF returns label files out of order, and a file opens only with its own token until the token expires', async () => {
    const waybills = [
      await createSfOrder(carrier.url, fresh()),
      await createSfOrder(carrier.url, fresh()),
    ];
    const files = await print(waybills);
    expect(files.map(({ seqNo }) => seqNo)).toEqual([2, 1]);
    const get = (token: string) =>
      fetch(files[0].url, { headers: { 'X-Auth-token': token } }).then(({ status }) => status);
    expect(await get(files[0].token)).toBe(200);
    expect(await get('wrong')).toBe(403);
    carrier.control.change({ sf: { file_ms: 0 } });
    const [late] = await print(waybills);
    const answer = await fetch(late.url, { headers: { 'X-Auth-token': late.token } });
    expect(answer.status).toBe(403);
  });
});

it('SF answers a reachability request with an array that has no wrapper, and returns prices only for a monthly card of the account', async () => {
  const contact = { contactType: 2, province: '上海市', city: '上海市', address: '超区路1号' };
  expect(
    (await call('EXP_RECE_FILTER_ORDER_BSP', [{ filterType: 1, contactInfos: [contact] }])).inner,
  ).toEqual([{ orderId: '', filterResult: 3, remark: '1' }]);
  const place = { province: '广东省', city: '深圳市', district: '南山区', address: '1号' };
  const ask = (monthlyCard: string) =>
    call('EXP_RECE_QUERY_DELIVERTM', {
      businessType: '2',
      monthlyCard,
      weight: 2.1,
      searchPrice: '1',
      srcAddress: place,
      destAddress: place,
    });
  expect((await ask(sfCard)).inner.msgData.deliverTmDto).toMatchObject([
    { businessType: '2', fee: 28 },
  ]);
  expect((await ask('1')).inner.errorCode).toBe('8114');
});

it('SF refuses a request whose body is not a form', async () => {
  const answer = await fetch(`${carrier.url}/std/service`, { method: 'POST', body: '{}' });
  expect(await answer.json()).toMatchObject({ apiResultCode: 'A1001' });
  expect((await sendSf(carrier.url, create, {})).status).toBe(200);
});
