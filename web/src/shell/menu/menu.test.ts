import { describe, expect, it } from 'vitest';
import { roles } from '@waystation/contract/base/roles.ts';
import { menuFor } from '@waystation/contract/shell/menu.ts';
import type { MenuNode } from '@waystation/contract/people/session.ts';
import { localMenu, menuOfServer } from './menu.ts';
import { mayOpen, screens } from '@waystation/contract/shell/screens.ts';
import type { Screen } from '@waystation/contract/shell/screens.ts';

const inMenus = screens.filter((screen: Screen) => !screen.hidden);

const node = (name: string, order: number, children: MenuNode[] = [], locale = ''): MenuNode => ({
  path: `/${name}`,
  name,
  meta: { locale, icon: '', order, roles: [] },
  children,
});
const names = (menu: ReturnType<typeof localMenu>): string[] =>
  menu.flatMap((section) => section.screens.map((screen) => screen.name));

describe('the menu from the local table', () => {
  it.each(roles)(
    'the menu built without the server lists each menu screen that role %s may open exactly once',
    (role) => {
      expect(names(localMenu(role)).toSorted()).toEqual(
        inMenus
          .filter((screen) => mayOpen(screen, role))
          .map((screen) => screen.name)
          .toSorted(),
      );
    },
  );

  it('the menu built in the web has the landing page first, without a heading, and has no empty group', () => {
    const menu = localMenu('super');
    expect(menu[0]).toMatchObject({ heading: null, screens: [{ name: 'Workplace' }] });
    expect(menu.every((section) => section.screens.length > 0)).toBe(true);
  });
});

describe('the menu from the server', () => {
  it('the menu sent by the server is shown with the server’s order of screens and the server’s groups', () => {
    const tree = [
      node('parcels', 2, [node('ExpressStore', 2), node('ExpressTable', 1)]),
      node('Workplace', 1),
      node('mine', 3, [node('ExpressStore', 1)], '我的'),
    ];
    const menu = menuOfServer(tree, 'user');
    expect(names(menu)).toEqual(['Workplace', 'ExpressTable', 'ExpressStore', 'ExpressStore']);
    expect(menu.map((section) => section.heading)).toEqual([
      null,
      { group: 'parcels' },
      { words: '我的' },
    ]);
  });

  it('the server’s menu never shows a screen that the web does not have', () => {
    expect(
      menuOfServer(
        [node('Unknown', 1), node('group', 2, [node('https://evil.example', 1)])],
        'super',
      ),
    ).toEqual([]);
  });

  it('the server’s menu reaches screens at any depth', () => {
    expect(
      names(menuOfServer([node('a', 1, [node('b', 1, [node('Workplace', 1)])])], 'user')),
    ).toEqual(['Workplace']);
  });

  it('a server menu without groups is shown as one section', () => {
    expect(menuOfServer([node('Workplace', 1), node('ExpressTable', 2)], 'user')).toHaveLength(1);
  });

  it.each(roles)(
    'for role %s, the menu sent by the server has the same groups and screens as the menu built in the web',
    (role) => {
      const shown = (menu: ReturnType<typeof localMenu>) =>
        menu.map(({ heading, screens: of }) => ({ heading, names: of.map(({ name }) => name) }));
      expect(shown(menuOfServer(menuFor(role), role))).toEqual(shown(localMenu(role)));
    },
  );

  it('the billing group of the menu contains the month-end screen', () => {
    const billing = localMenu('admin').find(({ key }) => key === 'billing')!;
    expect(billing.screens.map(({ name }) => name)).toEqual(['StatementTable', 'Reconciliations']);
  });
});
