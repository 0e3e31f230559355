import { describe, expect, it } from 'vitest';
import { roles } from '@waystation/contract/base/roles.ts';
import { afterLogin, firstAllowed, judge, loginHref, redirected } from './guard.ts';
import { searchOf } from './href.ts';
import { landing, mayOpen, screens, screenOrThrow } from '@waystation/contract/shell/screens.ts';

const nobody = { token: null, role: null };
const arriving = { token: 't', role: null };
const clerk = { token: 't', role: 'user' } as const;

describe('someone who is not logged in', () => {
  it.each(screens.map((screen) => screen.name))(
    'a user who opens %s without being logged in is sent to the login page, whose URL keeps the name and query of the screen',
    (name) => {
      const { path } = screenOrThrow(name);
      const verdict = judge(`${path}?q=JDVE001&page=3`, nobody);
      expect(verdict).toMatchObject({ kind: 'login' });
      const href = (verdict as { href: string }).href;
      expect(searchOf(href)).toEqual({ redirect: name, q: 'JDVE001', page: '3' });
      expect(afterLogin(href)).toBe(`${path}?q=JDVE001&page=3`);
    },
  );

  it('a user who is not logged in stays on the login page, and the query of the URL is kept', () => {
    expect(judge('/login?redirect=ExpressTable', nobody)).toEqual({
      kind: 'login',
      href: '/login?redirect=ExpressTable',
    });
  });

  it('a user who is not logged in is sent from the root or an unknown path to the login page without a redirect', () => {
    expect(judge('/', nobody)).toEqual({ kind: 'login', href: '/login' });
    expect(judge('/nowhere?x=1', nobody)).toEqual({ kind: 'login', href: '/login' });
  });

  it('if a user opens a /redirect/ address without being logged in, the login leads to the target of that address', () => {
    expect(loginHref('/redirect/%2Fmodel%2Fexpresses%3Fpage%3D2')).toBe(
      '/login?page=2&redirect=ExpressTable',
    );
  });
});

describe('a user whose user info is not loaded yet', () => {
  it('if the info of a logged-in user is missing, it is loaded before any screen is opened', () => {
    for (const href of ['/', '/login', '/model/expresses', '/nowhere'])
      expect(judge(href, arriving)).toEqual({ kind: 'load-user' });
  });
});

describe('after login', () => {
  it('a login that was not started from another screen leads to the landing page', () => {
    expect(afterLogin('/login')).toBe(screenOrThrow(landing).path);
    expect(judge('/', clerk)).toEqual({
      kind: 'go',
      href: screenOrThrow(landing).path,
      fresh: false,
    });
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
  ])('a login never follows %s, which is not a screen of the console', (redirect) => {
    expect(afterLogin(`/login?${new URLSearchParams({ redirect })}`)).toBe(
      screenOrThrow(landing).path,
    );
  });

  it('after login the user returns to the screen in the redirect parameter, and the other query parameters are kept', () => {
    expect(afterLogin('/login?redirect=ExpressStore&copy=17&redirect=ExpressTable')).toBe(
      '/model/expresses?copy=17',
    );
  });
});

describe('the redirect helper', () => {
  it('a /redirect/ address reloads its target screen and keeps the query, both for an encoded and for a plain target', () => {
    expect(judge('/redirect/%2Fmodel%2Fexpresses%3Fpage%3D2', clerk)).toEqual({
      kind: 'go',
      href: '/model/expresses?page=2',
      fresh: true,
    });
    expect(judge('/redirect/model/expresses?page=2', clerk)).toEqual({
      kind: 'go',
      href: '/model/expresses?page=2',
      fresh: true,
    });
  });

  it('a /redirect/ address with an invalid target, such as another host, stays on this site and opens no screen', () => {
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

  it('a /redirect/ address never redirects to another /redirect/ address', () => {
    expect(judge('/redirect/redirect/redirect/model/expresses', clerk)).toEqual({
      kind: 'not-found',
    });
  });
});

describe('the roles of a screen', () => {
  for (const role of roles)
    for (const screen of screens) {
      const open = mayOpen(screen, role);
      it(`the guard ${open ? 'lets' : 'keeps'} ${role} ${open ? 'into' : 'out of'} ${screen.name}`, () => {
        const verdict = judge(`${screen.path}?x=1`, { token: 't', role });
        if (open) expect(verdict).toMatchObject({ kind: 'screen', screen: { name: screen.name } });
        else expect(verdict).toEqual({ kind: 'go', href: firstAllowed(role)!.path, fresh: false });
      });
    }

  it('an unknown path opens the not-found screen', () => {
    expect(judge('/nowhere', clerk)).toEqual({ kind: 'not-found' });
    expect(judge('/model', clerk)).toEqual({ kind: 'not-found' });
  });
});

describe('the screen table', () => {
  it('the name and the path of every screen are unique', () => {
    expect(new Set(screens.map((screen) => screen.name)).size).toBe(screens.length);
    expect(new Set(screens.map((screen) => screen.path)).size).toBe(screens.length);
  });

  it('the screens of requirements §2 and §6 have the specified names, paths and roles', () => {
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
    // Requirements §10 do not specify the roles and paths of the other screens.
    for (const { name, path, roles: allowed } of screens)
      if (Object.hasOwn(specified, name)) expect([path, [...allowed]]).toEqual(specified[name]);
  });
});
