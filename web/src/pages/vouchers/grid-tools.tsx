import {
  CopyOutlined,
  MinusOutlined,
  PlusOutlined,
  RedoOutlined,
  UndoOutlined,
} from '@ant-design/icons-svg';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { mostBrackets } from '@waystation/contract/money/voucher-content.ts';
import { provinceOf } from '@waystation/contract/parcels/provinces.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Combobox } from '#ui/fields/combobox.tsx';
import { useDivisions } from '#ui/fields/divisions.ts';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { Icon } from '#ui/icon.tsx';
import styles from './editor.module.css';
import {
  addCity,
  applyRow,
  bounds,
  fillDown,
  isCity,
  removeBracket,
  removeRow,
  toggleClosed,
  withBrackets,
} from './grid.ts';
import type { Grid } from './grid.ts';
import type { Place } from './grid-keys.ts';
import { useAreaName } from './words.ts';

interface Props {
  grid: Grid;
  place: Place;
  onChange: (grid: Grid) => void;
  onUndo: (() => void) | null;
  onRedo: (() => void) | null;
  onCopyAll: () => void;
  /** Further buttons that apply to all price lists. */
  children: ReactNode;
}

const Group = ({ label, children }: { label: string; children: ReactNode }) => (
  <div role="group" aria-label={label} className={styles['toolGroup']}>
    <span aria-hidden className={styles['quiet']}>
      {label}
    </span>
    {children}
  </div>
);

const Steps = ({ onUndo, onRedo }: Pick<Props, 'onUndo' | 'onRedo'>) => {
  const { t } = useTexts();
  return (
    <Group label={t('vouchers.group.edits')}>
      <Button
        size="small"
        icon={<Icon of={UndoOutlined} />}
        disabled={!onUndo}
        title={`${t('vouchers.undo')} (Ctrl+Z)`}
        onClick={() => onUndo?.()}
      >
        {t('vouchers.undo')}
      </Button>
      <Button
        size="small"
        icon={<Icon of={RedoOutlined} />}
        disabled={!onRedo}
        title={`${t('vouchers.redo')} (Ctrl+Y)`}
        onClick={() => onRedo?.()}
      >
        {t('vouchers.redo')}
      </Button>
    </Group>
  );
};

/** Shows the number of brackets, with buttons to add or remove the last bracket. */
const Brackets = ({ grid, onChange }: Pick<Props, 'grid' | 'onChange'>) => {
  const { t } = useTexts();
  const { brackets } = grid;
  const less = t('vouchers.remove_bracket');
  const more = t('vouchers.add_bracket');
  return (
    <Group label={t('vouchers.group.brackets')}>
      <Button
        size="small"
        icon={<Icon of={MinusOutlined} />}
        aria-label={less}
        title={less}
        disabled={brackets <= 1}
        onClick={() => onChange(removeBracket(grid, brackets - 1))}
      />
      <span className="tabular">{brackets}</span>
      <Button
        size="small"
        icon={<Icon of={PlusOutlined} />}
        aria-label={more}
        title={more}
        disabled={brackets >= mostBrackets}
        onClick={() => onChange(withBrackets(grid, brackets + 1))}
      />
    </Group>
  );
};

/** Buttons that do the same as the keys for the selected cells. */
export const GridTools = ({
  grid,
  place,
  onChange,
  onUndo,
  onRedo,
  onCopyAll,
  children,
}: Props) => {
  const { t } = useTexts();
  const areaName = useAreaName();
  const { divisions } = useDivisions(true);
  const [city, setCity] = useState<string | null>(null);
  const row = grid.rows[place.row];
  const area = row?.area ?? '';
  const name = areaName(area);
  const { top, bottom } = bounds(place);
  const closed = grid.rows.slice(top, bottom + 1).every((one) => one.closed);
  const cities = (divisions?.byCode.get(provinceOf(area))?.children ?? [])
    .filter(({ code }) => code.endsWith('00') && !grid.rows.some((one) => one.area === code))
    .map((one) => ({ value: one.code, label: one.short }));
  const addChosen = (): void => {
    if (city) onChange(addCity(grid, city));
    setCity(null);
  };
  return (
    <div
      id="grid-tools"
      className={styles['tools']}
      role="toolbar"
      aria-label={t('vouchers.tools')}
    >
      <Steps onUndo={onUndo} onRedo={onRedo} />
      <Group label={t('vouchers.group.list')}>
        <Button size="small" icon={<Icon of={CopyOutlined} />} onClick={onCopyAll}>
          {t('vouchers.copy_all')}
        </Button>
        {children}
      </Group>
      <Brackets grid={grid} onChange={onChange} />
      <Group label={t('vouchers.group.rows')}>
        <Button
          size="small"
          title={`${t('vouchers.fill_down')} (Ctrl+D)`}
          onClick={() => onChange(fillDown(grid, place))}
        >
          {t('vouchers.fill_down')}
        </Button>
        <Button size="small" onClick={() => onChange(toggleClosed(grid, place))}>
          {t(closed ? 'vouchers.serve' : 'vouchers.close_rows')}
        </Button>
        <Button size="small" onClick={() => onChange(applyRow(grid, place.row, 'region'))}>
          {t('vouchers.to_region', { name })}
        </Button>
        <Button size="small" onClick={() => onChange(applyRow(grid, place.row, 'empty'))}>
          {t('vouchers.to_empty')}
        </Button>
        {isCity(area) ? (
          <Button size="small" onClick={() => onChange(removeRow(grid, area))}>
            {t('vouchers.remove_city', { name })}
          </Button>
        ) : (
          <Button size="small" disabled={cities.length === 0} onClick={() => setCity('')}>
            {t('vouchers.add_city')}
          </Button>
        )}
      </Group>
      {city !== null && (
        <FormDialog
          open
          title={t('vouchers.add_city')}
          ok={t('vouchers.add')}
          busy={false}
          onSubmit={addChosen}
          onClose={() => setCity(null)}
        >
          <Combobox
            label={t('vouchers.city_of', { name })}
            value={city}
            options={cities}
            onChange={setCity}
            hint={t('vouchers.city_hint')}
          />
        </FormDialog>
      )}
    </div>
  );
};
