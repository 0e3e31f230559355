import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webSources } from './build.mjs';
import { isInstalled, linkWorkspaces } from './install.mjs';
import { slowness } from './limits.mjs';
import { startTimeOf } from './process-identity.mjs';
import { mustBeFree } from './ports.mjs';
import { whilePreparing } from './prepare-lock.mjs';
import { keepRunning } from './processes.mjs';
import { plainEnv } from './tasks.mjs';

const house = join(import.meta.dirname, '..');
let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'a checkout '));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path, content) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
};

describe('whether the packages are installed', () => {
  const zod = { version: '4.6.7', integrity: 'sha512-a' };
  const other = { version: '1.0.0', optional: true, os: ['plan9'] };
  const ours = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] };
  const installed = (wanted, there) => {
    put('package-lock.json', { packages: { '': {}, ...wanted } });
    if (there) put('node_modules/.package-lock.json', { packages: there });
    return isInstalled(root);
  };

  it('a package counts as installed if the list that npm writes at the end of an installation contains the package', () => {
    expect(installed({ 'node_modules/zod': zod }, { 'node_modules/zod': zod })).toBe(true);
    rmSync(join(root, 'node_modules'), { recursive: true });
    expect(installed({ 'node_modules/zod': zod })).toBe(false);
  });

  it('packages do not count as installed if a version or hash differs, or if a package is missing or superfluous', () => {
    expect(
      installed({ 'node_modules/zod': zod }, { 'node_modules/zod': { ...zod, version: '4.6.6' } }),
    ).toBe(false);
    expect(
      installed(
        { 'node_modules/zod': zod },
        { 'node_modules/zod': { ...zod, integrity: 'sha512-b' } },
      ),
    ).toBe(false);
    expect(installed({ 'node_modules/zod': zod }, {})).toBe(false);
    expect(installed({}, { 'node_modules/zod': zod })).toBe(false);
  });

  it('packages count as installed if a package for another platform is missing, but not if one for this platform is missing', () => {
    expect(installed({ 'node_modules/p': other }, {})).toBe(true);
    expect(installed({ 'node_modules/p': ours }, {})).toBe(false);
    expect(installed({ 'node_modules/p': ours }, { 'node_modules/p': ours })).toBe(true);
  });

  it('if no tests are run, packages count as installed even if a package that only tests need is missing', () => {
    const tool = { version: '1.0.0', dev: true };
    expect(
      installed(
        { 'node_modules/zod': zod, 'node_modules/vitest': tool },
        { 'node_modules/zod': zod },
      ),
    ).toBe(false);
    expect(isInstalled(root, { tests: false })).toBe(true);
    expect(
      installed(
        { 'node_modules/zod': zod, 'node_modules/vitest': tool },
        { 'node_modules/vitest': tool },
      ),
    ).toBe(false);
    expect(isInstalled(root, { tests: false })).toBe(false);
  });

  it('npm does not install the test tools if no tests are run, except four packages that are also optional peer dependencies', () => {
    const { packages } = JSON.parse(readFileSync(join(house, 'package-lock.json'), 'utf8'));
    const names = (wanted) =>
      Object.entries(packages)
        .filter(([path, entry]) => path.startsWith('node_modules/') && wanted(entry))
        .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    const [tools, kept] = [
      names(({ dev }) => dev === true),
      names(({ devOptional }) => devOptional === true),
    ];
    expect(tools).toEqual(
      expect.arrayContaining([
        'typescript',
        'vitest',
        'playwright-core',
        'knip',
        'oxlint',
        'fast-check',
      ]),
    );
    // npm also installs these packages with the product, 5 MB together. They are types used by
    // libraries of React, and readers of vite's configuration.
    expect(kept.toSorted()).toEqual(['@types/react', 'csstype', 'jiti', 'yaml']);
  });

  it('a new workspace is linked without a new installation, unless it also needs a package that is not installed', () => {
    put('shelf/package.json', { name: '@waystation/shelf' });
    const wanted = {
      'node_modules/zod': zod,
      shelf: { name: '@waystation/shelf', version: '1.0.0' },
      'node_modules/@waystation/shelf': { resolved: 'shelf', link: true },
    };
    expect(installed(wanted, { 'node_modules/zod': zod })).toBe(false);
    linkWorkspaces(root);
    expect(isInstalled(root)).toBe(true);
    expect(existsSync(join(root, 'node_modules/@waystation/shelf/package.json'))).toBe(true);
    linkWorkspaces(root);
    expect(installed({ ...wanted, 'node_modules/a': zod }, { 'node_modules/zod': zod })).toBe(
      false,
    );
  });

  it('the packages of this repository count as installed', () => {
    expect(isInstalled(house)).toBe(true);
  });
});

it('npm is run with the user’s npm settings, but without the variables of an outer npm run and without the project’s programs', () => {
  const env = {
    PATH: `${root}/node_modules/.bin:/usr/bin:/other/node_modules/.bin`,
    NODE_ENV: 'production',
    npm_config_registry: 'http://mirror',
    npm_config_omit: 'dev',
    npm_lifecycle_event: 'start',
    HOME: '/h',
  };
  expect(plainEnv(root, env)).toEqual({
    PATH: '/usr/bin',
    npm_config_registry: 'http://mirror',
    HOME: '/h',
  });
});

it('the web is built again only when its sources change', () => {
  for (const path of [
    'web/index.html',
    'web/src/main.tsx',
    'contract/src/money/money.ts',
    'package-lock.json',
    'tsconfig.base.json',
  ])
    put(path, 'one');
  const first = webSources(root);
  put('web/dist/index.html', 'built');
  put('web/src/main.test.tsx', 'a test');
  put('server/src/main.ts', 'the server');
  expect(webSources(root)).toBe(first);
  for (const path of ['web/src/main.tsx', 'contract/src/money/money.ts', 'package-lock.json']) {
    put(path, 'two');
    const next = webSources(root);
    put(path, 'one');
    expect(next).not.toBe(first);
  }
  put('web/src/added.ts', 'one');
  expect(webSources(root)).not.toBe(first);
});

describe('installing and building', () => {
  const preparer = `
    const { whilePreparing } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'prepare-lock.mjs')).href)});
    const { appendFileSync } = await import('node:fs');
    await whilePreparing(process.argv[1], async () => {
      appendFileSync(process.argv[1] + '/trace', 'in ');
      // real delay: room for another start to come between
      await new Promise((later) => setTimeout(later, 50));
      appendFileSync(process.argv[1] + '/trace', 'out ');
    });`;

  it('only one start at a time installs packages and builds the web', async () => {
    const starts = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', preparer, root], { stdio: 'ignore' }),
    );
    await Promise.all(starts.map((start) => once(start, 'exit')));
    expect(readFileSync(join(root, 'trace'), 'utf8')).toBe('in out '.repeat(4));
  });

  it('if the earlier installation was killed, a new installation begins immediately, but waits while the earlier npm still runs', async () => {
    const gone = spawnSync('true').pid;
    put('.build/prepare.lock', [{ pid: gone, startTime: '1' }]);
    expect(await whilePreparing(root, async () => 'done')).toBe('done');
    const left = spawn('sleep', ['1.5']);
    put('.build/prepare.lock', [
      { pid: gone, startTime: '1' },
      { pid: left.pid, startTime: startTimeOf(left.pid) },
    ]);
    const since = performance.now();
    await whilePreparing(root, async () => 'done');
    expect(performance.now() - since).toBeGreaterThan(1_000);
  });
});

describe('a supervised program', () => {
  const never = new AbortController().signal;
  const keep = (source, over = {}) => {
    put('program.mjs', source);
    put(
      'launch/parent-watch.mjs',
      readFileSync(join(import.meta.dirname, 'parent-watch.mjs'), 'utf8'),
    );
    const lines = [];
    const gaveUp = [];
    const kept = keepRunning({
      name: 'server',
      node: process.execPath,
      root,
      words: ['program.mjs'],
      env: process.env,
      tell: (line) => lines.push(line),
      gaveUp: (code) => gaveUp.push(code),
      ...over,
    });
    return { kept, lines, gaveUp };
  };

  it('a killed supervised program is started again, and one line of output reports the restart', async () => {
    const { kept, lines } = keep('setInterval(() => {}, 1000)');
    await expect.poll(() => kept.pids().length).toBe(1);
    kept.ready();
    process.kill(kept.pids()[0], 'SIGKILL');
    await expect.poll(() => kept.pids().length).toBe(2);
    expect(lines).toEqual(['The server ended by itself (SIGKILL) and is started again in 0.5 s.']);
    expect(await kept.stop(5_000, never)).toBe(true);
    expect(kept.pids().map(startTimeOf)).toEqual([null, null]);
  });

  it('a supervised program that exits with code 78 is not started again, because it has already printed why it cannot run', async () => {
    const { kept, lines, gaveUp } = keep('process.exit(78)');
    await expect.poll(() => gaveUp).toEqual([78]);
    expect(lines).toEqual([]);
    expect(kept.pids()).toHaveLength(1);
  });

  it('a supervised program is given up after it has ended three times without being ready', async () => {
    const { kept, gaveUp } = keep('process.exit(1)');
    await expect.poll(() => gaveUp).toEqual([1]);
    expect(kept.pids()).toHaveLength(3);
  });

  it('a supervised program is killed if it does not end in time', async () => {
    const { kept } = keep(
      `process.on('SIGTERM', () => {}); process.send({ step: 'deaf' }); setInterval(() => {}, 1000)`,
      { message: () => (heard = true) },
    );
    let heard = false;
    await expect.poll(() => heard).toBe(true);
    expect(await kept.stop(300, never)).toBe(false);
    expect(startTimeOf(kept.pids()[0])).toBeNull();
  });

  it('a supervised program ends itself when its supervisor is killed', async () => {
    put('program.mjs', "process.send({ step: 'up' }); setInterval(() => {}, 1000)");
    put(
      'launch/parent-watch.mjs',
      readFileSync(join(import.meta.dirname, 'parent-watch.mjs'), 'utf8'),
    );
    const keeper = `
      const { keepRunning } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'processes.mjs')).href)});
      const message = () => console.log(kept.pids()[0]);
      const kept = keepRunning({ name: 'x', node: process.execPath, root: process.argv[1], words: ['program.mjs'], env: process.env, tell() {}, gaveUp() {}, message });`;
    const above = spawn(process.execPath, ['--input-type=module', '-e', keeper, root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await once(above.stdout, 'data');
    const pid = Number(output);
    expect(startTimeOf(pid)).not.toBeNull();
    above.kill('SIGKILL');
    await expect.poll(() => startTimeOf(pid)).toBeNull();
  });
});

describe('npm start', () => {
  const start = (env) =>
    spawnSync(process.execPath, ['start.mjs'], {
      cwd: house,
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
      timeout: 20_000 * slowness,
    });
  const taken = async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };

  it('if a port is in use, npm start reports in one sentence the port and the variable that changes it', async () => {
    const server = await taken();
    const { port } = server.address();
    const { status, stderr } = await new Promise((resolve) => {
      const child = spawn(process.execPath, ['start.mjs'], {
        cwd: house,
        env: { PATH: process.env.PATH, PORT: String(port), WAYSTATION_DATA: root },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let output = '';
      child.stderr.on('data', (text) => (output += text));
      child.on('close', (code) => resolve({ status: code, stderr: output }));
    });
    server.close();
    expect(status).toBe(1);
    expect(stderr.trim()).toMatch(
      new RegExp(`^Port ${port}, meant for the web, is taken .*PORT=.*npm start"\\.$`),
    );
    await expect(
      mustBeFree({ port, host: '127.0.0.1', variable: 'PORT', what: 'the web', example: '' }),
    ).resolves.toBeUndefined();
  });

  it('npm start reports in one sentence that its data directory is not a folder', () => {
    put('data', 'a file');
    const { status, stderr } = start({ WAYSTATION_DATA: join(root, 'data') });
    expect(status).toBe(1);
    expect(stderr).toBe(
      `${join(root, 'data')} is not a folder: set WAYSTATION_DATA to a folder.\n`,
    );
  });
});
