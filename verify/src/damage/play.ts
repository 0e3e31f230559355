import { readFileSync } from 'node:fs';
import type { Import } from '@waystation/contract/imports/import.ts';
import { openImports } from '@waystation/server/testing/import-sheets.ts';
import type { TestImports } from '@waystation/server/testing/import-sheets.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';

/** A file that is uploaded. */
export interface Damaged {
  name: string;
  upload: string;
  bytes: Buffer;
}

/** The result of an upload: the error `code` if the file was refused, otherwise 'read'. */
export interface Ended {
  code: string;
  /** The milliseconds until the result was known. */
  ms: number;
  /**
   * The longest time in milliseconds in which no row was read. Reading a hundred thousand rows
   * takes long, but the user sees that the number of read rows increases.
   */
  still: number;
}

/** The error codes that count as crashes. They blame the reader and not the file. */
const faults = new Set(['file_reader_gone', 'import_given_up', 'internal']);
/** The maximum time in milliseconds in which the reading of a file may make no progress. */
export const mostMs = 5_000;
/** The maximum growth of the product's memory in bytes. */
export const mostGrowth = 150 * 1024 * 1024;

const endOf = async (
  imports: TestImports,
  { upload, bytes }: Damaged,
  moved: (rows: number) => void,
): Promise<string> => {
  const form = new FormData();
  form.append('again', '1');
  form.append('file', new File([new Uint8Array(bytes)], upload));
  const answer = await imports.call<Import>('POST', '', form);
  if (answer.status === 422 || answer.status === 413) {
    const { code, fields } = answer.data as unknown as {
      code?: string;
      fields?: { file?: { code: string } };
    };
    return fields?.file?.code ?? code ?? 'refused';
  }
  if (answer.status !== 200) return `answered ${answer.status}`;
  const found = await imports.until(answer.data.id, ({ status, rows_read, rows_checked }) => {
    moved(rows_read + rows_checked);
    return !['reading', 'checking'].includes(status);
  });
  if (found.status === 'failed') return found.reason!.code;
  await imports.call('POST', `/${found.id}/cancel`, { version: found.version });
  return 'read';
};

/** Uploads a file and waits until the product has read it or refused it. */
export const playFile = async (imports: TestImports, file: Damaged): Promise<Ended> => {
  const since = performance.now();
  let [last, rows, still] = [since, 0, 0];
  const moved = (now: number): void => {
    still = Math.max(still, performance.now() - last);
    if (now !== rows) last = performance.now();
    rows = now;
  };
  const code = await endOf(imports, file, moved).catch((error: unknown) =>
    error instanceof Error ? error.message : 'failed',
  );
  const ended = performance.now();
  return { code, ms: ended - since, still: Math.max(still, ended - last) };
};

/** Describes the fault of a result; returns null if the result has no fault. */
export const faultOf = ({ code, still }: Omit<Ended, 'ms'>): string | null => {
  if (faults.has(code) || !/^(?:read|[a-z]+_[a-z_]+)$/.test(code)) return `ended as ${code}`;
  return still > mostMs ? `stood still for ${(still / 1_000).toFixed(1)} s` : null;
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/**
 * The response times of other requests in milliseconds, the number of these requests, and the
 * number of refused ones.
 */
export interface Others {
  count: number;
  median: number;
  p99: number;
  longest: number;
  refused: number;
}

/**
 * Requests the health check and a list repeatedly until it is stopped. Measures the response times.
 */
export const watchOthers = async (system: TestSystem) => {
  const token = await system.login('admin');
  let over = false;
  const times: number[] = [];
  let refused = 0;
  const ask = async (path: string): Promise<void> => {
    const since = performance.now();
    const { status } = await fetch(`${system.url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    times.push(performance.now() - since);
    if (status !== 200) refused++;
  };
  const asking = (async () => {
    while (!over) {
      await ask('/healthz');
      await ask('/api/arco/expresses');
      await new Promise((later) => setTimeout(later, 20));
    }
  })();
  return {
    stop: async (): Promise<Others> => {
      over = true;
      await asking;
      const sorted = times.toSorted((a, b) => a - b);
      return {
        count: sorted.length,
        median: quantile(sorted, 0.5),
        p99: quantile(sorted, 0.99),
        longest: sorted.at(-1) ?? 0,
        refused,
      };
    },
  };
};

/**
 * Returns the memory of a process in bytes (resident set size); 0 if the system does not report it.
 */
export const memoryOf = (pid: number): number => {
  const line =
    process.platform === 'linux'
      ? /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
      : null;
  return line === null ? 0 : Number(line[1]) * 1_024;
};

/** Measures the maximum memory that a process uses from now on. `stop` returns it. */
export const watchMemory = (pid: number, interval = 20) => {
  let most = memoryOf(pid);
  const timer = setInterval(() => (most = Math.max(most, memoryOf(pid))), interval);
  return {
    stop: (): number => {
      clearInterval(timer);
      return Math.max(most, memoryOf(pid));
    },
  };
};

/** Opens the test functions with which a clerk uploads the damaged files. */
export const openDoor = (system: TestSystem): Promise<TestImports> => openImports(system);
export const inMb = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
