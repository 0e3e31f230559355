import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const files = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => relative(join(root, 'deploy'), join(parentPath, name)));
const all = (text, pattern) => [...text.matchAll(pattern)].map(([, found]) => found);

/**
 * The names of the metrics that the product has. The endings `_count`, `_sum` and `_bucket` of
 * histograms are removed.
 */
const known = new Set(
  [
    ...(read('server', 'src', 'metrics.ts') + read('server', 'src', 'api.ts')).matchAll(
      /'(?:waystation_)?([a-z_]+)'/g,
    ),
  ].map(([, name]) => `waystation_${name}`),
);
const named = (file) =>
  [...read('deploy', file).matchAll(/\b(?:waystation|process|nodejs)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(?:count|sum|bucket)$/, ''),
  );

describe('the examples of deploy/', () => {
  it('the alert rules use only metrics that exist', () => {
    expect(named('alerts.yml').length).toBeGreaterThan(8);
    expect(named('alerts.yml').filter((name) => !known.has(name))).toEqual([]);
  });

  it('the dashboard shows only metrics that exist, and every metric in the list “figures” of server/src/metrics.ts', () => {
    const { panels } = JSON.parse(read('deploy', 'grafana.json'));
    expect(panels.every(({ targets }) => targets.every(({ expr }) => expr.length > 0))).toBe(true);
    const library = new Registry();
    collectDefaultMetrics({ register: library });
    const all = new Set([...known, ...library.getMetricsAsArray().map(({ name }) => name)]);
    const shown = named('grafana.json');
    expect(shown.filter((name) => !all.has(name))).toEqual([]);
    const source = read('server', 'src', 'metrics.ts');
    const figures = source.slice(source.indexOf('const figures'), source.indexOf('createMetrics'));
    const missing = [...figures.matchAll(/^ {2}(?: {2})?\[?\s*'([a-z_]+)',/gm)]
      .map(([, name]) => `waystation_${name}`)
      .filter((name) => !shown.includes(name));
    expect(missing).toEqual([]);
  });

  it('the deployment examples set only variables that docs/operating.md explains', () => {
    const page = read('docs', 'operating.md');
    const named = files.flatMap((file) =>
      [...read('deploy', file).matchAll(/\b(WAYSTATION_\w+|DATABASE_URL)\b/g)].map(
        ([, name]) => name,
      ),
    );
    expect(new Set(named).size).toBeGreaterThan(5);
    expect(named.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('each deployment example is mentioned on a page, or is mounted by the compose file', () => {
    const pages = read('docs', 'operating.md') + read('docs', 'high-availability.md');
    const compose = read('deploy', 'compose.yaml');
    const isNamed = (file) => pages.includes(`deploy/${file}`) || compose.includes(`./${file}:`);
    expect(files.filter((file) => !isNamed(file))).toEqual([]);
  });

  it('service files, the compose file and the container image run only commands that server/src/main.ts has', () => {
    const commands = all(
      read('server', 'src', 'main.ts').split('const commands = [')[1].split(']')[0],
      /'([\w-]+)'/g,
    );
    const units = files
      .filter((file) => file.endsWith('.service'))
      .map((file) => read('deploy', file));
    const inUnits = units.flatMap((text) =>
      all(text, /^ExecStart=.* server\/src\/main\.ts (\w+)$/gm),
    );
    const inCompose = all(read('deploy', 'compose.yaml'), /^ {4}command: \[([\w-]+)\]$/gm);
    const inImage = all(read('deploy', 'Containerfile'), /^CMD \["([\w-]+)"\]$/gm);
    expect([inUnits.length, inCompose.length, inImage.length]).toEqual([units.length, 3, 1]);
    const named = [...inUnits, ...inCompose, ...inImage];
    expect(named.filter((name) => !commands.includes(name))).toEqual([]);
    expect(existsSync(join(root, 'server', 'src', 'main.ts'))).toBe(true);
  });

  it('the container image copies only existing folders and does not run as root; compose.yaml refers only to existing files', () => {
    const image = read('deploy', 'Containerfile');
    const copied = all(image, /^COPY (?!--from)(.+) \S+$/gm).flatMap((names) => names.split(' '));
    expect(copied).toContain('server');
    expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([]);
    const compose = read('deploy', 'compose.yaml');
    for (const file of ['Containerfile', 'Containerfile.pgbouncer'])
      expect(all(read('deploy', file), /^USER (\d+):\d+$/gm).at(-1)).toBe('10001');
    const built = all(compose, /dockerfile: (\S+) \}/g).map((name) => name.replace('deploy/', ''));
    const mounted = all(compose, /(\.\/compose\/[\w.]+):\S+:ro/g).filter(
      (name) => !name.endsWith('/tls'),
    );
    expect([built.length, mounted.length]).toEqual([2, 2]);
    expect(
      [...built, ...mounted].filter((name) => !existsSync(join(root, 'deploy', name))),
    ).toEqual([]);
    expect(all(compose, /^ {2}(\w+):\n(?:.+\n)*? {4}read_only: true$/gm)).toEqual([
      'pgbouncer',
      'nginx',
    ]);
    expect(compose.split('services:')[0]).toContain('read_only: true');
    expect(all(compose, /<<: (\*waystation)/g)).toHaveLength(3);
  });

  it('the URLs inside deploy/compose use the names of its services and the ports on which these services listen', () => {
    const compose = read('deploy', 'compose.yaml');
    const services = all(compose.split('services:')[1], /^ {2}(\w+):$/gm);
    const ports = {
      postgres: '5432',
      pgbouncer: all(read('deploy', 'compose', 'pgbouncer.ini'), /^listen_port = (\d+)$/gm)[0],
      api: all(read('deploy', 'Containerfile'), /PORT=(\d+)/g)[0],
    };
    const addresses = [
      ...compose.matchAll(/@(\w+):(\d+)\//g),
      ...read('deploy', 'compose', 'nginx.conf').matchAll(/http:\/\/(\w+):(\d+)/g),
    ];
    expect(addresses).toHaveLength(4);
    for (const [, service, port] of addresses) {
      expect(services).toContain(service);
      expect(`${service} ${port}`).toBe(`${service} ${ports[service]}`);
    }
    const published = all(compose, /['"]\d+:(\d+)['"]/g);
    expect(published).toEqual(all(read('deploy', 'compose', 'nginx.conf'), /listen (\d+)/g));
  });

  it('the example proxies accept API calls only over TLS with forward secrecy, and log no query strings', () => {
    for (const file of ['nginx.conf', 'compose/nginx.conf']) {
      const text = read('deploy', file);
      expect(text).toMatch(/location \/api\/ \{\s+return 403;/);
      expect(text).toContain('ssl_protocols TLSv1.2 TLSv1.3;');
      expect(text).toContain('ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;');
      expect(all(text, /access_log \S+ (\w+) if=\$loggable;/g)).toEqual(['waystation']);
      expect(/log_format waystation ([^;]+);/.exec(text)[1]).not.toMatch(
        /request_uri|\$request |args/,
      );
    }
    const haproxy = read('deploy', 'haproxy.cfg');
    expect(haproxy.indexOf('deny_status 403 if { path_beg /api/ } !{ ssl_fc }')).toBeGreaterThan(0);
    expect(haproxy).toContain('ssl-min-ver TLSv1.2');
    expect(haproxy).toContain('ssl-default-bind-ciphers ECDHE+AESGCM:ECDHE+CHACHA20');
    expect(haproxy).not.toMatch(/option httplog|%HU|%r\b/);
  });

  it('the services and the container image have no access to the .git folder', () => {
    for (const name of ['waystation-api@.service', 'waystation-worker.service'])
      expect(read('deploy', name)).toContain('InaccessiblePaths=-/opt/waystation/.git');
    expect(read('.containerignore').split('\n')).toContain('.git');
  });

  it('the ports of haproxy-postgres.cfg are the ports in docs/high-availability.md and in patroni.yml', () => {
    const bound = all(read('deploy', 'haproxy-postgres.cfg'), /bind 127\.0\.0\.1:(\d+)/g);
    const page = read('docs', 'high-availability.md');
    const named = all(page, /127\.0\.0\.1:(\d+)/g).filter((port) => port !== '6432');
    expect(new Set(named)).toEqual(new Set(bound));
    const checked = new Set(all(read('deploy', 'haproxy-postgres.cfg'), /check port (\d+)/g));
    expect(checked).toEqual(new Set(all(read('deploy', 'patroni.yml'), /listen: \S+:(8\d+)/g)));
  });
});
