import {
  EnterOutlined,
  InboxOutlined,
  SearchOutlined,
  ThunderboltOutlined,
} from '@ant-design/icons-svg';
import { Autocomplete } from '@base-ui/react/autocomplete';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { expressStates } from '@waystation/contract/parcels/express.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { errorWords } from '#base/api-error.ts';
import { keyCaps } from '#base/keys.ts';
import { usePersonName } from '#base/person-name.ts';
import { useCall } from '#base/query.ts';
import { takesScans } from '#base/scan-bursts.ts';
import { useTexts } from '#base/texts.ts';
import { hideOverlay } from '#shell/layout/overlays.ts';
import { ScreenIcon } from '#shell/menu/icons.tsx';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { Icon } from '#ui/icon.tsx';
import styles from './command-palette.module.css';
import { commandsOf, matching } from './commands.ts';
import { looksLikeNumber } from './number-shape.ts';
import type { Command } from './screen-commands.ts';
import { settingCommands } from './setting-commands.ts';
import { KeyCaps } from './shortcut-sheet.tsx';

interface Option {
  id: string;
  icon: 'parcel' | 'action' | string;
  label: string;
  detail: string;
  keys: string;
  run: () => void;
}

interface OptionGroup {
  heading: string;
  items: Option[];
}

/**
 * The options for the typed words: parcels first if they look like a number, then screens,
 * actions and settings; with what to say of a search that has no answer. Parcels of a former text
 * are never shown below a newer one.
 */
const useOptionGroups = (typed: string): { groups: OptionGroup[]; status: string } => {
  const { t, language } = useTexts();
  const nameOf = usePersonName();
  const query = useDeferredValue(typed.trim());
  const isNumber = looksLikeNumber(query);
  const found = useCall(
    listExpresses,
    isNumber ? { q: query, page_size: 5, fields: 'receive_city' } : null,
    { quiet: true },
  );
  const parcel = (row: ExpressRow): Option => ({
    id: `parcel-${row.id}`,
    icon: 'parcel',
    label: row.delivery_id ?? row.order_id,
    detail: [
      nameOf(row.receive_name),
      row.receive_phone.slice(-4),
      row.receive_city,
      expressStates[row.state_code][language],
    ]
      .filter(Boolean)
      .join(' · '),
    keys: '',
    run: () => openScreen('ExpressTable', { q: query, id: row.id }),
  });
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
  const groups = [
    {
      heading: t('shell.palette_parcels'),
      items: isNumber ? (found.data?.items ?? []).map(parcel) : [],
    },
    { heading: t('shell.palette_screens'), items: optionsOf('screens') },
    { heading: t('shell.palette_actions'), items: optionsOf('actions') },
    { heading: t('menu.settings'), items: optionsOf('settings') },
  ].filter(({ items }) => items.length > 0);
  const nothing = groups.length === 0 ? t('shell.palette_nothing') : '';
  if (!isNumber) return { groups, status: nothing };
  if (found.isFetching) return { groups, status: t('shell.palette_searching') };
  return { groups, status: found.error ? errorWords(found.error, language) : nothing };
};

const OptionIcon = ({ icon }: { icon: string }) => {
  if (icon === 'parcel') return <Icon of={InboxOutlined} />;
  return icon === 'action' ? <Icon of={ThunderboltOutlined} /> : <ScreenIcon name={icon} />;
};

const FoundOption = ({ option }: { option: Option }) => (
  <Autocomplete.Item
    value={option}
    className={styles['option']}
    render={(props, { highlighted }) => <div {...props} aria-selected={highlighted} />}
    onClick={() => {
      hideOverlay('palette');
      option.run();
    }}
  >
    <OptionIcon icon={option.icon} />
    <span className={option.icon === 'parcel' ? 'tabular' : undefined}>{option.label}</span>
    <small>{option.detail}</small>
    {option.keys !== '' && <KeyCaps caps={keyCaps(option.keys)} />}
  </Autocomplete.Item>
);

/** The search field and its options: arrows move through them, Enter runs the marked one. */
export const PaletteSearch = () => {
  const { t } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const [typed, setTyped] = useState('');
  const { groups, status } = useOptionGroups(typed);
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
      // Picking an option runs it and does not change the search text.
      onValueChange={(value, { reason }) => reason !== 'item-press' && setTyped(value)}
    >
      <div className={styles['box']}>
        <Icon of={SearchOutlined} />
        <Autocomplete.Input
          ref={input}
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
