import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let folder: string;
let key: string;
let clerk: string;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await system.login('clerk');
  const { data } = await system.call<{ key: string }>(clerk, 'POST', '/api/arco/keys', {
    name: '网店',
    scopes: ['parcels', 'order', 'cancel', 'labels'],
    password: 'waystation-demo',
  });
  key = data.key;
  folder = mkdtempSync(join(tmpdir(), 'waystation-examples-'));
  const client = fileURLToPath(new URL('../../client/waystation.ts', import.meta.url));
  copyFileSync(client, join(folder, 'waystation.ts'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await system.close();
});

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const exampleIn = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)![1]!;

const run = (command: string, args: string[]): Promise<{ code: number | null; text: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'], WAYSTATION_URL: system.url, WAYSTATION_KEY: key },
    });
    let text = '';
    child.stdout.on('data', (part: Buffer) => (text += part.toString()));
    child.stderr.on('data', (part: Buffer) => (text += part.toString()));
    child.on('error', reject).on('close', (code) => resolve({ code, text }));
  });

const isInstalled = async (command: string): Promise<boolean> => {
  try {
    return (await run(command, ['--version'])).code === 0;
  } catch {
    return false;
  }
};

describe('the examples of the public API', () => {
  it.each([
    { language: 'sh', command: 'sh', file: 'example.sh', needs: 'curl' },
    { language: 'js', command: process.execPath, file: 'example.mjs', needs: process.execPath },
    { language: 'python', command: 'python3', file: 'example.py', needs: 'python3' },
  ])(
    'the example in $language orders a parcel, fetches its label and cancels it',
    async ({ language, command, file, needs }) => {
      if (!(await isInstalled(needs))) return;
      writeFileSync(join(folder, file), exampleIn(language));
      const { code, text } = await run(command, language === 'sh' ? ['-e', file] : [file]);
      expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/^cancelled \d+\n$/) });
      expect(readFileSync(join(folder, 'label.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
      rmSync(join(folder, 'label.pdf'));
      const id = /\d+/.exec(text)![0];
      const { data } = await system.call<Express>(clerk, 'GET', `/api/arco/expresses/${id}`);
      expect(data).toMatchObject({ receive_name: '张三', print_count: 1 });
    },
  );
});
