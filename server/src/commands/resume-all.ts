import pg from 'pg';
import { firstOf } from '@waystation/contract/base/present.ts';
import { ConfigError } from '#config.ts';
import type { Connections } from '#connections.ts';
import type { CommandResult } from './command-result.ts';

/**
 * `prove --resume-all REASON` ends the suspension of all stations after its cause was found. Only
 * the database owner may run it. Single stations are resumed in the console.
 */
export const resumeAllCommand = async (
  { owner }: Pick<Connections, 'owner'>,
  reason: string,
): Promise<CommandResult> => {
  if (!owner)
    throw new ConfigError(
      'All stations are resumed as the owner of the database: set DATABASE_URL.',
    );
  if (reason.trim().length < 10)
    return { text: 'Not resumed: give a reason of at least 10 characters.', code: 1 };
  const client = new pg.Client(owner);
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ cleared: boolean }>(
      'select ledger_clear_block(0, null, $1, now()) as cleared',
      [reason],
    );
    if (!firstOf(rows).cleared) return { text: 'The payments of all were not suspended.', code: 0 };
    await client.query(
      `insert into audit_log (account_name, role, action, subject, reason)
       values ('system', 'system', 'unblock', 'stations', $1)`,
      [reason],
    );
    await client.query('commit');
    return {
      text: 'Payments are resumed. Stations that are suspended by themselves stay so.',
      code: 0,
    };
  } finally {
    await client.end().catch(() => {});
  }
};
