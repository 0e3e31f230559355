import { afterEach, expect, test, vi } from 'vitest';
import type { Role } from '@waystation/contract/base/roles.ts';
import { screens } from '@waystation/contract/shell/screens.ts';
import { settingNames, settings } from '@waystation/contract/shell/settings.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { say } from '#base/texts.ts';
import { useSession } from '#shell/session/session.ts';
import { commandsOf, matching } from './commands.ts';
import { initials, settingInitials } from './initials.ts';
import { settingCommands } from './setting-commands.ts';

vi.hoisted(() =>
  vi.stubGlobal('window', { location: { hash: '' }, addEventListener: () => undefined }),
);

const found = (role: Role, typed: string): string[] => {
  useSession.setState({ user: { role } as never });
  return matching(commandsOf(say), typed).map(({ label }) => label);
};

const foundSettings = (role: Role, typed: string, language: Language = 'zh'): string[] => {
  useSession.setState({ user: { role } as never });
  return matching(settingCommands(language, typed), typed).map(({ label }) => label);
};

afterEach(() => useSession.setState({ user: null }));

test('the command palette offers top-up and a new station only to users who may use them', () => {
  expect(found('admin', '充值')).toEqual(['充值']);
  expect(found('station', '充值')).toEqual(['申请充值']);
  expect(found('user', '充值')).toEqual([]);
  expect(found('partner', '新建网点')).toEqual(['新建网点']);
  expect(found('station', '新建网点')).toEqual([]);
});

test('the command palette finds screens and actions by the initials of their pinyin', () => {
  expect(found('admin', 'ydgl')).toEqual(['运单管理']);
  expect(found('admin', 'xjwd')).toEqual(['新建网点']);
  expect(found('admin', 'CZ')).toContain('充值');
  expect(found('user', 'xjwd')).toEqual([]);
});

test('every screen has one pinyin initial for each character of its name', () => {
  const wrong = screens.filter(
    ({ name, zh }) =>
      !/^[a-z]+$/.test(initials[name] ?? '') || initials[name]!.length !== zh.length,
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('only a super admin finds settings in the command palette, by two or more characters of their Chinese or English name or by initials', () => {
  expect(foundSettings('super', '重量')).toContain('单件重量上限');
  expect(foundSettings('super', 'DJZL')).toEqual(['单件重量上限']);
  expect(foundSettings('super', 'low balance')).toEqual(['余额提醒金额']);
  expect(foundSettings('super', '余额', 'en')).toEqual(['Low balance below']);
  expect(foundSettings('super', '')).toEqual([]);
  expect(foundSettings('super', ' 重 ')).toEqual([]);
  for (const role of ['admin', 'partner', 'station', 'user'] as const)
    expect(foundSettings(role, '重量')).toEqual([]);
});

test('every setting has one pinyin initial for each Chinese character of its name', () => {
  const wrong = settingNames.filter(
    (name) =>
      !/^[a-z]+$/.test(settingInitials[name]) ||
      settingInitials[name].length !== settings[name].zh.match(/\p{Script=Han}/gu)?.length,
  );
  expect(wrong).toEqual([]);
});
