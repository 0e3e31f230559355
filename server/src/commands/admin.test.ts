import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi } from '#testing/test-api.ts';
import { createAdmin, disableAdmin, resetAdmin } from './admin.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ processes: 2 });
});
afterAll(() => api.close());

const typed = (password: string) => async () => password;
const madeUp = (output: string): string => /Its password is (\S+)/.exec(output)![1]!;

describe('the admin command', () => {
  it('the admin command creates a super admin only with a valid unused username and a valid password', async () => {
    const { app } = api;
    expect(await createAdmin(app, 'ab', typed('plum orchard nine'))).toContain(
      'cannot be a username',
    );
    expect(await createAdmin(app, 'chief', typed('short'))).toBe(
      'The password is not accepted: At least 10 characters.',
    );
    expect(await createAdmin(app, 'chief', typed('password123'))).toContain('too common');
    expect(await createAdmin(app, 'chief', typed('plum orchard nine'))).toBe(
      'The account chief with the role super is ready.',
    );
    expect(await createAdmin(app, 'CHIEF', typed('plum orchard nine'))).toContain('already');
    const token = await api.login('chief', 'plum orchard nine');
    expect((await api.call<Refused>(token, 'GET', '/api/arco/personal')).data).toMatchObject({
      role: 'super',
      must_change: 0,
    });
  });

  it('if no password is typed, the admin command generates one that must be changed at the first login', async () => {
    const output = await createAdmin(api.app, 'second', typed(''));
    const token = await api.login('second', madeUp(output));
    expect((await api.call<Refused>(token, 'GET', '/api/arco/users')).data.code).toBe(
      'password_change_required',
    );
    const log = await api.rows(sql<{ text: string }>`select l::text as text
      from audit_log l`);
    expect(log.map(({ text }) => text).join('\n')).not.toContain(madeUp(output));
  });

  it('the admin command sets a new password only for a super admin', async () => {
    const before = await api.login('chief', 'plum orchard nine');
    expect(await resetAdmin(api.app, 'chief', typed('harbour lamp eleven'))).toContain(
      'logged out everywhere',
    );
    expect(await api.statusAtEachProcess(before)).toEqual([401, 401]);
    expect((await api.tryLogin('chief', 'harbour lamp eleven')).status).toBe(200);
    expect(await resetAdmin(api.app, 'clerk', typed('harbour lamp eleven'))).toContain(
      'no account named clerk',
    );
  });

  it('the admin command can disable a super admin, but never the last enabled one', async () => {
    const { app } = api;
    for (const name of ['super', 'second'])
      expect(await disableAdmin(app, name)).toContain('is disabled');
    expect(await api.tryLogin('super')).toMatchObject({
      status: 403,
      data: { code: 'account_disabled' },
    });
    expect(await disableAdmin(app, 'chief')).toContain('is the last enabled account');
    expect((await api.tryLogin('chief', 'harbour lamp eleven')).status).toBe(200);
  });
});
