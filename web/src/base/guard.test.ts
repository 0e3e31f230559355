import { describe, expect, it } from 'vitest';
import { roles } from '@waystation/contract/roles.ts';
import { afterLogin, firstAllowed, judge, loginHref, redirected } from './guard.ts';
import { searchOf } from './href.ts';
import { landing, mayOpen, screenOf, screens } from '@waystation/contract/screens.ts';

const nobody = { token: null, role: null };
const arriving = { token: 't', role: null };
const clerk = { token: 't', role: 'user' } as const;

describe('someone who is not logged in', () => {
  it.each(screens.map((screen) => screen.name))('goes to login from %s, its name and query carried along', (name) => {
    const { path } = screenOf(name)!;
    const verdict = judge(`${path}?q=JDVE001&page=3`, nobody);
    expect(verdict).toMatchObject({ kind: 'login' });
    const href = (verdict as { href: string }).href;
    expect(searchOf(href)).toEqual({ redirect: name, q: 'JDVE001', page: '3' });
    expect(afterLogin(href)).toBe(`${path}?q=JDVE001&page=3`);
  });

  it('stays on the login page with what it carries', () => {
    expect(judge('/login?redirect=ExpressTable', nobody)).toEqual({ kind: 'login', href: '/login?redirect=ExpressTable' });
  });

  it('goes to a plain login from the root and from unknown paths', () => {
    expect(judge('/', nobody)).toEqual({ kind: 'login', href: '/login' });
    expect(judge('/nowhere?x=1', nobody)).toEqual({ kind: 'login', href: '/login' });
  });

  it('a user who is not logged in is sent to the target of a redirect, not to the helper', () => {
    expect(loginHref('/redirect/%2Fmodel%2Fexpresses%3Fpage%3D2')).toBe('/login?page=2&redirect=ExpressTable');
  });
});

describe('someone whose user info is not there yet', () => {
  it('has it loaded before any screen is judged', () => {
    for (const href of ['/', '/login', '/model/expresses', '/nowhere']) expect(judge(href, arriving)).toEqual({ kind: 'load-user' });
  });
});

describe('after login', () => {
  it('leads to the landing page where nothing was wanted', () => {
    expect(afterLogin('/login')).toBe(screenOf(landing)!.path);
    expect(judge('/', clerk)).toEqual({ kind: 'go', href: screenOf(landing)!.path, fresh: false });
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'Login',
    'login',
    '__proto__',
    'constructor',
    'toString',
    '/model/expresses',
    '',
  ])('never follows %s, which is no screen of ours', (redirect) => {
    expect(afterLogin(`/login?${new URLSearchParams({ redirect })}`)).toBe(screenOf(landing)!.path);
  });

  it('gives back every key of the query, other than the name itself', () => {
    expect(afterLogin('/login?redirect=ExpressStore&copy=17&redirect=ExpressTable')).toBe('/model/expresses?copy=17');
  });
});

describe('the redirect helper', () => {
  it('opens its target afresh, encoded or plain, with its query', () => {
    expect(judge('/redirect/%2Fmodel%2Fexpresses%3Fpage%3D2', clerk)).toEqual({ kind: 'go', href: '/model/expresses?page=2', fresh: true });
    expect(judge('/redirect/model/expresses?page=2', clerk)).toEqual({ kind: 'go', href: '/model/expresses?page=2', fresh: true });
  });

  it('stays inside the console, whatever its path says', () => {
    for (const path of [
      '/redirect/https%3A%2F%2Fevil.example',
      '/redirect///evil.example',
      '/redirect/%5C%5Cevil.example',
      '/redirect/%E0%A4%A',
      '/redirect/',
    ]) {
      const target = redirected(path)!;
      expect(target).toMatch(/^\/(?![/\\])/);
      expect(judge(target, clerk).kind === 'screen').toBe(false);
    }
  });

  it('does not chase its own tail', () => {
    expect(judge('/redirect/redirect/redirect/model/expresses', clerk)).toEqual({ kind: 'not-found' });
  });
});

describe('the roles of a screen', () => {
  for (const role of roles)
    for (const screen of screens) {
      const open = mayOpen(screen, role);
      it(`${open ? 'let' : 'keep'} ${role} ${open ? 'into' : 'out of'} ${screen.name}`, () => {
        const verdict = judge(`${screen.path}?x=1`, { token: 't', role });
        if (open) expect(verdict).toMatchObject({ kind: 'screen', screen: { name: screen.name } });
        else expect(verdict).toEqual({ kind: 'go', href: firstAllowed(role)!.path, fresh: false });
      });
    }

  it('send unknown paths to not-found', () => {
    expect(judge('/nowhere', clerk)).toEqual({ kind: 'not-found' });
    expect(judge('/model', clerk)).toEqual({ kind: 'not-found' });
  });
});

describe('the screen table', () => {
  it('names every screen and path once', () => {
    expect(new Set(screens.map((screen) => screen.name)).size).toBe(screens.length);
    expect(new Set(screens.map((screen) => screen.path)).size).toBe(screens.length);
  });

  it('holds the names, paths and roles of requirements §2 and §6 for the screens that exist', () => {
    const everybody = [...roles];
    const office = ['super', 'admin'];
    const managers = ['super', 'admin', 'partner', 'station'];
    const specified: Record<string, [string, string[]]> = {
      Workplace: ['/dashboard/workplace', everybody],
      CargoTable: ['/model/cargos', office],
      ExpressTable: ['/model/expresses', everybody],
      ExpressStore: ['/model/store', everybody],
      ExpressImport: ['/model/import', everybody],
      PrintTable: ['/model/prints', managers],
      GuaranteeTable: ['/model/guarantees', office],
      MerchantTable: ['/model/merchants', office],
      ProjectTable: ['/model/projects', office],
      VoucherTable: ['/model/vouchers', office],
      PromiseTable: ['/model/promises', office],
      StatementTable: ['/model/statements', managers],
      StationTable: ['/model/stations', managers],
      AuditLog: ['/system/audit', office],
      AccountTable: ['/system/users', managers],
      Settings: ['/system/settings', ['super']],
      Profile: ['/system/profile', everybody],
      ContactTable: ['/system/contacts', everybody],
    };
    // Those of §10 beside them are the product's own decision.
    for (const { name, path, roles: allowed } of screens) if (Object.hasOwn(specified, name)) expect([path, [...allowed]]).toEqual(specified[name]);
  });
});
