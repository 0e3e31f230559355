import { BgColorsOutlined, CheckOutlined } from '@ant-design/icons-svg';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './settings-drawer.module.css';
import { changeSettings, defaultThemeColor } from '#base/settings-store.ts';
import { useSettings } from '#base/settings.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { themeColorContrast } from '#base/theme.ts';

/** Colours on which white text is readable. The requirements prescribe the first colour. */
const presets = [
  { color: defaultThemeColor, name: 'blue' },
  { color: '#0A7373', name: 'teal' },
  { color: '#007A38', name: 'green' },
  { color: '#722ED1', name: 'purple' },
  { color: '#C2185B', name: 'magenta' },
  { color: '#B34E00', name: 'orange' },
] as const;

/** WCAG's minimum contrast for text on a button. */
const enough = 4.5;

/**
 * The setting of the theme colour. It offers some readable colours and any other colour, and shows
 * the contrast of the chosen colour.
 */
export const ThemeColor = () => {
  const { t } = useTexts();
  const format = useFormat();
  const current = useSettings((state) => state.themeColor).toUpperCase();
  const ratio = themeColorContrast(current);
  const low = ratio < enough;
  return (
    <fieldset className={styles['choice']}>
      <legend>{t('shell.theme_color')}</legend>
      <div className={primitives['buttons']}>
        {presets.map(({ color, name }) => (
          <button
            key={color}
            type="button"
            className={styles['swatch']}
            style={{ background: color }}
            title={t(`shell.color.${name}`)}
            aria-label={t(`shell.color.${name}`)}
            aria-pressed={color === current}
            onClick={() => changeSettings({ themeColor: color })}
          >
            {color === current && <Icon of={CheckOutlined} />}
          </button>
        ))}
        <label className={styles['custom']} title={t('shell.color_custom')}>
          <Icon of={BgColorsOutlined} />
          <input
            type="color"
            aria-label={t('shell.color_custom')}
            value={current.toLowerCase()}
            onChange={(event) => changeSettings({ themeColor: event.target.value.toUpperCase() })}
          />
        </label>
      </div>
      <output className={styles['contrast']} data-low={low || undefined}>
        {t(low ? 'shell.contrast_low' : 'shell.contrast', {
          color: current,
          ratio: format.oneDecimal(ratio),
        })}
      </output>
    </fieldset>
  );
};
