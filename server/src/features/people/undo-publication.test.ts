import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import type { UndoState } from '@waystation/contract/shell/undo.ts';
import type { Voucher, VoucherVersion } from '@waystation/contract/money/voucher.ts';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
});
afterAll(() => api.close());

type Failed = { code: string; params: Record<string, string | number> };
const post = <T = Failed>(token: string, path: string, body: object = {}) =>
  api.call<T & Failed>(token, 'POST', `/api/arco${path}`, body);
const get = async <T>(token: string, path: string): Promise<T> =>
  (await api.call<T>(token, 'GET', `/api/arco${path}`)).data;
const latest = async (
  subject: string,
  subject_id: number | null,
  action: string,
): Promise<AuditRow> =>
  (
    await api.rows(
      sql<AuditRow>`select * from audit_log where subject = ${subject}
        and subject_id is not distinct from ${subject_id} and action = ${action}
        order by id desc limit 1`,
    )
  )[0]!;
const stateOf = (id: number, token = tokens.super): Promise<UndoState> =>
  get(token, `/audit/${id}/undo`);
const undo = (id: number, token = tokens.super) =>
  post<{ rows: number }>(token, `/audit/${id}/undo`);

let made = 0;

describe('undo of a planned publication', () => {
  const day = (days: number): string =>
    new Date(api.clock.now().getTime() + 8 * 3_600_000 + days * 86_400_000)
      .toISOString()
      .slice(0, 10);
  const template = async (): Promise<Voucher> => {
    const [voucher] = await api.rows(sql<{ id: number }>`select id from vouchers order by id
      limit 1`);
    const { id } = (
      await post<Voucher>(tokens.super, `/vouchers/${voucher!.id}/copy`, { name: `模板 ${++made}` })
    ).data;
    return get(tokens.super, `/vouchers/${id}`);
  };
  const publish = async ({ id, version }: Voucher, valid_from?: string): Promise<Voucher> => {
    const { status, data } = await post<Voucher>(tokens.super, `/vouchers/${id}/publish`, {
      version,
      ...(valid_from && { valid_from }),
    });
    expect(status, JSON.stringify(data)).toBe(200);
    return data;
  };
  const change = async ({ id, version }: Voucher, discount: number): Promise<Voucher> =>
    (
      await api.call<Voucher>(tokens.super, 'PATCH', `/api/arco/vouchers/${id}`, {
        version,
        discount,
      })
    ).data;
  const versions = async (id: number): Promise<VoucherVersion[]> =>
    (await get<{ items: VoucherVersion[] }>(tokens.super, `/vouchers/${id}/versions`)).items;

  it('withdrawing a planned publication keeps the previous prices in force and the draft unchanged', async () => {
    const planned = await publish(await change(await publish(await template()), 7_000), day(3));
    const entry = await latest('vouchers', planned.id, 'publish');
    expect(await stateOf(entry.id)).toMatchObject({ possible: 1, rows: 1 });
    expect((await undo(entry.id)).data).toEqual({ rows: 1 });
    const [third, second, first] = await versions(planned.id);
    expect(third).toMatchObject({
      no: 3,
      valid_from: second!.valid_from,
      discount: first!.discount,
    });
    expect(await get<Voucher>(tokens.super, `/vouchers/${planned.id}`)).toMatchObject({
      discount: 7_000,
      changed: 1,
    });
    expect(await latest('vouchers', planned.id, 'withdraw_publication')).toMatchObject({
      changes: { no: [2, 3] },
    });
    expect(await undo(entry.id)).toMatchObject({ status: 409, data: { code: 'undo_done' } });
  });

  it('a publication cannot be withdrawn if it is in force, is the first version, or was followed by another publication', async () => {
    const first = await publish(await template(), day(2));
    const ofFirst = await latest('vouchers', first.id, 'publish');
    expect(await stateOf(ofFirst.id)).toMatchObject({
      possible: 0,
      reason: { code: 'undo_first_version' },
    });
    expect(await undo(ofFirst.id)).toMatchObject({
      status: 409,
      data: { code: 'undo_first_version' },
    });
    const second = await publish(await change(first, 7_100), day(4));
    expect(await stateOf(ofFirst.id)).toMatchObject({
      possible: 0,
      reason: { code: 'undo_changed' },
      since: [{ action: 'publish' }],
    });
    const ofSecond = await latest('vouchers', second.id, 'publish');
    api.clock.advance(5 * 86_400_000);
    tokens = await api.loginAll();
    expect(await undo(ofSecond.id)).toMatchObject({ status: 409, data: { code: 'undo_begun' } });
    expect(await undo(ofSecond.id, tokens.partner)).toMatchObject({ status: 404 });
  });
});
