import { readdirSync, readlinkSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { endpoint, withSchemas } from '@waystation/contract/base/endpoint.ts';
import { errors } from '@waystation/contract/base/errors.ts';
import { silentLog } from '#platform/log.ts';
import { eventually } from '#testing/test-system.ts';
import { route } from './route.ts';
import { createHttp } from './server.ts';

const limit = 200_000;
const anyFields = { input: z.looseObject({}), output: z.looseObject({}) };
const endpoints = {
  upload: endpoint<typeof anyFields, 'public'>({
    method: 'POST',
    path: '/forms',
    roles: 'public',
    takes: 'form',
    bodyLimit: limit,
    summary: 'Returns what it received.',
  }),
  json: endpoint<typeof anyFields, 'public'>({
    method: 'POST',
    path: '/json',
    roles: 'public',
    summary: 'Takes JSON.',
  }),
};
const calls = withSchemas(endpoints, { upload: anyFields, json: anyFields });

let http: FastifyInstance;
let handled = 0;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  http = await createHttp({
    app: {},
    routes: [
      route(calls.upload, async (_app, _actor, fields, { file }) => {
        handled++;
        return {
          fields,
          file: file && {
            name: file.name,
            size: file.size,
            bytes: (await file.read()).toString('hex'),
          },
        };
      }),
      route(calls.json, async () => ({})),
    ],
    log: silentLog(),
    authenticate: async () => null,
    checkOutput: false,
    trustProxy: false,
  });
  await http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  agent.destroy();
  await http.close();
});

interface Received {
  status: number;
  data: {
    code?: string;
    fields?: Record<string, string>;
    file?: { name: string; size: number; bytes: string } | null;
  };
  message: string;
}

const options = (headers: Record<string, string> = {}, path = '/forms') => ({
  method: 'POST',
  port: (http.server.address() as AddressInfo).port,
  path,
  headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
  agent,
});

/**
 * Sends a request. All requests share one connection, so a request that leaves unread bytes behind
 * breaks the next one.
 */
const send = (
  body: Buffer | string,
  headers?: Record<string, string>,
  path?: string,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const call = request(options(headers, path), async (response) =>
      resolve(JSON.parse(Buffer.concat(await response.toArray()).toString('utf8')) as Received),
    );
    call.on('error', reject).end(body);
  });

const part = (head: string, value = 'x') =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
const filePart = (name: string, value = 'x') => part(`name="file"; filename="${name}"`, value);
const codeOf = async (body: Buffer | string): Promise<string> => {
  const { status, data } = await send(body);
  return status === 200 ? 'taken' : data.code!;
};

describe('a form', () => {
  it('a form is received with its text fields and one file, whose bytes are unchanged', async () => {
    const bytes = Buffer.from([0, 13, 10, 45, 45, 255, 13, 10]);
    const form = new FormData();
    for (const [name, value] of Object.entries({
      period: '2026-03',
      note: '三月',
      file: new File([bytes], '三月 "账单".csv'),
    }))
      form.append(name, value as string);
    const encoded = new Response(form);
    const { data } = await send(Buffer.from(await encoded.arrayBuffer()), {
      'content-type': encoded.headers.get('content-type')!,
    });
    expect(data).toEqual({
      fields: { period: '2026-03', note: '三月' },
      file: { name: '三月 "账单".csv', size: bytes.length, bytes: bytes.toString('hex') },
    });
  });

  it.each([
    ['..\\..\\etc/passwd', 'passwd'],
    ['../../.ssh/authorized_keys', 'authorized_keys'],
    ['a%0D%0Ab%22.csv', 'a b".csv'],
    ['C:\\bills\\三月.csv', '三月.csv'],
    ['..', ''],
    ['con\u0007\u007f.csv', 'con .csv'],
    ['x'.repeat(500), 'x'.repeat(200)],
  ])('the file name %j in a form is received as %j', async (sent, kept) => {
    expect((await send(`${filePart(sent)}--b--`)).data.file?.name).toBe(kept);
  });

  it.each([
    ['a second file', `${filePart('a')}${filePart('b')}--b--`],
    ['a field sent twice', `${part('name="a"')}${part('name="a"')}--b--`],
    ['a file by another name', `${part('name="other"; filename="a"')}--b--`],
    ['a field named like a property of every object', `${part('name="__proto__"')}--b--`],
    ['a field without a name', `${part('title="a"')}--b--`],
    ['no end', filePart('a')],
    ['no beginning', 'x'],
    ['a file cut off', '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx'],
    [
      'more parts than any form has',
      `${Array.from({ length: 1_001 }, (_, n) => part(`name="f${n}"`)).join('')}--b--`,
    ],
    [
      'more than 1,000 fields',
      `${Array.from({ length: 1_001 }, (_, at) => part(`name="f${at}"`)).join('')}--b--`,
    ],
    ['a field longer than any field is', `${part('name="a"', 'x'.repeat(70_000))}--b--`],
    [
      'a header longer than any header is',
      `${part(`name="a"; title="${'x'.repeat(90_000)}"`)}${part('name="a"')}${part('name="a"')}--b--`,
    ],
    [
      'a field of JSON',
      '--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/json\r\n\r\n{"b":1}\r\n--b--',
    ],
  ])('a form with %s returns 400', async (_, body) => {
    expect(await codeOf(body)).toBe('bad_request');
    expect(await codeOf(`${filePart('a')}--b--`)).toBe('taken');
  });

  it('a form without a boundary, and a form sent to a JSON endpoint, are answered with 400', async () => {
    expect(
      (await send(`${filePart('a')}--b--`, { 'content-type': 'multipart/form-data' })).data.code,
    ).toBe('bad_request');
    expect((await send(`${filePart('a')}--b--`, {}, '/json')).data.code).toBe('bad_request');
  });

  it('an uploaded file that exceeds the limit returns 413 in the caller’s language, after the whole request was received', async () => {
    const body = `${filePart('a', 'x'.repeat(limit * 40))}${part('name="after"')}--b--`;
    expect(await send(body)).toMatchObject({
      status: 413,
      data: { code: 'too_large' },
      message: errors.too_large.zh,
    });
    expect(await send(body, { 'accept-language': 'en' })).toMatchObject({
      status: 413,
      message: errors.too_large.en,
    });
    expect((await send(`${filePart('a', 'x'.repeat(limit))}--b--`)).data.file?.size).toBe(limit);
  });

  it('a damaged form gets a response, and the next request on the same connection gets one too', async () => {
    const whole = Buffer.from(
      `${part('name="a"', 'one')}${filePart('bill.csv', '1,2\r\n--\r\n3,4')}${part('name="c"', 'two')}--b--\r\n`,
    );
    const damage = fc.array(
      fc.record({
        at: fc.nat(whole.length),
        drop: fc.nat(30),
        put: fc.string({
          unit: fc.constantFrom('\r', '\n', '-', 'b', '"', ';', ':', ' '),
          maxLength: 6,
        }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        let body: Buffer = whole;
        for (const { at, drop, put } of changes)
          body = Buffer.concat([body.subarray(0, at), Buffer.from(put), body.subarray(at + drop)]);
        expect([200, 400]).toContain((await send(body)).status);
      }),
      { numRuns: 300 },
    );
  });
});

const openUploads = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('waystation-upload-');
    } catch {
      return false;
    }
  }).length;

describe.skipIf(process.platform !== 'linux')('the temporary file of a form', () => {
  it('the temporary file of an upload is deleted after the response, and also if the client disconnects during the upload', async () => {
    await send(`${filePart('a')}--b--`);
    // The file is closed independently of the response.
    await eventually(async () => openUploads() === 0);
    const before = handled;
    const call = request({ ...options(), agent: false });
    call.on('error', () => undefined);
    call.write(filePart('a', 'x'.repeat(100_000)).slice(0, -2));
    await eventually(async () => openUploads() === 1);
    call.destroy();
    await eventually(async () => openUploads() === 0);
    expect(handled).toBe(before);
  });
});
