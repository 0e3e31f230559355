import { describe, expect, it } from 'vitest';
import { Failure } from '#platform/fail.ts';
import { parseForm } from './form.ts';

const made = async (entries: Record<string, string | File>): Promise<{ body: Buffer; boundary: string }> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(entries)) form.append(name, value as string);
  const response = new Response(form);
  const boundary = /boundary=(.+)$/.exec(response.headers.get('content-type')!)![1]!;
  return { body: Buffer.from(await response.arrayBuffer()), boundary };
};

const refused = (body: Buffer | string, boundary = 'b'): string => {
  try {
    parseForm(Buffer.from(body), boundary);
  } catch (error) {
    if (error instanceof Failure) return error.code;
  }
  return 'taken';
};

const part = (head: string, value = 'x') => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;

describe('a form', () => {
  it('is its fields and one file, byte by byte', async () => {
    const bytes = Buffer.from([0, 13, 10, 45, 45, 255, 13, 10]);
    const { body, boundary } = await made({ period: '2026-03', provider: 'jdl', file: new File([bytes], '三月 "账单".csv') });
    const form = parseForm(body, boundary);
    expect(form.fields).toEqual({ period: '2026-03', provider: 'jdl' });
    expect({ ...form.file, bytes: form.file!.bytes.toString('hex') }).toEqual({ name: '三月 "账单".csv', bytes: bytes.toString('hex') });
  });

  it('keeps of a file’s name what is no path', () => {
    expect(parseForm(Buffer.from(`${part('name="file"; filename="..\\..\\etc/passwd"')}--b--`), 'b').file?.name).toBe('passwd');
  });

  it('is refused with two files, a name twice, without its end or its beginning, and with a file by another name', () => {
    const file = part('name="file"; filename="a"');
    expect(
      [
        `${file}${file}--b--`,
        `${part('name="a"')}${part('name="a"')}--b--`,
        file,
        'x',
        `${part('name="other"; filename="a"')}--b--`,
        `${part('name="__proto__"')}--b--`,
      ].map((body) => refused(body)),
    ).toEqual(Array(6).fill('bad_request'));
    expect(refused(`${file}--b--`)).toBe('taken');
  });

  it('is refused with more parts than any form has', () => {
    expect(refused(`${Array.from({ length: 1_001 }, (_, n) => part(`name="f${n}"`)).join('')}--b--`)).toBe('bad_request');
  });
});
