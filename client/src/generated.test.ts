import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const file = join(root, 'client', 'waystation.ts');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waystation-client-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('the client is the one of the contract; otherwise npm run generate has to be run', async () => {
  const written = execFileSync(process.execPath, [
    join(import.meta.dirname, 'generate', 'write.ts'),
  ]);
  await expect(written.toString()).toMatchFileSnapshot(file);
});

/**
 * Creates a separate project with its own compiler settings. It contains the client and a program
 * that uses the client.
 */
const strangerWith = (name: string, program: string, options: object): string => {
  const project = join(folder, name);
  mkdirSync(project);
  copyFileSync(file, join(project, 'waystation.ts'));
  writeFileSync(join(project, 'main.ts'), program);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noPropertyAccessFromIndexSignature: true,
        noImplicitOverride: true,
        noImplicitReturns: true,
        noUnusedLocals: true,
        noUnusedParameters: true,
        verbatimModuleSyntax: true,
        target: 'es2022',
        ...options,
      },
    }),
  );
  return project;
};

const compile = (project: string): string => {
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', project], {
    encoding: 'utf8',
  });
  return `${status} ${stdout}`;
};

const correct = `import { verifyWebhook, Waystation, WaystationError } from './waystation.js';
const client = new Waystation({
  baseUrl: 'https://waystation.example.com/',
  key: 'k',
  fetch: async (url) =>
    new Response(JSON.stringify({ status: 200, data: { id: 1, post_amount: 1200, url } })),
});
const parcel = await client.getParcel({ id: 1 });
const fen: number = parcel.post_amount;
try {
  await verifyWebhook({ payload: '{}', headers: new Headers(), secret: 'whsec_AA==' });
} catch (error) {
  if (error instanceof WaystationError) console.log(error.fields);
  console.log(fen, (error as Error).name);
}
`;

it('the command of the README makes JavaScript and types that a strict project without the types of Node uses, on the installed Node', () => {
  const readme = readFileSync(join(root, 'client', 'README.md'), 'utf8');
  const [, words] = /^npx -y -p typescript tsc (.+)$/m.exec(readme)!;
  const built = join(folder, 'built');
  mkdirSync(built);
  copyFileSync(file, join(built, 'waystation.ts'));
  const { stdout: said } = spawnSync(process.execPath, [compiler, ...words!.split(' ')], {
    cwd: built,
    encoding: 'utf8',
  });
  expect(said).toBe('');
  const project = strangerWith('browser', correct, {
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    module: 'esnext',
    moduleResolution: 'bundler',
  });
  rmSync(join(project, 'waystation.ts'));
  for (const name of ['waystation.js', 'waystation.d.ts'])
    copyFileSync(join(built, name), join(project, name));
  expect(compile(project)).toBe('0 ');
  // `node` in the PATH is often the oldest that the repository supports.
  const { stdout } = spawnSync('node', [join(project, 'main.js')], { encoding: 'utf8' });
  expect(stdout).toBe('1200 WebhookVerificationError\n');
});

it('a wrong field, a missing field, a wrong value, text for a number and an order without its key are errors of types', () => {
  const from = `import { Waystation } from './waystation.ts';
import type { CreateParcelInput, WebhookEvent } from './waystation.ts';
const client = new Waystation({ baseUrl: '', key: '' });
declare const parcel: CreateParcelInput;
declare const event: WebhookEvent;
`;
  const wrong = [
    "client.listParcels({ tabs: 'signed' });",
    'client.cancelParcel({ id: 1 });',
    "client.listParcels({ tab: 'lost' });",
    "client.getParcel({ id: '1' });",
    'client.createParcel(parcel);',
    '(await client.getParcel({ id: 1 })).price;',
    "event.type === 'parcel.lost';",
  ];
  const project = strangerWith('node', from + wrong.join('\n'), {
    lib: ['es2022'],
    typeRoots: [join(root, 'node_modules', '@types')],
    types: ['node'],
    module: 'nodenext',
    allowImportingTsExtensions: true,
    noEmit: true,
  });
  const lines = Array.from(compile(project).matchAll(/^(.*)\((\d+),/gm), ([, name, line]) => [
    name!.split('/').at(-1),
    Number(line),
  ]);
  expect(lines).toEqual(wrong.map((_, at) => ['main.ts', at + 6]));
});
