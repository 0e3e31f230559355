import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import type { Plugin } from 'vite';
import { afterEach, describe, expect, it, vi } from 'vitest';

const source = join(import.meta.dirname, '..');
const dist = join(source, '..', 'dist');

/** Texts and codes that occur only in the mocks and in no other part of the product. */
const traces = [
  /mock request succeeded/,
  /\b50008\b/,
  /account or password wrong/,
  /api\/(?:message|popular|content-data)\b/,
  /\bmock-token/,
];
const tracesIn = (code: string): string[] => traces.filter((trace) => trace.test(code)).map(String);

/**
 * Builds only the entry file and the mocks. All other imports are left out to make the build fast.
 */
const onlyMocks: Plugin = {
  name: 'only-mocks',
  enforce: 'pre',
  resolveId: (id, importer) =>
    importer?.endsWith('/main.ts') && !id.includes('mocks/') ? { id, external: true } : null,
};

const builtEntry = async (): Promise<string> => {
  const options = {
    write: false,
    minify: true,
    rolldownOptions: { input: join(source, 'start', 'main.ts') },
    modulePreload: false,
    reportCompressedSize: false,
  } as const;
  const result = await build({
    root: join(source, '..'),
    configFile: false,
    logLevel: 'silent',
    plugins: [onlyMocks],
    build: options,
  });
  if (!('output' in result)) throw new Error('one build was asked for');
  return result.output
    .map((file) => (file.type === 'chunk' ? file.code : String(file.source)))
    .join('\n');
};

describe('the mocks', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([['absent'], [''], ['0'], ['true']])(
    'a build with the flag %j contains no mock',
    async (flag) => {
      vi.stubEnv('NODE_ENV', 'production');
      vi.stubEnv('VITE_DEBUG_MOCKS', flag === 'absent' ? undefined : flag);
      const code = await builtEntry();
      expect(code).toContain('hash');
      expect(tracesIn(code)).toEqual([]);
    },
  );

  it('if a build has the flag "1", it contains the mocks, and the search for traces of the mocks finds every trace', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    vi.stubEnv('VITE_DEBUG_MOCKS', '1');
    expect(tracesIn(await builtEntry())).toEqual(traces.map(String));
  });

  it('only start/main.ts imports the mocks, and only if VITE_DEBUG_MOCKS is set', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && !name.startsWith('mocks'),
    );
    const asking = files.filter((name) => /mocks\//.test(readFileSync(join(source, name), 'utf8')));
    expect(asking).toEqual(['start/main.ts']);
    const lines = readFileSync(join(source, 'start', 'main.ts'), 'utf8').split('\n');
    expect(lines.filter((line) => line.includes('mocks/')).map((line) => line.trim())).toEqual([
      "if (import.meta.env.VITE_DEBUG_MOCKS === '1') (await import('#mocks/install.ts')).installMocks();",
    ]);
  });

  it.runIf(existsSync(join(dist, 'index.html')))(
    'the files of the built product contain no trace of the mocks',
    () => {
      const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\.(?:js|css|html|json)$/.test(name),
      );
      expect(files.length).toBeGreaterThan(5);
      expect(
        files.filter((name) => tracesIn(readFileSync(join(dist, name), 'utf8')).length > 0),
      ).toEqual([]);
    },
  );
});
