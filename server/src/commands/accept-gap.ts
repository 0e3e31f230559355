import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { App } from '#app.ts';
import { acceptGap, gapOf } from '#domain/ledger/ledger.ts';
import { independentApprovers, setupDays } from '#domain/second-person/second-person.ts';
import { verifyNothing, verifyPassword } from '#platform/auth/password.ts';
import type { CommandResult } from './command-result.ts';
import { lacksSecondFactor } from '#platform/auth/two-factor-duty.ts';
import { twoFactorOf, verifyTwoFactor } from '#platform/auth/two-factor.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

const scope = systemScope('command line');

export type Ask = (question: string, hidden?: boolean) => Promise<string>;

/**
 * Asks questions on the terminal, without showing typed passwords. From a pipe it reads one line
 * per question.
 */
export const terminal = (): { ask: Ask; end: () => void } => {
  let muted = false;
  const echo = new Writable({
    write: (chunk, _encoding, done) => {
      if (!muted) process.stdout.write(chunk as Buffer);
      done();
    },
  });
  const lines = createInterface({
    input: process.stdin,
    output: process.stdin.isTTY ? echo : undefined,
    terminal: process.stdin.isTTY,
  });
  const input = lines[Symbol.asyncIterator]();
  return {
    ask: async (question, hidden = false) => {
      process.stdout.write(question);
      muted = hidden;
      const { value, done } = await input.next();
      muted = false;
      if (hidden) process.stdout.write('\n');
      return done ? '' : String(value).trim();
    },
    end: () => lines.close(),
  };
};

interface Person {
  id: number;
  username: string;
}

/**
 * Identifies an administrator by the password and, if it is on for the account, by two-factor
 * authentication. Returns null if the password or the code is wrong.
 */
const personAt = async (app: App, ask: Ask, which: string): Promise<Person | null> => {
  const username = await ask(`${which} person, username: `);
  const password = await ask('Password: ', true);
  const account = await app.db.tx(scope, async (work) => {
    const { rows } = await sql<Person & { password_hash: string }>`select a.id, a.username,
      a.password_hash from accounts a
      where lower(a.username) = lower(${username}) and a.status = 1
        and a.role in ('super', 'admin') and a.must_change = 0
        and not ${lacksSecondFactor}`.execute(work.tx);
    return rows[0];
  });
  const right = account
    ? await verifyPassword(password, account.password_hash)
    : await verifyNothing(password);
  if (!account || !right) return null;
  const factor = await app.db.tx(scope, (work) => twoFactorOf(work, account.id));
  if (factor?.confirmed_at) {
    const code = await ask('Verification code: ', true);
    if (
      (await app.db.tx(scope, (work) =>
        verifyTwoFactor(work, app.secrets, {
          account_id: account.id,
          otp: code,
          now: app.clock.now(),
        }),
      )) === null
    )
      return null;
  }
  return { id: account.id, username: account.username };
};

/**
 * `prove --accept-gap`: for a database restored from a backup that is older than the last chain
 * heads. Two administrators, each with a password, accept that the records after the backup are
 * lost. The heads file, the database and the audit log store who accepted it, when and why. The
 * second administrator must be independent of the first, if such an administrator exists
 * (docs/ledger.md, Limits).
 */
export const acceptGapCommand = async (app: App, ask: Ask): Promise<CommandResult> => {
  const refused = (text: string): CommandResult => ({ text, code: 1 });
  const file = app.config.headsFile;
  if (file === null)
    return refused(
      'No heads are written here (WAYSTATION_HEADS_FILE is off), so there is no gap to accept.',
    );
  const chains = await gapOf(app.db, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (chains === null) return refused(`There is no file ${file}.`);
  if (chains.length === 0)
    return { text: 'The chains match every head that was written: there is no gap.', code: 0 };
  const list = chains.map(
    ([chain, station_id, keep, written]) =>
      `  ${chain} ${station_id}: the database ends at ${keep}, the file at ${written}`,
  );
  process.stdout.write(
    `Records in the file that are missing from the database:\n${list.join('\n')}\n`,
  );
  const first = await personAt(app, ask, 'First');
  if (!first)
    return refused(
      'Not accepted: name, password or code is wrong, or the account is not an administrator.',
    );
  const second = await personAt(app, ask, 'Second');
  if (!second)
    return refused(
      'Not accepted: name, password or code is wrong, or the account is not an administrator.',
    );
  if (first.id === second.id) return refused('Not accepted: two people are required.');
  const independent = await app.db.tx(scope, (work) =>
    independentApprovers(work, { account_id: first.id, at: app.clock.now() }),
  );
  if (independent.length > 0 && !independent.includes(second.id))
    return refused(
      `Not accepted: within ${setupDays} days one person set up both accounts. Ask an administrator who is independent of ${first.username}.`,
    );
  const reason = await ask('Reason (which backup, why it was restored): ');
  if (reason.length < 10) return refused('Not accepted: give a reason of at least 10 characters.');
  const gap = await acceptGap(
    app.db,
    file,
    { accounts: [first, second], reason, at: app.clock.now() },
    {
      chains,
      within: async (work, id) => {
        for (const person of [first, second])
          await sql`insert into audit_log (at, account_id, account_name, role, action, subject,
        subject_id, changes, reason)
        select ${app.clock.now()}, id, username, role, 'ledger.accept_gap', 'ledger_gaps',
          ${id}, ${jsonText({ chains: [chains.length, 0] })}::jsonb, ${reason}
        from accounts where id = ${person.id}`.execute(work.tx);
      },
    },
  );
  return {
    text: `Gap ${gap} is accepted by ${first.username} and ${second.username}. Run "prove --full", then resume the payments of suspended stations.`,
    code: 0,
  };
};
