import { createInterface } from 'node:readline/promises';
import { errorText } from '@waystation/contract/base/errors.ts';
import { passwordLength } from '@waystation/contract/base/limits.ts';
import { passwordProblem } from '@waystation/contract/people/password.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { forgetBrowsers } from '#platform/auth/known-browsers.ts';
import { endChannels } from '#domain/notices/notices.ts';
import { endWebhooks } from '#domain/webhooks/webhooks.ts';
import { changesOfEnd, endKeys } from '#platform/auth/key-trust.ts';
import { hashPassword, makePassword } from '#platform/auth/password.ts';
import { removeTwoFactor } from '#platform/auth/two-factor.ts';
import { endSessions } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

const scope = systemScope('command line');

/** Reads a password from the terminal without echo; from a pipe, one line. */
const askPassword = async (): Promise<string> => {
  process.stdout.write(
    `Password (at least ${passwordLength.min} characters; empty: one is generated): `,
  );
  const lines = createInterface({
    input: process.stdin,
    output: process.stdin.isTTY
      ? new (await import('node:stream')).Writable({ write: (_chunk, _encoding, done) => done() })
      : undefined,
    terminal: process.stdin.isTTY,
  });
  // A pipe that ends without a line counts as an empty password.
  const password = await Promise.race([
    lines.question(''),
    new Promise<string>((resolve) => lines.once('close', () => resolve(''))),
  ]);
  lines.close();
  process.stdout.write('\n');
  return password;
};

interface Chosen {
  hash: string;
  must_change: 0 | 1;
  /** The end of the command's output: the generated password; empty if the password was typed. */
  notice: string;
}

/**
 * Returns the typed password, or a generated password that must be changed at the first login.
 * Returns an error text if the typed password breaks a rule.
 */
const choose = async (typed: string, username: string): Promise<Chosen | string> => {
  if (typed === '') {
    const password = makePassword();
    return {
      hash: await hashPassword(password),
      must_change: 1,
      notice: ` Its password is ${password} until the first login, which asks for another.`,
    };
  }
  const problem = passwordProblem(typed, username);
  if (problem)
    return `The password is not accepted: ${errorText(problem.code, problem.params, 'en')}.`;
  return { hash: await hashPassword(typed), must_change: 0, notice: '' };
};

const audit = (work: Work, action: string, id: number, changes: string): Promise<unknown> =>
  sql`insert into audit_log (account_name, role, action, subject, subject_id, changes)
    values ('command line', 'system', ${action}, 'accounts', ${id},
    ${changes}::jsonb)`.execute(work.tx);

/**
 * `admin create [username]`: creates the first account of a real installation, with the role super.
 * Refuses a name that is in use.
 */
export const createAdmin = async (
  app: App,
  username = 'admin',
  ask = askPassword,
): Promise<string> => {
  if (!/^[\w.@-]{3,64}$/.test(username))
    return `"${username}" cannot be a username: 3 to 64 letters, digits, or . _ @ -`;
  const chosen = await choose(await ask(), username);
  if (typeof chosen === 'string') return chosen;
  const made = await app.db.tx(scope, async (work) => {
    const { rows } = await sql<
      RowOf<'accounts', 'id'>
    >`insert into accounts (username, nickname, role, password_hash, must_change)
      values (${username}, ${username}, 'super', ${chosen.hash}, ${chosen.must_change})
      on conflict ((lower(username))) do nothing returning id`.execute(work.tx);
    if (rows[0]) await audit(work, 'create', rows[0].id, '{"password": [null, null]}');
    return rows.length > 0;
  });
  return made
    ? `The account ${username} with the role super is ready.${chosen.notice}`
    : `An account named ${username} already exists.`;
};

type SuperWork = (work: Work, account: { id: number; status: 0 | 1 }) => Promise<string>;

/**
 * Runs `run` with the super account of this name. Accounts with other roles are managed in the
 * console, by a super admin.
 */
const withSuper = (app: App, username: string, run: SuperWork): Promise<string> =>
  app.db.tx(scope, async (work) => {
    const { rows } = await sql<RowOf<'accounts', 'id' | 'status'> & { named: boolean }>`
      select id, status, lower(username) = lower(${username}) as named from accounts
        where role = 'super' order by id for no key update`.execute(work.tx);
    const account = rows.find(({ named }) => named);
    if (!account) return `There is no account named ${username} with the role super.`;
    return run(work, account);
  });

/**
 * `admin password <username>`: sets a new password for a super admin who has lost it, and turns off
 * two-factor authentication.
 */
export const resetAdmin = async (
  app: App,
  username = 'admin',
  ask = askPassword,
): Promise<string> => {
  const chosen = await choose(await ask(), username);
  if (typeof chosen === 'string') return chosen;
  return withSuper(app, username, async (work, { id }) => {
    await work.tx
      .updateTable('accounts')
      .set({
        password_hash: chosen.hash,
        must_change: chosen.must_change,
        password_changed_at: app.clock.now(),
        status: 1,
        version: sql`version + 1`,
        updated_at: sql`clock_timestamp()`,
      })
      .where('id', '=', id)
      .execute();
    await removeTwoFactor(work, id);
    await endSessions(work, id);
    for (const key of await endKeys(work, id, {
      by: null,
      now: app.clock.now(),
      made: true,
    }))
      await audit(work, 'revoke_key', key.account_id, JSON.stringify(changesOfEnd(key)));
    // A super admin has no webhooks or channels, but the account may have had another role before.
    await endWebhooks(work, id, app.clock.now());
    await endChannels(work, id, { now: app.clock.now() });
    await forgetBrowsers(work, id);
    await audit(work, 'reset_password', id, '{"password": [null, null]}');
    return `${username} has a new password and is logged out everywhere; two-factor authentication is off.${chosen.notice}`;
  });
};

/**
 * `admin disable <username>`: disables the account of a super admin who has left, but never the
 * last enabled super admin.
 */
export const disableAdmin = (app: App, username = 'admin'): Promise<string> =>
  withSuper(app, username, async (work, { id, status }) => {
    if (status === 0) return `${username} is already disabled.`;
    const rows = await work.tx
      .selectFrom('accounts')
      .select('id')
      .where('role', '=', 'super')
      .where('status', '=', 1)
      .where('id', '<>', id)
      .execute();
    if (rows.length === 0)
      return `${username} is the last enabled account with the role super and cannot be disabled.`;
    await work.tx
      .updateTable('accounts')
      .set({ status: 0, version: sql`version + 1`, updated_at: sql`clock_timestamp()` })
      .where('id', '=', id)
      .execute();
    await endSessions(work, id);
    await audit(work, 'disable', id, '{"status": [1, 0]}');
    return `${username} is disabled and logged out everywhere.`;
  });

const commands: Record<string, (app: App, username?: string) => Promise<string>> = {
  create: createAdmin,
  password: resetAdmin,
  disable: disableAdmin,
};

/** Returns the function of the command after `admin`; null if there is no such command. */
export const adminCommand = (
  word: string | undefined,
): ((app: App, username?: string) => Promise<string>) | null =>
  word !== undefined && Object.hasOwn(commands, word) ? present(commands[word]) : null;
