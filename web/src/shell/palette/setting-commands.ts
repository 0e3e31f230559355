import { mayOpen, screenOrThrow } from '@waystation/contract/shell/screens.ts';
import { settingGroups, settingNames, settings } from '@waystation/contract/shell/settings.ts';
import type { Setting } from '@waystation/contract/shell/settings.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { useSession } from '#shell/session/session.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { settingInitials } from './initials.ts';
import type { Command } from './screen-commands.ts';

/**
 * The minimum number of characters for finding a setting. Fewer characters would find nearly all
 * settings.
 */
const leastCharacters = 2;

/**
 * Commands that open a network setting. Only users who may open the settings get them. A setting is
 * found by its name or group in either language.
 */
export const settingCommands = (language: Language, typed: string): Command[] => {
  const role = useSession.getState().user?.role;
  if (role === undefined || !mayOpen(screenOrThrow('Settings'), role)) return [];
  if ([...typed.trim()].length < leastCharacters) return [];
  return settingNames.map((name) => {
    const { zh, en, group }: Setting = settings[name];
    return {
      id: `setting-${name}`,
      label: language === 'zh' ? zh : en,
      detail: settingGroups[group][language],
      group: 'settings',
      icon: 'settings',
      words: `${zh} ${en} ${settingInitials[name]} ${settingGroups[group].zh} ${settingGroups[group].en}`,
      run: () => openScreen('Settings', { setting: name }),
    };
  });
};
