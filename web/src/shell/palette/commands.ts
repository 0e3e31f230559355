import { chooseLocale, currentLocale } from '#base/language.ts';
import { toggleBench } from '#shell/layout/bench.ts';
import { toggleFullScreen } from '#shell/layout/full-screen.ts';
import { backTo } from '#shell/tabs/open-screen.ts';
import { showOverlay } from '#shell/layout/overlays.ts';
import { managers, office } from '@waystation/contract/base/roles.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import { builders } from '@waystation/contract/network/station.ts';
import type { ScreenName } from '@waystation/contract/shell/screens.ts';
import { useSession } from '#shell/session/session.ts';
import { changeSettings, settingsStore } from '#base/settings-store.ts';
import { closeTabs, leaveConsole, reloadTab, reopenTab } from '#shell/tabs/tab-actions.ts';
import { useTabs } from '#shell/tabs/tab-store.ts';
import type { Say } from '#base/texts.ts';
import { shadeStore } from '#base/theme.ts';
import { initials } from './initials.ts';
import { screenCommands } from './screen-commands.ts';
import type { Command } from './screen-commands.ts';

type MakeAction = (
  id: string,
  label: string,
  words: string,
  does: { run: () => void; keys?: string },
) => Command;

/** Commands that open the form of a screen, for users who may create such a record. */
const formCommands = (t: Say, action: MakeAction): Command[] => {
  const role = useSession.getState().user?.role;
  const may = (roles: readonly Role[]): boolean => role !== undefined && roles.includes(role);
  const form = (name: ScreenName) => () => backTo(name, { form: 'new' });
  const topUp = t(may(office) ? 'common.top_up' : 'statements.request_top_up');
  return [
    ...(may(managers)
      ? [action('top_up', topUp, 'top up 充值', { run: form('StatementTable') })]
      : []),
    ...(may(builders)
      ? [action('new_station', t('stations.new'), 'new station', { run: form('StationTable') })]
      : []),
  ];
};

const onActive = (act: (key: string) => void): void => {
  const { active } = useTabs.getState();
  if (active !== null) act(active);
};

/** The commands that open screens or start actions, as the palette lists them. */
export const commandsOf = (t: Say): Command[] => {
  const action: MakeAction = (id, label, words, { run, keys }) => ({
    id,
    label,
    group: 'actions',
    icon: 'action',
    words,
    ...(keys !== undefined && { keys }),
    run,
  });
  const dark = shadeStore.getState().shade === 'dark';
  const { menuCollapse } = settingsStore.getState();
  const other = currentLocale() === 'zh-CN' ? 'en-US' : 'zh-CN';
  const commands = [
    ...screenCommands(t),
    ...formCommands(t, action),
    action('theme', dark ? t('shell.to_light') : t('shell.to_dark'), 'theme dark light 主题', {
      run: () => changeSettings({ theme: dark ? 'light' : 'dark' }),
    }),
    action('language', other === 'en-US' ? 'Switch to English' : '切换为中文', 'language 语言', {
      run: () => chooseLocale(other),
    }),
    action('settings', t('shell.settings'), 'settings preferences 设置', {
      run: () => showOverlay('settings'),
    }),
    action('shortcuts', t('shell.shortcuts'), 'keys keyboard 快捷键', {
      run: () => showOverlay('shortcuts'),
      keys: '?',
    }),
    action(
      'menu',
      menuCollapse ? t('shell.expand_menu') : t('shell.collapse_menu'),
      'menu sidebar 菜单',
      { run: () => changeSettings({ menuCollapse: !menuCollapse }) },
    ),
    action('bench', t('shell.bench'), 'bench scale scanner 工位 电子秤 扫码', {
      run: toggleBench,
      keys: 'alt+b',
    }),
    action('full', t('shell.full_screen'), 'full screen 全屏', { run: toggleFullScreen }),
    action('reload', t('shell.tab_reload'), 'reload refresh 刷新', {
      run: () => onActive((key) => void reloadTab(key)),
    }),
    action('close', t('shell.tab_close'), 'close tab 关闭', {
      run: () => onActive((key) => void closeTabs(key, 'this')),
      keys: 'alt+w',
    }),
    action('others', t('shell.tab_close_others'), 'close others 关闭其他', {
      run: () => onActive((key) => void closeTabs(key, 'others')),
    }),
    action('reopen', t('shell.tab_reopen'), 'reopen closed tab 恢复', { run: reopenTab }),
    action('logout', t('shell.log_out'), 'logout sign out 退出 登出', {
      run: () => void leaveConsole(),
    }),
  ];
  return commands.map((command) => ({
    ...command,
    words: `${command.words} ${initials[command.id] ?? ''}`,
  }));
};

/**
 * The commands that match the typed text. Every typed word must be in the label or in the
 * additional words of the command.
 */
export const matching = (commands: readonly Command[], typed: string): Command[] => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter((command) => {
    const text = `${command.label} ${command.words}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
};
