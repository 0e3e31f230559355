import { readFileSync } from 'node:fs';
import { readXlsx } from 'hucre/xlsx';
import type { Import } from '@waystation/contract/imports/import.ts';
import { readBatches, writeWorkbook } from '#domain/workbook/workbook.ts';
import { limitHeapGrowth } from '#platform/heap.ts';
import { openOwnCluster } from '#testing/own-cluster.ts';
import { backendTime } from '#testing/scale/bare.ts';
import { eventually, openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { openImports } from '#testing/import-sheets.ts';

/**
 * Measures a sheet of 100,000 rows and 15 columns in the whole product: it is read, repaired,
 * checked, priced and stored. For comparison, it is also only read, by the product's reader and by
 * a library. A third of the rows need a repair, one in a thousand has an error. Prints JSON.
 */
const count = Number(process.argv[2] ?? 100_000);
const titles = [
  '收件人',
  '手机',
  '省',
  '市',
  '区',
  '详细地址',
  '物品',
  '重量(kg)',
  '件数',
  '长(cm)',
  '宽(cm)',
  '高(cm)',
  '商家订单号',
  '备注',
  '说明',
];
const timeoutMs = 600_000;
const places = [
  ['上海市', '上海市', '浦东新区'],
  ['广东', '深圳', '南山区'],
  ['浙江省', '杭州市', '西湖区'],
  ['四川', '成都', '武侯区'],
  ['北京市', '北京市', '朝阳区'],
] as const;
const phoneOf = (at: number): string => {
  const digits = `137${10_000_000 + at}`;
  return at % 1_000 === 999
    ? '1'
    : at % 7 === 3
      ? `${digits.slice(0, 3)} ${digits.slice(3, 7)} ${digits.slice(7)}`
      : digits;
};
const rowOf = (at: number): string[] => [
  `示例收件人${at}`,
  phoneOf(at),
  ...places[at % places.length]!,
  `示例路 ${at} 号 ${1 + (at % 30)} 室`,
  '文件',
  String(1 + (at % 40) / 10),
  '1',
  '20',
  '15',
  '10',
  `S5-${at}`,
  at % 4 === 0 ? '工作日送货' : '',
  '',
];

const fileOf = async (): Promise<Buffer<ArrayBuffer>> => {
  async function* rows(): AsyncGenerator<string[]> {
    for (let at = 0; at < count; at++) yield rowOf(at);
  }
  const columns = titles.map((title) => ({ title, kind: 'text' as const }));
  return Buffer.concat(
    await Array.fromAsync(writeWorkbook('xlsx', { name: '订单', columns, rows: rows() })),
  );
};

interface Phase {
  name: string;
  ms: number;
  /** Milliseconds of processor time. */
  node_ms: number;
  postgres_ms: number;
}

/**
 * The processor time so far, in milliseconds, of this process and of the running processes of a
 * PostgreSQL server. `postgres` is 0 except on Linux.
 */
const processorTimes = (postmaster: number): { node: number; postgres: number } => {
  const { user, system } = process.cpuUsage();
  const node = (user + system) / 1_000;
  try {
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number);
    return { node, postgres: backendTime(children) };
  } catch {
    return { node, postgres: 0 };
  }
};

/** Measures the memory of the whole process, without PostgreSQL, in bytes. */
const watchMemory = (): { peak(): number } => {
  let most = 0;
  setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20).unref();
  return { peak: () => most };
};

const throughTheProduct = async (
  system: TestSystem,
  file: Buffer<ArrayBuffer>,
  times: () => { node: number; postgres: number },
): Promise<{ phases: Phase[]; counts: Import['counts']; peak_mb: number }> => {
  const imports = await openImports(system);
  // The first import loads code and data, so that later imports run as in a process that has worked
  // for a while.
  await imports.checked(imports.sheet(imports.line()));
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const memory = watchMemory();
  const phases: Phase[] = [];
  let since = { at: performance.now(), ...times() };
  const ended = (name: string): void => {
    const now = { at: performance.now(), ...times() };
    phases.push({
      name,
      ms: Math.round(now.at - since.at),
      node_ms: Math.round(now.node - since.node),
      postgres_ms: Math.round(now.postgres - since.postgres),
    });
    since = now;
  };
  const { id } = await imports.upload(new File([file], '订单.xlsx'));
  ended('uploaded');
  // On a busy machine, a large sheet needs longer than the tests' waiting limit, so the benchmark
  // has its own limit.
  const until = (done: (found: Import) => unknown): Promise<Import> =>
    eventually(async () => {
      const found = await imports.get(id);
      return done(found) ? found : null;
    }, timeoutMs);
  await until(({ status }) => status !== 'reading');
  ended('read and stored');
  const { version } = await until(({ status }) => status === 'ready');
  ended('repaired and checked');
  await imports.call('POST', `/${id}/quote`, { version });
  const { counts, quote } = await until((found) => found.quote !== null);
  ended('priced');
  if (quote!.rows !== counts.ok + counts.repaired + counts.warning)
    throw new Error(JSON.stringify({ counts, quote }));
  return { phases, counts, peak_mb: Math.round((memory.peak() - before) / 1_048_576) };
};

const timed = async (work: () => Promise<unknown>): Promise<{ ms: number; node_ms: number }> => {
  const [since, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return {
    ms: Math.round(performance.now() - since),
    node_ms: Math.round((user + system) / 1_000),
  };
};
const read = async (file: Buffer<ArrayBuffer>): Promise<void> => {
  let rows = 0;
  for await (const batch of readBatches('xlsx', file)) rows += batch.length;
  if (rows !== count + 1) throw new Error(`${rows} rows`);
};

limitHeapGrowth();
const file = await fileOf();
const cluster = await openOwnCluster('imports-bench');
try {
  const system = await openTestSystem();
  try {
    await system.topUp('nanshan', 1_000_000_000);
    const product = await throughTheProduct(system, file, () => processorTimes(cluster.pid()));
    const [reader, library] = [await timed(() => read(file)), await timed(() => readXlsx(file))];
    console.log(
      JSON.stringify({ rows: count, file_mb: file.length / 1_048_576, product, reader, library }),
    );
  } finally {
    await system.close();
  }
} finally {
  await cluster.stop();
}
