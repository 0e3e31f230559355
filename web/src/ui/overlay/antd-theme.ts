import { theme } from 'antd';
import type { ThemeConfig } from 'antd';
import type { Shade } from '#base/theme.ts';
import { accents } from '#base/theme.ts';

const font = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif";

const light = {
  colorBgLayout: '#F2F3F5',
  colorBgContainer: '#FFFFFF',
  colorBgElevated: '#FFFFFF',
  colorText: '#1D2129',
  colorTextSecondary: '#4E5969',
  colorTextTertiary: '#5F6B7A',
  colorTextDescription: '#5F6B7A',
  colorTextPlaceholder: '#6B7685',
  colorTextDisabled: '#8B95A3',
  colorBorder: '#C9CDD4',
  colorBorderSecondary: '#E5E6EB',
  colorSplit: '#E5E6EB',
  colorFillAlter: '#F7F8FA',
  colorSuccess: '#007A38',
  colorWarning: '#B34E00',
  colorError: '#CB272D',
};

const dark: typeof light = {
  colorBgLayout: '#17171A',
  colorBgContainer: '#232324',
  colorBgElevated: '#2A2A2B',
  colorText: '#F6F6F6',
  colorTextSecondary: '#C5C5C5',
  colorTextTertiary: '#9A9A9A',
  colorTextDescription: '#9A9A9A',
  colorTextPlaceholder: '#9A9A9A',
  colorTextDisabled: '#78787A',
  colorBorder: '#4E4E50',
  colorBorderSecondary: '#333335',
  colorSplit: '#333335',
  colorFillAlter: '#2E2E30',
  colorSuccess: '#4CC77D',
  colorWarning: '#FF9A4D',
  colorError: '#F98981',
};

/** The colours and measures of base.css, said to the component library. */
export const antdTheme = (shade: Shade, themeColor: string): ThemeConfig => {
  const { primary, solid, link } = accents(themeColor, shade);
  return {
    algorithm: shade === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    hashed: false,
    token: {
      ...(shade === 'dark' ? dark : light),
      colorPrimary: primary,
      colorInfo: primary,
      colorLink: link,
      borderRadius: 4,
      borderRadiusLG: 4,
      borderRadiusSM: 2,
      fontFamily: font,
      fontSize: 14,
      fontWeightStrong: 600,
      controlHeight: 32,
      motionDurationFast: '0.08s',
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.15s',
      wireframe: false,
    },
    components: {
      // White words stand on solid buttons: their ground stays dark enough on both shades.
      Button: {
        colorPrimary: solid,
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        fontWeight: 400,
        ...(shade === 'dark' && { colorError: '#CB272D' }),
      },
      Drawer: { paddingLG: 16 },
      Switch: { colorPrimary: solid },
    },
  };
};
