import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeForAccount } from '#platform/embedded/account-files.ts';
import { isWalFile } from './wal-files.ts';

/**
 * The folder of requests for log files. PostgreSQL runs a shell command to archive its log. The
 * command's account may be unable to reach Node or the archive, and must not have the key. The
 * command therefore only writes the request NAME.want into this folder of the cluster. It waits for
 * our answer, which is NAME.done, NAME.failed or NAME.bad.
 */
export const exchangeFolder = 'waystation_wal';

interface Asking {
  /** The shell commands that run when the file NAME.done exists. */
  done: string;
  pauseMs: number;
  /**
   * `untakenMs`: the milliseconds after which a request ends if no process has taken it.
   * `longestMs`: the longest wait for an answer.
   */
  untakenMs: number;
  longestMs: number;
  /** The exit code of the command if no process answers. */
  unanswered: 1 | 200;
}

/**
 * Returns the shell command as one line, because a PostgreSQL setting needs one line. In a
 * recovery, exit code 1 means the end of the log, and a code above 125 ends the recovery.
 */
const asking = ({ done, pauseMs, untakenMs, longestMs, unanswered }: Asking): string =>
  [
    `umask 077`,
    `mkdir -p ${exchangeFolder} && cd ${exchangeFolder} || exit ${unanswered}`,
    `rm -f %f.done %f.failed %f.bad`,
    `: > %f.want || exit ${unanswered}`,
    `n=0`,
    `while [ $n -lt ${Math.ceil(longestMs / pauseMs)} ]`,
    `do if [ -e %f.done ]; then ${done}; fi`,
    `if [ -e %f.failed ]; then rm -f %f.failed; exit 1; fi`,
    `if [ -e %f.bad ]; then rm -f %f.bad; exit 200; fi`,
    `if [ -e %f.want ] && [ $n -gt ${Math.ceil(untakenMs / pauseMs)} ]; then break; fi`,
    `sleep ${pauseMs / 1_000}`,
    `n=$((n+1))`,
    `done`,
    `rm -f %f.want`,
    `exit ${unanswered}`,
  ].join('; ');

/**
 * PostgreSQL runs a failed archive command three times. If no process answers, these three runs end
 * within the time that a stop allows PostgreSQL.
 */
export const archiveCommand = asking({
  done: 'rm -f %f.done; exit 0',
  pauseMs: 100,
  untakenMs: 4_000,
  longestMs: 60_000,
  unanswered: 1,
});

export const restoreCommand = asking({
  done: 'mv -f %f.done ../%p && exit 0; exit 200',
  pauseMs: 20,
  untakenMs: 60_000,
  longestMs: 600_000,
  unanswered: 200,
});

/**
 * The archiver's answer to a command: `bytes` is the content of the requested file; the mark `bad`
 * ends a recovery.
 */
export interface Answer {
  mark: 'done' | 'failed' | 'bad';
  bytes?: Buffer;
}

type Answering = (name: string) => Promise<Answer>;

const answer = async (folder: string, name: string, { mark, bytes }: Answer): Promise<void> => {
  const part = join(folder, `${name}.part`);
  const place = await lstat(folder);
  if (!place.isDirectory()) throw new Error(`${folder} is no folder`);
  const { uid, gid } = place;
  await writeForAccount(part, bytes ?? '', process.getuid?.() === 0 ? { uid, gid } : null);
  await rename(part, join(folder, `${name}.${mark}`));
};

/** Answers every request that waits in the folder. */
const lookOnce = async (folder: string, answering: Answering): Promise<void> => {
  const names = await readdir(folder).catch(() => []);
  for (const file of names) {
    const name = file.slice(0, -'.want'.length);
    if (!file.endsWith('.want') || !isWalFile(name)) continue;
    await rm(join(folder, file), { force: true });
    const found = await answering(name);
    await answer(folder, name, found).catch((error: unknown) => {
      if (found.bytes === undefined) throw error;
      // The disk is full and has no room for the log file, so the recovery is ended.
      return answer(folder, name, { mark: 'bad' });
    });
  }
};

/**
 * Answers the requests that PostgreSQL's commands write into the exchange folder. `stop` waits for
 * the answer that is being written.
 */
export const answerIn = (
  cluster: string,
  everyMs: number,
  answering: Answering,
): { stop(): Promise<void> } => {
  const folder = join(cluster, exchangeFolder);
  const ending = new AbortController();
  const loop = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      // If an answer cannot be written, for example because the disk is full, the waiting command
      // ends at its own time limit.
      await lookOnce(folder, answering).catch(() => {});
      await sleep(everyMs, undefined, { signal: ending.signal, ref: false }).catch(() => {});
    }
  };
  const running = loop();
  return {
    stop: () => {
      ending.abort();
      return running;
    },
  };
};
