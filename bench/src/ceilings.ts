/**
 * What one person may take from the others: a clerk who searches as hard as allowed, a hostile workbook and an export at once, while three colleagues
 * read their lists. Their slowest twentieth, beside the same reading while nothing else runs.
 */
import { constants, crc32, createDeflateRaw } from 'node:zlib';
import { startProduct } from './browser/product.ts';
import { pause, runBench } from './browser/program.ts';

const threshold = 2;
const minutes = 6;
const password = 'waystation-demo';
/** Enough for an export in the background. */
const parcels = 6_000;
/** Milliseconds: quiet before, busy, quiet after. */
const windows = { quiet: 15_000, busy: 30_000 };
/** Between two readings of a colleague. */
const glance = 150;
/** One account runs four searches at a time. */
const searchers = 4;

interface Answer {
  status: number;
  data: unknown;
  retryAfter: number;
}
type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

const asker =
  (base: string, token: string): Ask =>
  async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return {
      status: response.status,
      data: isJson ? (JSON.parse(text) as { data: unknown }).data : text,
      retryAfter: Number(response.headers.get('retry-after') ?? 0),
    };
  };

const logIn = async (base: string, username: string): Promise<Ask> => {
  const response = await fetch(`${base}/api/arco/login/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return asker(base, ((await response.json()) as { data: { access_token: string } }).data.access_token);
};

interface Part {
  name: string;
  crc: number;
  size: number;
  packed: Buffer;
}

/** A text repeated so often, deflated without ever being whole in memory. */
const repeated = async (name: string, before: string, text: string, times: number, after: string): Promise<Part> => {
  const deflate = createDeflateRaw({ level: constants.Z_BEST_COMPRESSION });
  const packed: Buffer[] = [];
  const done = new Promise<void>((resolve, reject) =>
    deflate
      .on('data', (chunk: Buffer) => packed.push(chunk))
      .on('end', resolve)
      .on('error', reject),
  );
  const perChunk = Math.min(times, 20_000);
  const chunk = Buffer.from(text.repeat(perChunk));
  let crc = 0;
  let size = 0;
  const write = async (bytes: Buffer): Promise<void> => {
    crc = crc32(bytes, crc);
    size += bytes.length;
    if (!deflate.write(bytes)) await new Promise((resume) => deflate.once('drain', resume));
  };
  await write(Buffer.from(before));
  for (let made = 0; made < times; made += perChunk) await write(chunk);
  await write(Buffer.from(after));
  deflate.end();
  await done;
  return { name, crc, size, packed: Buffer.concat(packed) };
};

const zipOf = (parts: readonly Part[]): Buffer => {
  const entries: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, crc, size, packed } of parts) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), fields, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002', 'latin1'), Buffer.from([20, 0]), fields, rest, Buffer.from(name)]));
    entries.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...entries, central, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
};

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const plain = (name: string, text: string): Promise<Part> => repeated(name, xml + text, '', 1, '');

/** Some 300 MB of tiny strings; made once, so that making them is no part of the load. */
const tinyStrings = (): Promise<Part> => repeated('xl/sharedStrings.xml', `${xml}<sst ${main}>`, '<si><t>a</t></si>', 17_000_000, '</sst>');

/** Below a megabyte on the wire and some 300 MB of tiny shared strings inflated; `mark` makes each another file. */
const hostileWorkbook = async (strings: Part, mark: number): Promise<Buffer> =>
  zipOf([
    await plain(
      '[Content_Types].xml',
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
    ),
    await plain(
      '_rels/.rels',
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    await plain('xl/workbook.xml', `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="s${mark}" sheetId="1" r:id="rId1"/></sheets></workbook>`),
    await plain(
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    ),
    strings,
    await plain('xl/worksheets/sheet1.xml', `<worksheet ${main}><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>`),
  ]);

const lists = [
  '/api/arco/expresses?page_size=20',
  '/api/arco/expresses?tab=signed&page_size=20',
  '/api/arco/contacts?page_size=20',
  '/api/arco/expresses?q=JDVE&page_size=20',
];

/** Milliseconds of each reading until `until`. */
const readLists = async (ask: Ask, until: number, from: number): Promise<number[]> => {
  const times: number[] = [];
  for (let at = from; performance.now() < until; at++) {
    const since = performance.now();
    const { status, data } = await ask('GET', lists[at % lists.length]!);
    if (status !== 200) throw new Error(`a colleague's list answered ${status} ${JSON.stringify(data)}`);
    times.push(performance.now() - since);
    await pause(glance);
  }
  return times;
};

const p95 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!;

const window = async (colleagues: readonly Ask[], ms: number): Promise<number[]> => {
  const until = performance.now() + ms;
  return (await Promise.all(colleagues.map((ask, at) => readLists(ask, until, at)))).flat();
};

const syllables = '王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗';
/** The dearest searches that are taken: 100 characters, frequent single characters, 2,000 numbers. */
const searches = [
  '深'.repeat(100),
  [...syllables].slice(0, 8).join(' '),
  '张',
  'JDVE0000',
  `${syllables.repeat(5)}`,
  Array.from({ length: 2_000 }, (_, at) => `JDVE${String(at).padStart(11, '0')}`).join(' '),
].map((q) => `/api/arco/expresses?q=${encodeURIComponent(q)}&page_size=200`);

interface Load {
  answers: Map<number, number>;
  workbooks: number;
  exports: number;
}

const search = async (ask: Ask, busy: { on: boolean }, load: Load, from: number): Promise<void> => {
  for (let at = from; busy.on; at++) {
    const { status, retryAfter } = await ask('GET', searches[at % searches.length]!);
    load.answers.set(status, (load.answers.get(status) ?? 0) + 1);
    if (retryAfter > 0) await pause(retryAfter * 1000);
  }
};

/** Uploads the next workbook when the one before was refused or has failed. */
const upload = async (ask: Ask, busy: { on: boolean }, load: Load, strings: Part): Promise<void> => {
  const month = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 7);
  while (busy.on) {
    const made = await hostileWorkbook(strings, load.workbooks);
    const form = new FormData();
    form.append('period', month);
    form.append('provider', 'jdl');
    form.append('file', new Blob([new Uint8Array(made)]), `bill-${load.workbooks}.xlsx`);
    const { status, data } = await ask('POST', '/api/arco/reconciliations', form);
    load.workbooks++;
    if (status !== 200) throw new Error(`the upload answered ${status} ${JSON.stringify(data)}`);
    const { id } = data as { id: number };
    while (busy.on) {
      const row = (await ask('GET', `/api/arco/reconciliations/${id}`)).data as { status: string };
      if (row.status === 'failed') break;
      await pause(500);
    }
  }
};

const columns = ['delivery_id', 'order_id', 'receive_name', 'receive_address', 'post_amount', 'state_txt', 'created_at'].map((key) => ({ key, title: key }));

const exportAll = async (ask: Ask, busy: { on: boolean }, load: Load): Promise<void> => {
  while (busy.on) {
    const { status, data } = await ask('POST', '/api/arco/exports', { list: 'expresses', filters: {}, columns, format: 'xlsx', language: 'zh' });
    if (status !== 200) throw new Error(`the export answered ${status} ${JSON.stringify(data)}`);
    const { job_id } = data as { job_id?: number };
    load.exports++;
    while (busy.on && job_id !== undefined) {
      const { status: state } = (await ask('GET', `/api/arco/jobs/${job_id}`)).data as { status: string };
      if (!['queued', 'running', 'waiting'].includes(state)) break;
      await pause(500);
    }
  }
};

await runBench('ceilings', minutes, async () => {
  const strings = await tinyStrings();
  const { base } = await startProduct('ceilings', parcels);
  const [clerk, admin, ...colleagues] = await Promise.all(['clerk', 'admin', 'station', 'partner', 'super'].map((name) => logIn(base, name)));
  // Warms server and database up.
  await window(colleagues, 3_000);
  const before = await window(colleagues, windows.quiet);
  const busy = { on: true };
  const load: Load = { answers: new Map(), workbooks: 0, exports: 0 };
  const loads = [
    ...Array.from({ length: searchers }, (_, at) => search(clerk!, busy, load, at)),
    upload(admin!, busy, load, strings),
    exportAll(admin!, busy, load),
  ];
  const failed = Promise.race(loads.map((one) => one.then(() => new Promise<never>(() => {}))));
  const during = await Promise.race([window(colleagues, windows.busy), failed]);
  busy.on = false;
  await Promise.all(loads);
  const quiet = [...before, ...(await window(colleagues, windows.quiet))];
  const ratio = p95(during) / p95(quiet);
  const ok = ratio <= threshold;
  console.log(`ceilings list p95 busy vs quiet ${ratio.toFixed(2)} (≤ ${threshold.toFixed(2)}) ${ok ? 'ok' : 'MISSED'}`);
  const statuses = [...load.answers].map(([status, n]) => `${n} × ${status}`).join(', ');
  console.log(`   ${p95(during).toFixed(0)} ms beside ${p95(quiet).toFixed(0)} ms, of ${during.length} and ${quiet.length} readings`);
  console.log(
    `   in ${windows.busy / 1000} s: searches ${statuses}; ${load.workbooks} workbooks of ${(strings.packed.length / 1024).toFixed(0)} KB; ${load.exports} exports of ${parcels} parcels`,
  );
  return ok;
});
