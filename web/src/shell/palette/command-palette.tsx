/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- the combobox pattern: the focus stays in the input, which moves the choice */
import { EnterOutlined, InboxOutlined, SearchOutlined, ThunderboltOutlined } from '@ant-design/icons-svg';
import { Fragment, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { listExpresses } from '@waystation/contract/express-calls.ts';
import { expressStates } from '@waystation/contract/express.ts';
import type { ExpressRow } from '@waystation/contract/express.ts';
import { Icon } from '#ui/icon.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import styles from './command-palette.module.css';
import { commandsOf, matching } from './commands.ts';
import { ScreenIcon } from '#shell/menu/icons.tsx';
import { keyCaps } from '#base/keys.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { hideOverlay } from '#shell/layout/overlays.ts';
import { looksLikeNumber } from './number-shape.ts';
import { useCall } from '#base/query.ts';
import { KeyCaps } from './shortcut-sheet.tsx';
import { useTexts } from '#base/texts.ts';

interface Option {
  id: string;
  heading: string;
  icon: 'parcel' | 'action' | string;
  label: string;
  detail: string;
  keys: string;
  run: () => void;
}

/** What the typed words offer: parcels first where they look like a number, then screens and actions. */
const useOptions = (typed: string): { options: Option[]; searching: boolean } => {
  const { t, language } = useTexts();
  const asked = useDeferredValue(typed.trim());
  const isNumber = looksLikeNumber(asked);
  const found = useCall(listExpresses, isNumber ? { q: asked, page_size: 5 } : null, { quiet: true, keep: true });
  const parcel = (row: ExpressRow): Option => ({
    id: `parcel-${row.id}`,
    heading: t('shell.palette_parcels'),
    icon: 'parcel',
    label: row.delivery_id ?? row.order_id,
    detail: [row.receive_name, row.receive_phone.slice(-4), row.receive_city, expressStates[row.state_code][language]].filter(Boolean).join(' · '),
    keys: '',
    run: () => openScreen('ExpressTable', { q: asked, id: row.id }),
  });
  const commands = matching(commandsOf(t), typed).map((command): Option => ({
    id: command.id,
    heading: command.group === 'screens' ? t('shell.palette_screens') : t('shell.palette_actions'),
    icon: command.icon,
    label: command.label,
    detail: '',
    keys: command.keys ?? '',
    run: command.run,
  }));
  const parcels = isNumber ? (found.data?.items ?? []).map(parcel) : [];
  return { options: [...parcels, ...commands], searching: isNumber && found.isFetching };
};

const OptionIcon = ({ icon }: { icon: string }) => {
  if (icon === 'parcel') return <Icon of={InboxOutlined} />;
  return icon === 'action' ? <Icon of={ThunderboltOutlined} /> : <ScreenIcon name={icon} />;
};

interface FoundProps {
  options: Option[];
  at: number;
  listId: string;
  onPick: (option: Option) => void;
  onPoint: (index: number) => void;
}

const FoundOption = ({ option, id, chosen, onPick, onPoint }: { option: Option; id: string; chosen: boolean; onPick: () => void; onPoint: () => void }) => {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) line.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div id={id} ref={line} className={styles['option']} role="option" aria-selected={chosen} onPointerMove={onPoint} onClick={onPick}>
      <OptionIcon icon={option.icon} />
      <span className={option.icon === 'parcel' ? 'tabular' : undefined}>{option.label}</span>
      <small>{option.detail}</small>
      {option.keys !== '' && <KeyCaps caps={keyCaps(option.keys)} />}
    </div>
  );
};

const Found = ({ options, at, listId, onPick, onPoint }: FoundProps) => {
  const { t } = useTexts();
  return (
    <div id={listId} className={styles['list']} role="listbox" aria-label={t('shell.palette')}>
      {options.map((option, index) => (
        <Fragment key={option.id}>
          {option.heading !== options[index - 1]?.heading && (
            <p className={styles['heading']} role="presentation">
              {option.heading}
            </p>
          )}
          <FoundOption option={option} id={`${listId}-${option.id}`} chosen={index === at} onPick={() => onPick(option)} onPoint={() => onPoint(index)} />
        </Fragment>
      ))}
    </div>
  );
};

const Palette = () => {
  const { t } = useTexts();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const { options, searching } = useOptions(typed);
  const place = Math.min(at, options.length - 1);
  const pick = (option: Option | undefined): void => {
    if (!option) return;
    hideOverlay('palette');
    option.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && options.length > 0) {
      event.preventDefault();
      setAt((place + step + options.length) % options.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      pick(options[place]);
    }
  };
  const said = searching ? t('shell.palette_searching') : options.length === 0 ? t('shell.palette_nothing') : '';
  return (
    <>
      <div className={styles['box']}>
        <Icon of={SearchOutlined} />
        <input
          ref={input}
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-label={t('shell.palette')}
          aria-activedescendant={options[place] ? `${listId}-${options[place].id}` : undefined}
          placeholder={t('shell.palette_placeholder')}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKey}
        />
        <kbd>{keyCaps('Escape')[0]![0]}</kbd>
      </div>
      <Found options={options} at={place} listId={listId} onPick={pick} onPoint={setAt} />
      <p className={styles['foot']}>
        <output>{said}</output>
        <span aria-hidden>
          <kbd>↑</kbd> <kbd>↓</kbd> {t('shell.palette_choose')}{' '}
          <kbd>
            <Icon of={EnterOutlined} />
          </kbd>{' '}
          {t('shell.palette_open')}
        </span>
      </p>
    </>
  );
};

/** Ctrl/⌘ K: screens, actions, and parcels by waybill, order number or phone tail. */
export const CommandPalette = ({ open }: { open: boolean }) => {
  const { t } = useTexts();
  return (
    <Modal
      open={open}
      onCancel={() => hideOverlay('palette')}
      footer={null}
      closable={false}
      destroyOnHidden
      width={640}
      title={<span className="sr-only">{t('shell.palette')}</span>}
      className={styles['palette'] ?? ''}
    >
      <Palette />
    </Modal>
  );
};
