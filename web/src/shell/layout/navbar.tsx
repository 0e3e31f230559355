import {
  CheckOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  LogoutOutlined,
  MenuOutlined,
  MoonOutlined,
  SearchOutlined,
  SettingOutlined,
  SunOutlined,
  TranslationOutlined,
  UserOutlined,
} from '@ant-design/icons-svg';
import { useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';
import { Menu } from '#ui/overlay/menu.tsx';
import primitives from '#ui/primitives.module.css';
import { toggleFullScreen, useFullScreen } from './full-screen.ts';
import { ariaKeys, keyCaps } from '#base/keys.ts';
import { chooseLocale, locales } from '#base/language.ts';
import { Logo } from './logo.tsx';
import styles from './navbar.module.css';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { showOverlay } from './overlays.ts';
import { landing } from '@waystation/contract/shell/screens.ts';
import { useUser } from '#shell/session/session.ts';
import { changeSettings } from '#base/settings-store.ts';
import { leaveConsole } from '#shell/tabs/tab-actions.ts';
import { useTexts } from '#base/texts.ts';
import { useAbout, useShade } from '#base/use-facts.ts';
import { useNarrow } from '#base/viewport.ts';

/** A button with an icon. The button's name is shown below it while the pointer is over it. */
const Tool = ({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: ReactNode;
}) => (
  <button
    type="button"
    className={primitives['tool']}
    aria-label={label}
    data-tip={label}
    onClick={onClick}
  >
    {children}
  </button>
);

/** The state of a button that opens a menu. A second press of the button closes the menu. */
const useMenuButton = () => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return {
    anchor,
    close: () => setAnchor(null),
    button: {
      'aria-haspopup': 'menu' as const,
      'aria-expanded': anchor !== null,
      onClick: (event: MouseEvent<HTMLElement>) => setAnchor(anchor ? null : event.currentTarget),
    },
  };
};

/** The name of each language, written in that language. */
export const localeNames = { 'zh-CN': '简体中文', 'en-US': 'English' } as const;

const LanguageMenu = () => {
  const { t, locale } = useTexts();
  const { anchor, close, button } = useMenuButton();
  const items = locales.map((one) => ({
    key: one,
    label: <span lang={one}>{localeNames[one]}</span>,
    icon: one === locale && <Icon of={CheckOutlined} />,
    run: () => chooseLocale(one),
  }));
  return (
    <>
      <button
        type="button"
        className={primitives['tool']}
        aria-label={t('shell.language')}
        {...button}
      >
        <Icon of={TranslationOutlined} />
      </button>
      {anchor && (
        <Menu anchor={anchor} label={t('shell.language')} groups={[items]} onClose={close} />
      )}
    </>
  );
};

const ProfileMenu = () => {
  const { t } = useTexts();
  const user = useUser();
  const narrow = useNarrow();
  const name = user.nickname || user.username;
  const role = t(`shell.role.${user.role}`);
  const { anchor, close, button } = useMenuButton();
  return (
    <>
      <button
        type="button"
        className={`${primitives['row']} ${styles['profile']}`}
        title={t('shell.profile', { name, role })}
        {...(narrow && { 'aria-label': t('shell.profile', { name, role }) })}
        {...button}
      >
        {user.avatar === '' ? (
          <span
            className={styles['avatar']}
            data-letter={[...name][0]?.toUpperCase()}
            aria-hidden
          />
        ) : (
          <img className={styles['avatar']} src={user.avatar} alt="" />
        )}
        {!narrow && (
          <span className={styles['name']}>
            {name}
            <small>{user.station_name ?? role}</small>
          </span>
        )}
      </button>
      {anchor && (
        <Menu
          anchor={anchor}
          label={name}
          head={
            <p className={styles['who']}>
              <strong>{name}</strong>
              <span>{[user.username, role, user.station_name].filter(Boolean).join(' · ')}</span>
            </p>
          }
          groups={[
            [
              {
                key: 'own',
                icon: <Icon of={UserOutlined} />,
                label: t('menu.profile'),
                run: () => openScreen('Profile'),
              },
              {
                key: 'settings',
                icon: <Icon of={SettingOutlined} />,
                label: t('shell.settings'),
                run: () => showOverlay('settings'),
              },
              {
                key: 'shortcuts',
                icon: <span className={styles['key-icon']}>?</span>,
                label: t('shell.shortcuts'),
                run: () => showOverlay('shortcuts'),
              },
            ],
            [
              {
                key: 'logout',
                icon: <Icon of={LogoutOutlined} />,
                label: t('shell.log_out'),
                run: () => void leaveConsole(),
              },
            ],
          ]}
          onClose={close}
        />
      )}
    </>
  );
};

const SearchButton = () => {
  const { t } = useTexts();
  const narrow = useNarrow();
  return (
    <button
      type="button"
      className={`${primitives['row']} ${styles['search']}`}
      data-narrow={narrow || undefined}
      {...(narrow && { 'aria-label': t('shell.palette') })}
      aria-keyshortcuts={ariaKeys('mod+k')}
      aria-haspopup="dialog"
      onClick={() => showOverlay('palette')}
    >
      <Icon of={SearchOutlined} />
      {!narrow && (
        <>
          <span>{t('shell.palette_hint')}</span>
          <kbd>{keyCaps('mod+k')[0]!.join(' ')}</kbd>
        </>
      )}
    </button>
  );
};

const Brand = () => {
  const { t } = useTexts();
  const demo = useAbout()?.demo ?? false;
  return (
    <>
      <button
        type="button"
        className={styles['brand']}
        onClick={() => openScreen(landing)}
        title={t('shell.to_landing')}
      >
        <Logo />
        <span className={styles['product']}>{t('shell.product')}</span>
      </button>
      {demo && <span className={styles['demo']}>{t('shell.demo')}</span>}
    </>
  );
};

/**
 * The bar at the top of the console. It shows the active screen, the search, the appearance
 * settings and the user's menu.
 */
export const Navbar = ({ orders, inbox }: { orders: ReactNode; inbox: ReactNode }) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const full = useFullScreen();
  const dark = useShade() === 'dark';
  const themeLabel = dark ? t('shell.to_light') : t('shell.to_dark');
  return (
    <header className={styles['navbar']}>
      {narrow && (
        <button
          type="button"
          className={primitives['tool']}
          aria-label={t('shell.open_menu')}
          aria-haspopup="dialog"
          onClick={() => showOverlay('menu')}
        >
          <Icon of={MenuOutlined} />
        </button>
      )}
      <Brand />
      <SearchButton />
      <div className={styles['tools']}>
        {orders}
        <div className={styles['slot']}>{inbox}</div>
        <LanguageMenu />
        <Tool label={themeLabel} onClick={() => changeSettings({ theme: dark ? 'light' : 'dark' })}>
          {dark ? <Icon of={SunOutlined} /> : <Icon of={MoonOutlined} />}
        </Tool>
        {!narrow && (
          <Tool
            label={full ? t('shell.exit_full_screen') : t('shell.full_screen')}
            onClick={toggleFullScreen}
          >
            {full ? <Icon of={FullscreenExitOutlined} /> : <Icon of={FullscreenOutlined} />}
          </Tool>
        )}
        {!narrow && (
          <Tool label={t('shell.settings')} onClick={() => showOverlay('settings')}>
            <Icon of={SettingOutlined} />
          </Tool>
        )}
        <ProfileMenu />
      </div>
    </header>
  );
};
