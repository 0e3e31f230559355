import { CloseCircleFilled, DownOutlined } from '@ant-design/icons-svg';
import { useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { placeNames, searchDivisions } from '@waystation/contract/parcels/divisions.ts';
import type { Division, Divisions, PlaceNames } from '@waystation/contract/parcels/divisions.ts';
import { useTexts } from '#base/texts.ts';
import { AddressColumns } from './address-columns.tsx';
import { useDivisions } from './divisions.ts';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import styles from './field.module.css';
import { Icon } from '#ui/icon.tsx';
import { OptionSearch } from './option-search.tsx';
import primitives from '#ui/primitives.module.css';

interface Props extends FieldProps {
  value: PlaceNames;
  onChange: (value: PlaceNames) => void;
  name?: string;
  disabled?: boolean;
  onBlur?: () => void;
}

const none: PlaceNames = { province: '', city: '', county: '' };

/** Writes a place such as "广东省 / 深圳市 / 南山区". A name that equals the previous name is left out. */
export const placeText = ({ province, city, county }: PlaceNames): string =>
  [province, city === province ? '' : city, county === city ? '' : county]
    .filter(Boolean)
    .join(' / ');

interface BeforeTypingProps {
  id: string;
  value: PlaceNames;
  divisions: Divisions | null;
  failed: boolean;
  onRetry: () => void;
  onPick: (division: Division) => void;
  onLeave: () => void;
}

/**
 * Shown under the input while nothing is typed. It shows columns to choose from, or the reason why
 * the divisions are missing.
 */
const BeforeTyping = ({
  id,
  value,
  divisions,
  failed,
  onRetry,
  onPick,
  onLeave,
}: BeforeTypingProps) => {
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
  return (
    <div id={id}>
      <AddressColumns divisions={divisions} value={value} onPick={onPick} onLeave={onLeave} />
    </div>
  );
};

/**
 * Selects province, city and county. The user types a name, pinyin or initials such as `gd ns`, or
 * chooses column by column.
 */
export const AddressCascader = (props: Props) => {
  const { label, value, onChange, name, disabled, onBlur, ...field } = props;
  const { t } = useTexts();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [query, setQuery] = useState<string | null>(null);
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
  // If the picked division has subdivisions, the columns stay open, so that the user can pick one
  // of them.
  const pick = (division: Division | undefined): void => {
    if (!division) return;
    onChange(placeNames(division));
    setQuery(null);
    if (division.children.length === 0) close();
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && open && typed !== '') event.preventDefault();
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    if (!open || typed === '') event.preventDefault();
    if (!open) show();
    else if (typed === '') box.current?.querySelector<HTMLElement>('[data-entry]')?.focus();
  };
  const options = found.map((division) => ({
    value: division.code,
    label: placeText(placeNames(division)),
    ...(division.children.length > 0 && {
      note: t('common.place_more', { count: division.children.length }),
    }),
  }));
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
        <OptionSearch
          input={{
            id,
            'aria-invalid': field.error !== undefined || undefined,
            'aria-describedby': describedBy(id, props),
            'aria-required': field.required || undefined,
            placeholder: t('common.place_placeholder'),
            disabled,
            ...(name !== undefined && { name }),
            ...(open && typed === '' && { 'aria-controls': `${id}-columns` }),
            onFocus: (event) => event.target.select(),
            onClick: show,
            onKeyDown,
          }}
          onMount={(element) => {
            input.current = element;
          }}
          label={label}
          text={query ?? placeText(value)}
          onText={(text) => {
            show();
            setQuery(text);
          }}
          options={options}
          typing={typed !== ''}
          anchor={anchor}
          onPick={(option) => pick(found.find((division) => division.code === option.value))}
          onClose={close}
        >
          {(typed === '' || divisions === null) && (
            <BeforeTyping
              id={`${id}-columns`}
              value={value}
              divisions={divisions}
              failed={failed}
              onRetry={retry}
              onPick={pick}
              onLeave={() => input.current?.focus()}
            />
          )}
        </OptionSearch>
        {value.province !== '' && !disabled ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles['icon']}
            aria-label={t('common.clear_field', { field: label })}
            onClick={() => onChange(none)}
          >
            <Icon of={CloseCircleFilled} />
          </button>
        ) : (
          <span className={styles['icon']} aria-hidden>
            <Icon of={DownOutlined} />
          </span>
        )}
      </div>
    </FieldFrame>
  );
};
