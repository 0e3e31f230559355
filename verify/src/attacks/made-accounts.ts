import { sql } from '@waystation/server/testing/product.ts';
import { rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';

let count = 0;

export interface Made {
  account: { id: number; username: string; version: number };
  password: string;
}

/**
 * Creates an account with the token of an existing user. The account is a clerk, or it has the
 * fields in `change`.
 */
export const makeAccount = (system: TestSystem, token: string, change: object = {}) =>
  system.call<Made & { code: string }>(
    { token, headers: { 'idempotency-key': `attack-made-${Date.now()}-${count}` } },
    'POST',
    '/api/arco/users',
    { username: `attack-made-${Date.now()}-${++count}`, role: 'user', ...change },
  );

/**
 * Logs in to a created account for the first time, without the required change of its password.
 * Returns the token.
 */
export const firstLogin = async (
  system: TestSystem,
  { account, password }: Made,
): Promise<string> => {
  await rowsOf(system, sql`update accounts set must_change = 0 where id = ${account.id}`);
  return system.login(account.username, password);
};
