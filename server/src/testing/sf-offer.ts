import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { sql } from '#platform/db/db.ts';
import type { TestSystem } from './test-system.ts';

/**
 * Adds an SF Express account. Also adds one SF product to the freight scheme of all stations, with
 * the same prices as another product of the scheme.
 */
export const offerSf = async (
  system: Pick<TestSystem, 'call' | 'carrier' | 'rows'>,
  office: string,
): Promise<Merchant> => {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const { status, data } = await system.call<T>(office, method, `/api/arco/${path}`, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(data)}`);
    return data;
  };
  const { keys } = await system.carrier.control<{ keys: Record<string, string>[] }>(
    'GET',
    'sf/keys',
  );
  const merchant = await ask<Merchant>('POST', 'merchants', {
    name: '顺丰账号',
    provider: 'sf',
    customer_code: keys[0]!['monthly_card'],
    app_key: keys[0]!['partner_id'],
    app_secret: keys[0]!['check_word'],
    base_url: system.carrier.url,
    sender_name: '仓库',
    sender_phone: '13800000001',
  });
  await ask('POST', `merchants/${merchant.id}/default`);
  const product = { provider: 'sf', promise_id: '2' };
  await ask('POST', 'promises', { ...product, promise_name: '顺丰标快', cutoff_time: '18:00' });
  const [weight] = await system.rows(
    sql<{ weight: object }>`select weight from vouchers where promise_id <> 'ed-m-0001'
      order by id limit 1`,
  );
  const voucher = await ask<{ id: number }>('POST', 'vouchers', {
    name: '顺丰标快',
    ...product,
    weight: weight!.weight,
  });
  await ask('POST', `vouchers/${voucher.id}/publish`, { version: 1 });
  const { items } = await ask<{ items: { id: number }[] }>('GET', 'projects');
  const path = `projects/${items[0]!.id}`;
  const scheme = await ask<{ version: number; vouchers: { voucher_id: number }[] }>('GET', path);
  await ask('PATCH', path, {
    version: scheme.version,
    voucher_ids: [...scheme.vouchers.map(({ voucher_id }) => voucher_id), voucher.id],
  });
  return merchant;
};
