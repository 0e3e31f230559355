import { createInterface } from 'node:readline/promises';
import type { App } from '#app.ts';
import { hashPassword } from '#platform/auth/password.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

const shortest = 12;

/** Asked on the terminal without echo; from a pipe, one line. */
const askPassword = async (): Promise<string> => {
  process.stdout.write(`Password (at least ${shortest} characters): `);
  const lines = createInterface({
    input: process.stdin,
    output: process.stdin.isTTY ? new (await import('node:stream')).Writable({ write: (_chunk, _encoding, done) => done() }) : undefined,
    terminal: process.stdin.isTTY,
  });
  const password = await lines.question('');
  lines.close();
  process.stdout.write('\n');
  return password;
};

/** `admin create [username]`: the first account of a real installation, with the role super. Refuses a name that is taken. */
export const createAdmin = async (app: App, username = 'admin'): Promise<string> => {
  if (!/^[\w.@-]{3,64}$/.test(username)) return `"${username}" cannot be a username: 3 to 64 letters, digits, or . _ @ -`;
  const password = await askPassword();
  if (password.length < shortest) return `The password is too short: at least ${shortest} characters.`;
  const password_hash = await hashPassword(password);
  const made = await app.db.tx(systemScope('first administrator'), async (tx) => {
    const { rows } = await sql<{
      id: number;
    }>`insert into accounts (username, nickname, role, password_hash) values (${username}, ${username}, 'super', ${password_hash})
      on conflict ((lower(username))) do nothing returning id`.execute(tx);
    if (rows[0])
      await sql`insert into audit_log (account_name, role, action, subject, subject_id) values ('command line', 'system', 'create', 'accounts', ${rows[0].id})`.execute(
        tx,
      );
    return rows.length > 0;
  });
  return made ? `The account ${username} with the role super is ready.` : `There is an account named ${username} already.`;
};
