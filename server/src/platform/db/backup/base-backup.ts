import type pg from 'pg';
import { firstOf } from '@waystation/contract/base/present.ts';

/**
 * A base backup of PostgreSQL, which belongs to one connection. The database's files may be copied
 * after `begin` and before `end`.
 */
export interface BaseBackup {
  /** Begins a base backup. Returns the version of PostgreSQL. */
  begin(name: string): Promise<string>;
  /**
   * Ends the copy. Returns the label file from which a recovery begins, the last log segment that
   * it needs, and the end time of the copy.
   */
  end(): Promise<{ label: string; to: string; at: Date }>;
}

/**
 * Begins and ends a base backup. A copy that fails need not call `end`, because PostgreSQL ends the
 * backup when the connection closes.
 */
export const baseBackup = (client: pg.ClientBase): BaseBackup => ({
  begin: async (name) => {
    await client.query('set statement_timeout = 0');
    const { rows } = await client.query<{ version: string }>(
      `select current_setting('server_version') as version from pg_backup_start($1, fast => true)`,
      [name],
    );
    return firstOf(rows).version;
  },
  end: async () => {
    const { rows } = await client.query<{ label: string; to: string; at: Date }>(
      `select b.labelfile as label, pg_walfile_name(b.lsn) as to, clock_timestamp() as at
         from pg_backup_stop(wait_for_archive => false) b`,
    );
    return firstOf(rows);
  },
});
