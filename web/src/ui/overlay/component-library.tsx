import { ConfigProvider } from 'antd';
import type { ConfigProviderProps } from 'antd';
import enUS from 'antd/locale/en_US';
import zhCN from 'antd/locale/zh_CN';
import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { antdTheme } from './antd-theme.ts';
import { localeStore } from '#base/language.ts';
import { popupContainer } from './popups.ts';
import { useSettings } from '#base/settings.ts';
import type { Shade } from '#base/theme.ts';
import { useShade } from '#base/use-facts.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;

/** One object per look: the library compares themes by identity, and there is a provider around each drawer and dialog. */
let made: { shade: Shade; color: string; theme: NonNullable<ConfigProviderProps['theme']> } | null = null;
const themeOf = (shade: Shade, color: string) => {
  if (made?.shade !== shade || made.color !== color) made = { shade, color, theme: { ...antdTheme(shade, color), cssVar: { key: 'waystation' } } };
  return made.theme;
};

/**
 * What the component library needs above its components: theme, words, where popups stand. Around every drawer and dialog rather than around the
 * console, so that shell and pages open without it.
 */
export const ComponentLibrary = ({ children }: { children: ReactNode }) => {
  const shade = useShade();
  const themeColor = useSettings((state) => state.themeColor);
  const locale = useStore(localeStore, (state) => state.locale);
  useEffect(() => void dayjs.locale(locale === 'zh-CN' ? 'zh-cn' : 'en'), [locale]);
  return (
    <ConfigProvider
      locale={locale === 'zh-CN' ? zhCN : enUS}
      theme={themeOf(shade, themeColor)}
      button={{ autoInsertSpace: false }}
      getPopupContainer={popupContainer}
      {...(nonce && { csp: { nonce } })}
    >
      {children}
    </ConfigProvider>
  );
};
