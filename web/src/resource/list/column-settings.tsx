import { SettingOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { changeSettings } from '#base/settings-store.ts';
import { useSettings } from '#base/settings.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import { columnWidths } from '#resource/table/column-layout.ts';
import type { Pin } from '#resource/table/column-layout.ts';
import { SettingsPopup } from '#ui/overlay/settings-popup.tsx';
import { SortableList } from '#ui/fields/sortable-list.tsx';
import { Select } from '#ui/fields/select.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './list.module.css';
import type { Arranged } from './column-arrangement.ts';

const densities = ['comfortable', 'compact'] as const;
/** If a list has more columns than this, its column settings have a search field. */
const many = 20;
const pins: readonly Pin[] = ['none', 'start', 'end'];

const Panel = <R,>({ arranged }: { arranged: Arranged<R> }) => {
  const { t } = useTexts();
  const density = useSettings((state) => state.density);
  const [search, setSearch] = useState('');
  const words = search.trim().toLowerCase();
  const found = arranged.choices.filter(({ title }) => title.toLowerCase().includes(words));
  const move = (from: number, to: number): void =>
    arranged.move(arranged.choices.indexOf(found[from]!), arranged.choices.indexOf(found[to]!));
  const pinWords: Record<Pin, string> = {
    none: t('lists.pin_none'),
    start: t('lists.pin_start'),
    end: t('lists.pin_end'),
  };
  return (
    <div className={styles['columns']}>
      <fieldset className={styles['density']}>
        <legend>{t('lists.density')}</legend>
        {densities.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={density === each}
            onClick={() => changeSettings({ density: each })}
          >
            {t(`lists.${each}`)}
          </button>
        ))}
      </fieldset>
      {arranged.presets.length > 0 && (
        <fieldset className={styles['density']}>
          <legend>{t('lists.presets')}</legend>
          {arranged.presets.map((preset) => (
            <button
              key={preset.key}
              type="button"
              aria-pressed={preset.active}
              onClick={() => arranged.takePreset(preset)}
            >
              {preset.label}
            </button>
          ))}
        </fieldset>
      )}
      {arranged.choices.length > many && (
        <TextField
          label={t('lists.find_column')}
          bare
          value={search}
          onChange={setSearch}
          placeholder={t('lists.find_column')}
        />
      )}
      <SortableList
        label={t('lists.columns')}
        items={found}
        keyOf={({ key }) => key}
        nameOf={({ title }) => title}
        onMove={move}
      >
        {(column) => (
          <>
            <label className={`${primitives['row']} ${styles['column']}`}>
              <input
                type="checkbox"
                checked={column.shown}
                disabled={column.fixed}
                onChange={(event) => arranged.show(column.key, event.target.checked)}
              />
              <span>{column.title}</span>
            </label>
            <Select
              className={styles['pin']}
              label={t('lists.pin_of', { name: column.title })}
              value={column.pin}
              options={pins.map((pin) => ({ value: pin, label: pinWords[pin] }))}
              onChange={(pin) => pin !== '' && arranged.pin(column.key, pin)}
            />
            <input
              type="number"
              className={styles['width']}
              aria-label={t('lists.width_of', { name: column.title })}
              min={columnWidths.min}
              max={columnWidths.max}
              step={8}
              value={column.width}
              onChange={(event) => {
                const width = event.target.valueAsNumber;
                if (width >= columnWidths.min && width <= columnWidths.max)
                  arranged.resize(column.key, width);
              }}
            />
          </>
        )}
      </SortableList>
      <div className={styles['reset']}>
        <Button size="small" disabled={!arranged.changed} onClick={arranged.reset}>
          {t('lists.reset_columns')}
        </Button>
      </div>
    </div>
  );
};

/**
 * The column settings of a list: the visible columns with their order, widths and pins. They are
 * stored for the user and apply after every login.
 */
export const ColumnSettings = <R,>({ arranged }: { arranged: Arranged<R> }) => {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  // On a phone there is no room for a popup beside its button.
  if (useNarrow())
    return (
      <>
        <Button
          type="text"
          icon={<Icon of={SettingOutlined} />}
          aria-label={t('lists.columns')}
          title={t('lists.columns')}
          onClick={() => setOpen(true)}
        />
        {open && (
          <Drawer open size="100%" title={t('lists.columns')} onClose={() => setOpen(false)}>
            <Panel arranged={arranged} />
          </Drawer>
        )}
      </>
    );
  return (
    <SettingsPopup label={t('lists.columns')}>
      <Panel arranged={arranged} />
    </SettingsPopup>
  );
};
