import { FilterOutlined } from '@ant-design/icons-svg';
import { useRef, useState } from 'react';
import type { SearchPatch } from '#base/href.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { StationPicker, useSeveralStations } from '#resource/stations/station-picker.tsx';
import { kg } from '#ui/values/amounts.ts';
import { Button } from '#ui/button.tsx';
import { Combobox } from '#ui/fields/combobox.tsx';
import { DayRange, DayRangeFields } from '#ui/fields/day-range.tsx';
import { useDivisions } from '#ui/fields/divisions.ts';
import { MoneyField } from '#ui/fields/number-fields.tsx';
import { Icon } from '#ui/icon.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import { Popup } from '#ui/overlay/popup.tsx';
import primitives from '#ui/primitives.module.css';
import { idFilters, useIdChoices, useOrderChoices } from './filter-choices.ts';
import { activeChips } from './filters.ts';
import type { Filters } from './filters.ts';
import styles from './filter-bar.module.css';

interface Props {
  filters: Filters;
  stationName: string;
  onChange: (patch: SearchPatch) => void;
}

const Choice = <V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: V;
  options: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
}) => (
  <fieldset className={styles['choice']}>
    <legend>{label}</legend>
    <div>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
          {option.label}
        </button>
      ))}
    </div>
  </fieldset>
);

/** The filters that are asked for less often. */
const MoreFilters = ({ filters, onChange }: Pick<Props, 'filters' | 'onChange'>) => {
  const { t } = useTexts();
  const { promises, goods } = useOrderChoices(filters, true);
  const ids = useIdChoices(true);
  const { divisions } = useDivisions(true);
  return (
    <>
      <Combobox
        label={t('expresses.filter.promise_id')}
        value={filters.promise_id}
        clearable
        options={promises}
        onChange={(promise_id) => onChange({ promise_id })}
        placeholder={t('common.any')}
      />
      <Combobox
        label={t('expresses.filter.receive_province')}
        value={filters.receive_province}
        clearable
        options={(divisions?.provinces ?? []).map(({ name }) => ({ value: name, label: name }))}
        onChange={(receive_province) => onChange({ receive_province })}
        placeholder={t('common.any')}
      />
      <Combobox
        label={t('expresses.filter.goods')}
        value={filters.goods}
        shown={filters.goods}
        clearable
        options={goods}
        onChange={(name) => onChange({ goods: name })}
        placeholder={t('common.any')}
      />
      {idFilters.map((key) => {
        const options = ids[key];
        return (
          options && (
            <Combobox
              key={key}
              label={t(`expresses.filter.${key}`)}
              value={filters[key] === null ? '' : String(filters[key])}
              clearable
              options={options}
              onChange={(id) => onChange({ [key]: id })}
              placeholder={t('common.any')}
            />
          )
        );
      })}
      <fieldset className={styles['choice']}>
        <legend>{t('expresses.filter.post_amount')}</legend>
        <div>
          {(['post_amount_from', 'post_amount_to'] as const).map((key) => (
            <MoneyField
              key={key}
              label={t(key === 'post_amount_from' ? 'lists.at_least' : 'lists.at_most')}
              value={filters[key]}
              onChange={(fen) => onChange({ [key]: fen === null || Number.isNaN(fen) || fen < 0 ? undefined : fen })}
            />
          ))}
        </div>
      </fieldset>
      <Choice
        label={t('expresses.filter.weight_difference')}
        value={filters.weight_difference === null ? '' : String(filters.weight_difference)}
        options={[{ value: '', label: t('common.any') }, ...[100, 500, 1_000].map((grams) => ({ value: String(grams), label: `≥ ${kg(grams)}` }))]}
        onChange={(weight_difference) => onChange({ weight_difference })}
      />
      <Choice
        label={t('expresses.filter.insured')}
        value={filters.insured === null ? '' : filters.insured === 1 ? '1' : '0'}
        options={[
          { value: '', label: t('common.any') },
          { value: '1', label: t('expresses.insured_yes') },
          { value: '0', label: t('expresses.insured_no') },
        ]}
        onChange={(insured) => onChange({ insured })}
      />
      <Choice
        label={t('expresses.filter.printed')}
        value={filters.printed === null ? '' : filters.printed === 1 ? '1' : '0'}
        options={[
          { value: '', label: t('common.any') },
          { value: '0', label: t('expresses.printed_no') },
          { value: '1', label: t('expresses.printed_yes') },
        ]}
        onChange={(printed) => onChange({ printed })}
      />
      <Choice
        label={t('expresses.filter.unmoved_hours')}
        value={filters.unmoved_hours === null ? '' : String(filters.unmoved_hours)}
        options={[
          { value: '', label: t('common.any') },
          ...['24', '48', '72'].map((hours) => ({ value: hours, label: t('expresses.unmoved_for', { hours }) })),
        ]}
        onChange={(unmoved_hours) => onChange({ unmoved_hours })}
      />
      <label className={`${primitives['row']} ${styles['check']}`}>
        <input type="checkbox" checked={filters.need_retry === 1} onChange={(event) => onChange({ need_retry: event.target.checked ? 1 : undefined })} />
        {t('expresses.need_retry')}
      </label>
    </>
  );
};

/** Days, station and the rest in one line; on a phone in a sheet. */
export const FilterBar = ({ filters, stationName, onChange }: Props) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const several = useSeveralStations();
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const days = {
    label: t('expresses.filter.created'),
    value: { from: filters.created_from, to: filters.created_to },
    onChange: ({ from, to }: { from: string; to: string }) => onChange({ created_from: from, created_to: to }),
  };
  const station = (bare: boolean) =>
    several && (
      <StationPicker
        label={t('common.station')}
        bare={bare}
        value={filters.station_id}
        shown={stationName}
        clearable
        onChange={(station_id) => onChange({ station_id })}
      />
    );
  const active = activeChips(filters).length;
  if (narrow)
    return (
      <>
        <Button
          icon={<Icon of={FilterOutlined} />}
          aria-label={active > 0 ? `${t('expresses.filters')} ${active}` : t('expresses.filters')}
          aria-haspopup="dialog"
          className={styles['phone']!}
          onClick={() => setAnchor(document.body)}
        >
          {active > 0 ? active : null}
        </Button>
        <Drawer
          open={anchor !== null}
          onClose={() => setAnchor(null)}
          placement="bottom"
          title={t('expresses.filters')}
          footer={
            <Button type="primary" block size="large" onClick={() => setAnchor(null)}>
              {t('expresses.show_results')}
            </Button>
          }
        >
          <div className={styles['sheet']}>
            <DayRangeFields {...days} />
            {station(false)}
            <MoreFilters filters={filters} onChange={onChange} />
          </div>
        </Drawer>
      </>
    );
  return (
    <>
      <DayRange {...days} />
      {several && <div className={styles['station']}>{station(true)}</div>}
      <Button
        ref={button}
        icon={<Icon of={FilterOutlined} />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={() => setAnchor(anchor ? null : button.current)}
      >
        {t('expresses.more_filters')}
      </Button>
      {anchor && (
        <Popup anchor={anchor} onClose={() => setAnchor(null)} role="dialog" label={t('expresses.more_filters')} takesFocus>
          <div className={styles['panel']}>
            <MoreFilters filters={filters} onChange={onChange} />
          </div>
        </Popup>
      )}
    </>
  );
};
