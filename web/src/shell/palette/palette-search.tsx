import { EnterOutlined, SearchOutlined, ThunderboltOutlined } from '@ant-design/icons-svg';
import { Autocomplete } from '@base-ui/react/autocomplete';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent as PressedKey } from 'react';
import { leastSearched, searchEverything } from '@waystation/contract/shell/global-search.ts';
import { errorWords } from '#base/api-error.ts';
import { keyCaps } from '#base/keys.ts';
import { useCall } from '#base/query.ts';
import { takesScans } from '#base/scan-bursts.ts';
import { useTexts } from '#base/texts.ts';
import { useSettled } from '#base/use-settled.ts';
import { hideOverlay, useOverlays } from '#shell/layout/overlays.ts';
import { ScreenIcon } from '#shell/menu/icons.tsx';
import { Icon } from '#ui/icon.tsx';
import styles from './command-palette.module.css';
import { commandsOf, matching } from './commands.ts';
import { takeEarlyKeys } from './early-keys.ts';
import { useFoundOptions } from './found-options.ts';
import type { Option, OptionGroup } from './found-options.ts';
import { looksLikeNumber } from './number-shape.ts';
import type { Command } from './screen-commands.ts';
import { settingCommands } from './setting-commands.ts';
import { KeyCaps } from './shortcut-sheet.tsx';

/** Milliseconds of pause in typing after which the server is asked. */
const settledMs = 150;

/**
 * The results for the typed text. Null if the text is too short or the results have not arrived.
 */
const useFound = (typed: string) => {
  const text = typed.trim();
  const settled = useSettled(text, settledMs);
  const isLong = [...text].length >= leastSearched;
  // A closed palette sends no request while it fades away, because the chosen command may end the
  // session.
  const isOpen = useOverlays(({ palette }) => palette);
  const answer = useCall(
    searchEverything,
    isOpen && [...settled].length >= leastSearched ? { q: settled } : null,
    { quiet: true },
  );
  // Results for an older text are never shown with a newer text.
  const isCurrent = isLong && settled === text;
  return {
    q: text,
    data: isCurrent ? (answer.data ?? null) : null,
    error: isCurrent && !answer.isFetching ? answer.error : null,
    isAwaited: isLong && (!isCurrent || answer.isFetching),
  };
};

/** The options and the status that belong to the typed text. */
interface Shown {
  groups: OptionGroup[];
  status: string;
  /** True if the server's results have not arrived yet. */
  isAwaited: boolean;
}

/**
 * The options for the typed text, and the status of the search. Commands come first, so that the
 * results of the server do not move the highlighted option. If the text looks like a number, the
 * results come first, because no command contains a digit.
 */
const useOptionGroups = (typed: string): Shown => {
  const { t, language } = useTexts();
  const optionsOfFound = useFoundOptions();
  const search = useFound(typed);
  const commands = matching([...commandsOf(t), ...settingCommands(language, typed)], typed);
  const optionsOf = (of: Command['group']): Option[] =>
    commands
      .filter(({ group }) => group === of)
      .map(({ id, icon, label, detail, keys, run }) => ({
        id,
        icon,
        label,
        detail: detail ?? '',
        keys: keys ?? '',
        run,
      }));
  const known = [
    { heading: t('shell.palette_screens'), items: optionsOf('screens') },
    { heading: t('shell.palette_actions'), items: optionsOf('actions') },
    { heading: t('menu.settings'), items: optionsOf('settings') },
  ].filter(({ items }) => items.length > 0);
  const found = search.data === null ? null : optionsOfFound(search.data, search.q);
  const foundGroups = found?.groups ?? [];
  const groups = looksLikeNumber(search.q)
    ? [...foundGroups, ...known]
    : [...known, ...foundGroups];
  const { isAwaited } = search;
  if (isAwaited) return { groups, isAwaited, status: t('shell.palette_searching') };
  if (search.error) return { groups, isAwaited, status: errorWords(search.error, language) };
  const count = (found?.count ?? 0) + commands.length;
  const status =
    count === 0
      ? t('shell.palette_nothing')
      : typed.trim() === ''
        ? ''
        : t('shell.palette_found', { count });
  return { groups, isAwaited, status };
};

const choose = (option: Option): void => {
  hideOverlay('palette');
  option.run();
};

const OptionIcon = ({ icon }: { icon: string }) => {
  return icon === 'action' ? <Icon of={ThunderboltOutlined} /> : <ScreenIcon name={icon} />;
};

const FoundOption = ({ option }: { option: Option }) => (
  <Autocomplete.Item
    value={option}
    className={styles['option']}
    render={(props, { highlighted }) => <div {...props} aria-selected={highlighted} />}
    onClick={() => choose(option)}
  >
    <OptionIcon icon={option.icon} />
    <span className={option.isNumber ? 'tabular' : undefined}>{option.label}</span>
    <small>{option.detail}</small>
    {option.keys !== '' && <KeyCaps caps={keyCaps(option.keys)} />}
  </Autocomplete.Item>
);

const pressEnter = (field: HTMLInputElement | null): void =>
  void field?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true }),
  );

/**
 * The key code that the browser reports for a key that an input method handles. It also reports the
 * code if the composition has just ended.
 */
const composingKey = 229;

/**
 * Handles an Enter that is pressed before any option is shown, as scanners do. The first option is
 * run when the results have arrived, unless another character is typed before.
 */
const useEnter = ({ groups, isAwaited }: Shown) => {
  const isPressed = useRef(false);
  useEffect(() => {
    if (isAwaited || !isPressed.current) return;
    isPressed.current = false;
    const first = groups[0]?.items[0];
    // A palette that was closed by Escape may still be fading away. It must not run anything.
    if (first && useOverlays.getState().palette) choose(first);
  });
  return {
    onKeyDown: ({ key, currentTarget, nativeEvent }: PressedKey<HTMLInputElement>): void => {
      // If an option of the list is highlighted, the list itself handles Enter. While an input
      // method composes text, Enter belongs to the input method.
      const isMarked = currentTarget.getAttribute('aria-activedescendant') !== null;
      const isComposing = nativeEvent.isComposing || nativeEvent.keyCode === composingKey;
      if (key === 'Enter' && !isMarked && !isComposing) isPressed.current = isAwaited;
    },
    takeBack: () => void (isPressed.current = false),
  };
};

/**
 * The search field and its options. Arrow keys move through the options, and Enter runs the
 * highlighted option.
 */
export const PaletteSearch = () => {
  const { t } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const [typed, setTyped] = useState('');
  /**
   * Enters the keys that were typed before the search field existed. If Enter was among them, it is
   * pressed after the options were drawn.
   */
  const takeEarly = (): void => {
    const { text, entered } = takeEarlyKeys();
    if (text !== '') setTyped(text);
    if (entered)
      requestAnimationFrame(() => requestAnimationFrame(() => pressEnter(input.current)));
  };
  const shown = useOptionGroups(typed);
  const { groups, status } = shown;
  const { onKeyDown, takeBack } = useEnter(shown);
  return (
    <Autocomplete.Root
      inline
      open
      mode="none"
      autoHighlight="always"
      keepHighlight
      items={groups}
      value={typed}
      itemToStringValue={({ label }: Option) => label}
      // Selecting an option runs it. The search text stays unchanged.
      onValueChange={(value, { reason }) => {
        if (reason === 'item-press') return;
        takeBack();
        setTyped(value);
      }}
    >
      <div className={styles['box']}>
        <Icon of={SearchOutlined} />
        <Autocomplete.Input
          ref={input}
          onFocus={takeEarly}
          onKeyDown={onKeyDown}
          {...takesScans}
          aria-label={t('shell.palette')}
          placeholder={t('shell.palette_placeholder')}
          spellCheck={false}
        />
        <kbd>{keyCaps('Escape')[0]![0]}</kbd>
      </div>
      <Autocomplete.List className={styles['list']} aria-label={t('shell.palette')}>
        {(group: OptionGroup) => (
          <Autocomplete.Group key={group.heading} items={group.items}>
            <Autocomplete.GroupLabel className={styles['heading']}>
              {group.heading}
            </Autocomplete.GroupLabel>
            {group.items.map((option) => (
              <FoundOption key={option.id} option={option} />
            ))}
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      <p className={styles['foot']}>
        <output>{status}</output>
        <span aria-hidden>
          <kbd>↑</kbd> <kbd>↓</kbd> {t('shell.palette_choose')}{' '}
          <kbd>
            <Icon of={EnterOutlined} />
          </kbd>{' '}
          {t('shell.palette_open')}
        </span>
      </p>
    </Autocomplete.Root>
  );
};
