import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, defineConfig } from 'vite';
import type { Plugin, Rolldown } from 'vite';

/**
 * The types of files that are compressed once when the web is built. HTML is not among them,
 * because the server writes a nonce into each response.
 */
const compressible = /\.(?:js|css|svg|json)$/;
const smallest = 1024;

/** Writes `x.js.gz` and `x.js.br` beside `x.js`. The server sends them unchanged. */
const compressed = (): Plugin => ({
  name: 'compressed-assets',
  apply: 'build',
  writeBundle: {
    sequential: true,
    handler(options, bundle) {
      for (const name of Object.keys(bundle)) {
        if (!compressible.test(name)) continue;
        const path = join(options.dir!, name);
        const bytes = readFileSync(path);
        if (bytes.length < smallest) continue;
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(
          `${path}.br`,
          brotliCompressSync(bytes, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: 11,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            },
          }),
        );
      }
    },
  },
});

/**
 * Writes `build.json` with the name of the entry file, which contains a hash. With it, a browser
 * window that runs an older build finds out that a newer build exists
 * (src/shell/layout/new-version.ts).
 */
const buildName = (): Plugin => ({
  name: 'build-name',
  apply: 'build',
  generateBundle(_options, bundle) {
    const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
    if (entry)
      this.emitFile({
        type: 'asset',
        fileName: 'build.json',
        source: JSON.stringify({ build: entry.fileName }),
      });
  },
});

/** Matches the lines of an endpoint's definition that the web console does not need. */
const serverOnly = /^ {2}(?:reads|idempotency|bodyLimit|allowWithDuty|streams): [^\n{]*,$/gm;
/**
 * Removes parts of endpoints and errors from the build that only the server uses: summaries,
 * limits, HTTP statuses and the scopes of API keys.
 */
const withoutServerParts = (): Plugin => ({
  name: 'without-server-parts',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    /[\\/]contract[\\/]src[\\/](?:[\w-]+[\\/])*[\w.-]+\.ts$/.test(id)
      ? {
          code: code
            .replaceAll(/\bsummary:\s*'(?:[^'\\\n]|\\.)*',?/g, '')
            .replaceAll(/^( {2}roles: .*)\n {2}key: '\w+',$/gm, '$1')
            .replaceAll(serverOnly, '')
            .replaceAll(/\bstatus: [45]\d\d,/g, ''),
          map: null,
        }
      : null,
});

const entryModule = '/src/start/main.ts';
const loginModule = '/src/login/start.ts';
const consoleModule = '/src/start/console.tsx';
const paletteModule = '/src/shell/palette/commands.ts';
const contractModule = /[\\/]contract[\\/]src[\\/]/;
/** The pages that users usually open first in the console, by their paths. */
const firstPages: Readonly<Record<string, string>> = {
  '/model/expresses': '/src/pages/expresses.tsx',
  '/dashboard/workplace': '/src/pages/workplace.tsx',
};

type Look = (id: string) => { readonly importedIds: readonly string[] } | null;

const idOf = (path: string): string => join(import.meta.dirname, path).replaceAll('\\', '/');

/** Returns the module and everything that it imports statically. */
const reached = (look: Look, path: string): ReadonlySet<string> => {
  const found = new Set<string>();
  const walk = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    for (const next of look(id)?.importedIds ?? []) walk(next);
  };
  walk(idOf(path));
  return found;
};

/**
 * Combines the files of the entry, of the shell and of the first list into one file each. On a slow
 * network every file costs a round trip. On a slow processor every file costs 10 ms. The login
 * keeps separate files; its modules that the shell also needs form one file.
 */
const fewFiles = () => {
  let sets: Record<'entry' | 'login' | 'shell' | 'list', ReadonlySet<string>> | null = null;
  return (id: string, graph: { getModuleInfo: Look }): string | null => {
    const look: Look = (one) => graph.getModuleInfo(one);
    sets ??= {
      entry: reached(look, entryModule),
      login: reached(look, loginModule),
      shell: new Set([
        ...reached(look, consoleModule),
        // Most pages need the files of the contract that the palette needs, so the shell includes
        // them.
        ...[...reached(look, paletteModule)].filter((id) => contractModule.test(id)),
      ]),
      list: reached(look, firstPages['/model/expresses']!),
    };
    // A module that is loaded dynamically keeps a separate file even if it is small, because Vite's
    // manifest lists the file under the module's name.
    if (
      [entryModule, loginModule, consoleModule, ...Object.values(firstPages)].some(
        (path) => idOf(path) === id,
      )
    )
      return null;
    if (sets.entry.has(id)) return 'base';
    const isFirst = sets.shell.has(id) || sets.list.has(id);
    if (sets.login.has(id)) return isFirst ? 'shared' : null;
    return sets.shell.has(id) ? 'console' : isFirst ? 'parcels' : null;
  };
};

/** The chunks in which the first screen calls almost every function. */
const calledOnLoad = /^(?:base|shared|console|parcels)$/;

/**
 * Marks the files whose functions are called during the first load, so that the browser compiles
 * them while they load. Otherwise it would compile each function at its first call. Browsers without
 * V8 ignore this hint.
 */
const compileHints = (): Plugin => ({
  name: 'compile-hints',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && calledOnLoad.test(file.name))
          file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
    },
  },
});

const without = (files: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...files].filter((file) => !others.has(file));

/**
 * Writes the names of the files of the console and of its first pages into index.html. A script
 * there requests these files before the entry file is loaded.
 */
const filesAhead = (): Plugin => ({
  name: 'files-ahead',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter(
        (file): file is Rolldown.OutputChunk => file.type === 'chunk',
      );
      const filesOf = (path: string, seen = new Set<string>()): Set<string> => {
        const walk = (chunk: Rolldown.OutputChunk | undefined): void => {
          if (!chunk || seen.has(chunk.fileName)) return;
          seen.add(chunk.fileName);
          for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
          for (const next of chunk.imports) walk(chunks.find(({ fileName }) => fileName === next));
        };
        walk(chunks.find(({ moduleIds }) => moduleIds.includes(idOf(path))));
        return seen;
      };
      const entry = filesOf(entryModule);
      const shell = without(filesOf(consoleModule), entry);
      const pages = Object.entries(firstPages).map(([path, module]) => [
        path,
        without(filesOf(module), new Set([...entry, ...shell])),
      ]);
      return html.replace(
        "'__FILES_AHEAD__'",
        JSON.stringify({ shell, pages: Object.fromEntries(pages) }).replaceAll('"', "'"),
      );
    },
  },
});

/**
 * Moves the link to the stylesheet of the entry file behind the content of index.html. In the head
 * it would delay the first paint. Scripts still wait for the stylesheet.
 */
const stylesBehind = (): Plugin => ({
  name: 'styles-behind',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const styles = html.match(/[ \t]*<link rel="stylesheet"[^>]*>\n/g) ?? [];
      return styles
        .reduce((text, style) => text.replace(style, ''), html)
        .replace('  </body>', () => `${styles.join('')}  </body>`);
    },
  },
});

/**
 * Puts `src/start/preload-entry.ts` as one script into index.html. A build with mocks leaves it
 * out, because the mocks cannot intercept requests before the entry file has run.
 */
const readsAhead = (): Plugin => {
  let mocked = false;
  let mode = 'production';
  return {
    name: 'reads-ahead',
    apply: 'build',
    configResolved(config) {
      mocked = config.env['VITE_DEBUG_MOCKS'] === '1';
      ({ mode } = config);
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        if (mocked) return html;
        const place = "('__READS_AHEAD__');";
        if (!html.includes(place))
          throw new Error(`index.html has no ${place} for the first reads`);
        const made = await build({
          root: import.meta.dirname,
          configFile: false,
          mode,
          logLevel: 'error',
          build: {
            write: false,
            target,
            rolldownOptions: {
              input: idOf('/src/start/preload-entry.ts'),
              output: { format: 'iife' },
            },
          },
        });
        const [file] = (made as Rolldown.RolldownOutput).output;
        return html.replace(place, () => file.code.replaceAll('</', String.raw`<\/`));
      },
    },
  };
};

const target = 'es2023';
/** `npm run dev` serves the web on this port, and the API on the next port. */
const devPort = Number(process.env['WAYSTATION_DEV_PORT'] ?? 5173);
const server = `http://127.0.0.1:${process.env['WAYSTATION_DEV_PORT'] ? devPort + 1 : 8080}`;

export default defineConfig({
  plugins: [
    withoutServerParts(),
    react({ compiler: true, jsxImportSource: '#jsx' }),
    filesAhead(),
    readsAhead(),
    stylesBehind(),
    compileHints(),
    compressed(),
    buildName(),
  ],
  // The server replaces this text by the nonce of each response.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target,
    manifest: true,
    chunkSizeWarningLimit: 1200,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The chart library and its dependencies form one chunk. Otherwise its chunks and the
            // product's chunks would import each other.
            {
              name: 'visx',
              test: /[\\/]node_modules[\\/](?:@visx|d3-[a-z-]+|internmap|classnames|reduce-css-calc|reduce-function-call|balanced-match|math-expression-evaluator)[\\/]/,
              priority: 1,
              includeDependenciesRecursively: false,
            },
            // Base UI has a separate chunk, so that sizes.test.ts can find which files import it.
            {
              name: 'base-ui',
              test: /[\\/]node_modules[\\/]@(?:base-ui|floating-ui)[\\/]/,
              priority: 1,
              includeDependenciesRecursively: false,
            },
            { debugName: 'few files', name: fewFiles(), includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: {
    port: devPort,
    strictPort: true,
    proxy: Object.fromEntries(
      ['/api', '/openapi.json', '/docs', '/healthz', '/readyz'].map((path) => [
        path,
        { target: server, changeOrigin: false },
      ]),
    ),
  },
});
