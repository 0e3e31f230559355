import { FilterOutlined } from '@ant-design/icons-svg';
import { useRef, useState } from 'react';
import type { SearchPatch } from '#base/href.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { Button } from '#ui/button.tsx';
import { Combobox } from '#ui/fields/combobox.tsx';
import { MoneyField } from '#ui/fields/number-fields.tsx';
import { MultiChoice, MultiChoiceFields } from '#ui/fields/multi-choice.tsx';
import { DayRange, DayRangeFields } from '#ui/fields/day-range.tsx';
import { Icon } from '#ui/icon.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import { Popup } from '#ui/overlay/popup.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import styles from './list.module.css';
import { activeFilters } from './list-filters.ts';
import type { ListFilter, ListPlace } from './list-filters.ts';

/** If a panel has more filters than this, it has two columns. */
const many = 8;

interface Props {
  filters: readonly ListFilter[];
  place: ListPlace;
  onChange: (patch: SearchPatch) => void;
}

const Control = ({
  filter,
  place,
  onChange,
  bare,
}: {
  filter: ListFilter;
  place: ListPlace;
  onChange: Props['onChange'];
  bare: boolean;
}) => {
  const { t } = useTexts();
  const value = place.values[filter.key] ?? '';
  if (filter.kind === 'days') {
    const days = {
      label: filter.label,
      value: {
        from: place.values[`${filter.key}_from`] ?? '',
        to: place.values[`${filter.key}_to`] ?? '',
      },
      onChange: ({ from, to }: { from: string; to: string }) =>
        onChange({ [`${filter.key}_from`]: from, [`${filter.key}_to`]: to }),
    };
    if (bare) return <DayRange {...days} />;
    return (
      <fieldset className={styles['days']}>
        <legend>{filter.label}</legend>
        <DayRangeFields {...days} />
      </fieldset>
    );
  }
  if (filter.kind === 'amounts') {
    const [from, to] = [`${filter.key}_from`, `${filter.key}_to`];
    const field = (name: string, label: string) => (
      <MoneyField
        label={label}
        value={place.values[name] === undefined ? null : Number(place.values[name])}
        onChange={(fen) =>
          onChange({
            [name]: fen === null || Number.isNaN(fen) || fen < 0 ? undefined : String(fen),
          })
        }
      />
    );
    return (
      <fieldset className={styles['days']}>
        <legend>{filter.label}</legend>
        <div className={styles['ends']}>
          {field(from!, t('lists.at_least'))}
          {field(to!, t('lists.at_most'))}
        </div>
      </fieldset>
    );
  }
  if (filter.kind === 'choices') {
    const several = {
      label: filter.label,
      options: filter.options,
      value: value === '' ? [] : value.split(','),
      onChange: (next: string[]) =>
        onChange({ [filter.key]: next.length === 0 ? undefined : next.join(',') }),
    };
    if (bare) return <MultiChoice {...several} />;
    return (
      <fieldset className={styles['days']}>
        <legend>{filter.label}</legend>
        <MultiChoiceFields {...several} />
      </fieldset>
    );
  }
  const change = (next: string | undefined): void => onChange({ [filter.key]: next });
  if (filter.kind === 'own') return filter.control(value, change, bare);
  if (filter.kind === 'text')
    return (
      <TextField
        label={filter.label}
        bare={bare}
        value={value}
        onChange={change}
        placeholder={bare ? filter.label : t('common.any')}
      />
    );
  return (
    <Combobox
      label={filter.label}
      bare={bare}
      value={value}
      clearable
      options={filter.options}
      onChange={change}
      placeholder={bare ? filter.label : t('common.any')}
    />
  );
};

/**
 * The filters of a list in one line. Rarely used filters are behind a button. On a phone all
 * filters are in a panel at the bottom.
 */
export const FilterBar = ({ filters: all, place, onChange }: Props) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const active = activeFilters(place, all).length;
  const filters = all.filter((filter) => !filter.hidden);
  const later = filters.filter((filter) => filter.more);
  const shared = { place, onChange };
  if (filters.length === 0) return null;
  if (narrow)
    return (
      <>
        <Button
          icon={<Icon of={FilterOutlined} />}
          aria-label={active > 0 ? `${t('lists.filters')} ${active}` : t('lists.filters')}
          aria-haspopup="dialog"
          className={styles['phone']}
          onClick={() => setAnchor(document.body)}
        >
          {active > 0 ? active : null}
        </Button>
        <Drawer
          open={anchor !== null}
          onClose={() => setAnchor(null)}
          placement="bottom"
          title={t('lists.filters')}
          footer={
            <Button type="primary" block size="large" onClick={() => setAnchor(null)}>
              {t('lists.show_results')}
            </Button>
          }
        >
          <div className={styles['sheet']}>
            {filters.map((filter) => (
              <Control key={filter.key} filter={filter} bare={false} {...shared} />
            ))}
          </div>
        </Drawer>
      </>
    );
  return (
    <>
      {filters
        .filter((filter) => !filter.more)
        .map((filter) =>
          filter.kind === 'days' ? (
            <Control key={filter.key} filter={filter} bare {...shared} />
          ) : (
            <div key={filter.key} className={styles['filter']}>
              <Control filter={filter} bare {...shared} />
            </div>
          ),
        )}
      {later.length > 0 && (
        <Button
          ref={button}
          icon={<Icon of={FilterOutlined} />}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={() => setAnchor(anchor ? null : button.current)}
        >
          {t('lists.more_filters')}
        </Button>
      )}
      {anchor && (
        <Popup
          anchor={anchor}
          onClose={() => setAnchor(null)}
          role="dialog"
          label={t('lists.more_filters')}
          takesFocus
        >
          <div className={styles['panel']} data-wide={later.length >= many || undefined}>
            {later.map((filter) => (
              <Control key={filter.key} filter={filter} bare={false} {...shared} />
            ))}
          </div>
        </Popup>
      )}
    </>
  );
};
