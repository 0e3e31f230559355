import { CloseCircleFilled, DownOutlined } from '@ant-design/icons-svg';
import { useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { placeNames, searchDivisions } from '@waystation/contract/divisions.ts';
import type { Division, Divisions, PlaceNames } from '@waystation/contract/divisions.ts';
import { useTexts } from '#base/texts.ts';
import { AddressColumns } from './address-columns.tsx';
import { useDivisions } from './divisions.ts';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import styles from './field.module.css';
import { Icon } from '#ui/icon.tsx';
import { Popup } from '#ui/overlay/popup.tsx';
import primitives from '#ui/primitives.module.css';

interface Props extends FieldProps {
  value: PlaceNames;
  onChange: (value: PlaceNames) => void;
  name?: string;
  disabled?: boolean;
  onBlur?: () => void;
}

const none: PlaceNames = { province: '', city: '', county: '' };

/** "广东省 / 深圳市 / 南山区"; a name that repeats the one before it is written once. */
export const placeText = ({ province, city, county }: PlaceNames): string =>
  [province, city === province ? '' : city, county === city ? '' : county].filter(Boolean).join(' / ');

interface OfferedProps {
  id: string;
  label: string;
  value: PlaceNames;
  typed: string;
  found: readonly Division[];
  active: number;
  divisions: Divisions | null;
  failed: boolean;
  onRetry: () => void;
  onPick: (division: Division) => void;
  onLeave: () => void;
}

/** What hangs under the input: columns to pick from, or what fits what was typed. */
const Offered = ({ id, label, value, typed, found, active, divisions, failed, onRetry, onPick, onLeave }: OfferedProps) => {
  const { t } = useTexts();
  if (failed)
    return (
      <p className={styles['nothing']}>
        {t('common.load_failed')}{' '}
        <button type="button" className={primitives['linkButton']} onClick={onRetry}>
          {t('common.retry')}
        </button>
      </p>
    );
  if (divisions === null) return <p className={styles['nothing']}>{t('shell.loading')}</p>;
  if (typed === '')
    return (
      <div id={`${id}-popup`}>
        <AddressColumns divisions={divisions} value={value} onPick={onPick} onLeave={onLeave} />
      </div>
    );
  return (
    <ul id={`${id}-popup`} role="listbox" aria-label={label} className={styles['list']} onPointerDown={(event) => event.preventDefault()}>
      {found.map((division, index) => (
        <li
          key={division.code}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          data-active={index === active || undefined}
          className={styles['option']}
          onClick={() => onPick(division)}
        >
          <span>{placeText(placeNames(division))}</span>
          {division.children.length > 0 && (
            <span className={`${primitives['cut']} ${styles['note']}`}>{t('common.place_more', { count: division.children.length })}</span>
          )}
        </li>
      ))}
      {found.length === 0 && (
        <li role="option" aria-selected={false} aria-disabled className={styles['nothing']}>
          {t('common.nothing_matches')}
        </li>
      )}
    </ul>
  );
};

/** Province, city and county: typed by name, pinyin or initials (`gd ns`), or picked column by column. */
export const AddressCascader = (props: Props) => {
  const { label, value, onChange, name, disabled, onBlur, ...field } = props;
  const { t } = useTexts();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [query, setQuery] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const open = anchor !== null;
  const { divisions, failed, retry } = useDivisions(open);
  const typed = (query ?? '').trim();
  const found = divisions && typed !== '' ? searchDivisions(divisions, typed) : [];
  const show = (): void => {
    if (!disabled) setAnchor(box.current);
  };
  const close = (): void => {
    setAnchor(null);
    setQuery(null);
  };
  // A place with others below it is taken and left open, so that the county follows.
  const pick = (division: Division | undefined): void => {
    if (!division) return;
    onChange(placeNames(division));
    setQuery(null);
    setActive(0);
    if (division.children.length === 0) close();
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) show();
      else if (typed === '') box.current?.querySelector<HTMLElement>('[data-entry]')?.focus();
      else setActive((active + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % Math.max(found.length, 1));
    } else if (event.key === 'Enter' && open && typed !== '') {
      event.preventDefault();
      pick(found[active]);
    } else if (event.key === 'Tab' && typed !== '' && found[active]) pick(found[active]);
  };
  return (
    <FieldFrame id={id} label={label} {...field}>
      <div
        ref={box}
        className={styles['box']}
        data-disabled={disabled || undefined}
        onBlur={(event) => {
          if (event.currentTarget.contains(event.relatedTarget)) return;
          close();
          onBlur?.();
        }}
      >
        <input
          ref={input}
          id={id}
          role="combobox"
          className={styles['input']}
          aria-expanded={open}
          aria-autocomplete="list"
          aria-invalid={field.error !== undefined || undefined}
          aria-describedby={describedBy(id, props)}
          aria-required={field.required || undefined}
          autoComplete="off"
          spellCheck={false}
          value={query ?? placeText(value)}
          placeholder={t('common.place_placeholder')}
          disabled={disabled}
          {...(name !== undefined && { name })}
          {...(open && { 'aria-controls': `${id}-popup`, ...(found[active] && { 'aria-activedescendant': `${id}-${active}` }) })}
          onFocus={(event) => event.target.select()}
          onClick={show}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            show();
            setActive(0);
            setQuery(event.target.value);
          }}
        />
        {value.province !== '' && !disabled ? (
          <button type="button" tabIndex={-1} className={styles['icon']} aria-label={t('common.clear_field', { field: label })} onClick={() => onChange(none)}>
            <Icon of={CloseCircleFilled} />
          </button>
        ) : (
          <span className={styles['icon']} aria-hidden>
            <Icon of={DownOutlined} />
          </span>
        )}
        {open && (
          <Popup anchor={anchor} onClose={close} wide>
            <Offered
              id={id}
              label={label}
              value={value}
              typed={typed}
              found={found}
              active={active}
              divisions={divisions}
              failed={failed}
              onRetry={retry}
              onPick={pick}
              onLeave={() => input.current?.focus()}
            />
          </Popup>
        )}
      </div>
    </FieldFrame>
  );
};
