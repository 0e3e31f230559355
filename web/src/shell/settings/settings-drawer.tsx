import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Switch } from '#ui/switch.tsx';
import { chooseLocale, locales } from '#base/language.ts';
import { localeNames } from '#shell/layout/navbar.tsx';
import { copyText } from '#ui/copy-text.ts';
import { hideOverlay } from '#shell/layout/overlays.ts';
import styles from './settings-drawer.module.css';
import {
  changeSettings,
  menuWidths,
  resetSettings,
  settingsJson,
  settingsVersion,
} from '#base/settings-store.ts';
import type { Settings } from '#base/settings-store.ts';
import { useSettings } from '#base/settings.ts';
import { useTexts } from '#base/texts.ts';
import { ThemeColor } from './theme-color.tsx';

type Flag = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

const Section = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId();
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
};

const FlagRow = ({ name, label, hint }: { name: Flag; label: string; hint?: string }) => {
  const id = useId();
  const value = useSettings((state) => state[name]);
  return (
    <div className={styles['row']}>
      <label htmlFor={id}>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </label>
      <Switch
        id={id}
        size="small"
        checked={value}
        onChange={(checked) => changeSettings({ [name]: checked })}
      />
    </div>
  );
};

const inRange = (width: number): number =>
  Math.min(menuWidths.max, Math.max(menuWidths.min, Math.round(width)));

const MenuWidth = () => {
  const { t } = useTexts();
  const id = useId();
  const width = useSettings((state) => state.menuWidth);
  /** The typed text as long as it is not applied; null otherwise. */
  const [typed, setTyped] = useState<string | null>(null);
  const take = (): void => {
    const wanted = Number(typed);
    if (typed !== null && typed.trim() !== '' && Number.isFinite(wanted))
      changeSettings({ menuWidth: inRange(wanted) });
    setTyped(null);
  };
  return (
    <div className={styles['row']}>
      <label htmlFor={id}>
        {t('shell.menu_width')}
        <small>{t('shell.menu_width_hint', menuWidths)}</small>
      </label>
      <span className={styles['number']}>
        <input
          id={id}
          type="number"
          min={menuWidths.min}
          max={menuWidths.max}
          step={10}
          value={typed ?? String(width)}
          onChange={({ target }) => {
            setTyped(target.value);
            // A valid number from the arrow keys or from typing is applied immediately.
            if (target.validity.valid || target.validity.stepMismatch)
              if (target.value !== '') changeSettings({ menuWidth: inRange(target.valueAsNumber) });
          }}
          onBlur={take}
          onKeyDown={({ key }) => key === 'Enter' && take()}
        />
        px
      </span>
    </div>
  );
};

/** A setting with a few options, and its name above them. */
const Choice = <T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: { value: T; label: string }[];
  onChange: (value: T) => void;
}) => (
  <div className={styles['choice']}>
    <span aria-hidden>{label}</span>
    <Segmented block label={label} value={value} options={options} onChange={onChange} />
  </div>
);

/**
 * The settings drawer (requirements §2). Every change applies immediately and is not undone when
 * the drawer is closed.
 */
export const SettingsDrawer = ({ open }: { open: boolean }) => {
  const { t, locale } = useTexts();
  const theme = useSettings((state) => state.theme);
  const density = useSettings((state) => state.density);
  const close = (): void => hideOverlay('settings');
  return (
    <Drawer
      open={open}
      onClose={close}
      size={300}
      title={t('shell.settings')}
      closeAtEnd
      footer={
        <div className={styles['footer']}>
          <Button onClick={() => void copyText(settingsJson(), t('shell.settings_copied'))}>
            {t('common.copy')}
          </Button>
          <Button onClick={resetSettings}>{t('shell.reset')}</Button>
          <Button onClick={close}>{t('common.cancel')}</Button>
        </div>
      }
    >
      <Section title={t('shell.appearance')}>
        <Choice
          label={t('shell.theme')}
          value={theme}
          options={[
            { value: 'light', label: t('shell.theme_light') },
            { value: 'dark', label: t('shell.theme_dark') },
            { value: 'system', label: t('shell.theme_system') },
          ]}
          onChange={(value) => changeSettings({ theme: value })}
        />
        <ThemeColor />
        <FlagRow name="colorWeak" label={t('shell.color_weak')} hint={t('shell.color_weak_hint')} />
        <Choice
          label={t('shell.density')}
          value={density}
          options={[
            { value: 'comfortable', label: t('shell.density_comfortable') },
            { value: 'compact', label: t('shell.density_compact') },
          ]}
          onChange={(value) => changeSettings({ density: value })}
        />
        <FlagRow name="zebra" label={t('shell.zebra')} />
        <Choice
          label={t('shell.language')}
          value={locale}
          options={locales.map((one) => ({ value: one, label: localeNames[one] }))}
          onChange={chooseLocale}
        />
      </Section>
      <Section title={t('shell.layout')}>
        <FlagRow name="navbar" label={t('shell.show_navbar')} />
        <FlagRow name="menu" label={t('shell.show_menu')} />
        <FlagRow name="tabBar" label={t('shell.show_tab_bar')} />
        <FlagRow name="footer" label={t('shell.show_footer')} />
        <MenuWidth />
      </Section>
      <Section title={t('shell.other')}>
        <FlagRow
          name="menuFromServer"
          label={t('shell.menu_from_server')}
          hint={t('shell.menu_from_server_hint')}
        />
        <FlagRow
          name="singleKeys"
          label={t('shell.single_keys')}
          hint={t('shell.single_keys_hint')}
        />
        <FlagRow name="sounds" label={t('shell.sounds')} hint={t('shell.sounds_hint')} />
      </Section>
      <p className={styles['version']}>
        {t('shell.settings_version', { version: settingsVersion })}
      </p>
    </Drawer>
  );
};
