import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { App } from '#app.ts';
import { daysBefore } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';

const fileName = /^waystation-\d{8}T\d{6}Z\.backup$/;

interface Stored {
  stored_as: string;
  finished_at: Date;
  verified_at: Date | null;
}

/**
 * The files of complete backups older than the limit, without the newest one and the one that was
 * verified last. `rows`: the complete backups in this folder, the newest first.
 */
export const oldBackups = (rows: readonly Stored[], before: Date): string[] => {
  const verified = rows
    .filter(({ verified_at }) => verified_at !== null)
    .toSorted((one, other) => other.verified_at!.getTime() - one.verified_at!.getTime())[0];
  return rows
    .filter((row, at) => at > 0 && row !== verified && row.finished_at < before)
    .map(({ stored_as }) => basename(stored_as))
    .filter((name) => fileName.test(name));
};

/**
 * Removes the files of backups that are older than the setting. Only files that this database
 * recorded are removed, since other installations may use the folder, too.
 */
export const removeOldBackups = async ({
  db,
  clock,
  config: { backupDir },
  log,
}: Pick<App, 'db' | 'clock' | 'log'> & {
  config: Pick<App['config'], 'backupDir'>;
}): Promise<void> => {
  if (backupDir === null) return;
  const names = await db.tx(systemScope('old backups'), async (work) => {
    const days = await readSetting(work, 'backup_keep_days');
    const { rows } = await sql<Stored>`select stored_as, finished_at, verified_at from backups
      where finished_at is not null and problem is null
        and stored_as like ${`${backupDir.replaceAll(/[\\%_]/g, '\\$&')}/%`}
      order by finished_at desc, id desc`.execute(work.tx);
    return oldBackups(rows, daysBefore(clock.now(), days));
  });
  for (const name of names)
    try {
      await rm(join(backupDir, name), { force: true });
      await rm(join(backupDir, `${name}.json`), { force: true });
    } catch (error) {
      log.warn({ err: error, name }, 'an old backup could not be removed');
    }
};
