import { CalendarOutlined } from '@ant-design/icons-svg';
import { useRef, useState } from 'react';
import { useTexts } from '#base/texts.ts';
import { DayInput } from './day-input.tsx';
import { dayPresets, today } from './days.ts';
import type { Days } from './days.ts';
import styles from './day-range.module.css';
import { Icon } from '#ui/icon.tsx';
import { Popup } from '#ui/overlay/popup.tsx';
import primitives from '#ui/primitives.module.css';

interface Props {
  label: string;
  value: Days;
  onChange: (value: Days) => void;
}

/**
 * Buttons for common ranges, and fields for the first and the last day. Both days belong to the
 * range, and each field may be empty.
 */
export const DayRangeFields = ({ label, value, onChange }: Props) => {
  const { t } = useTexts();
  const [day] = useState(() => today(Date.now()));
  return (
    <div className={primitives['stack']} role="group" aria-label={label}>
      <div className={styles['presets']}>
        {dayPresets(day).map((preset) => (
          <button
            key={preset.key}
            type="button"
            aria-pressed={preset.days.from === value.from && preset.days.to === value.to}
            onClick={() => onChange(preset.days)}
          >
            {t(`common.days.${preset.key}`)}
          </button>
        ))}
      </div>
      <div className={styles['ends']}>
        <div>
          <span aria-hidden>{t('common.days.from')}</span>
          <DayInput
            label={t('common.days.from')}
            value={value.from}
            max={value.to}
            onChange={(from) => onChange({ ...value, from })}
          />
        </div>
        <div>
          <span aria-hidden>{t('common.days.to')}</span>
          <DayInput
            label={t('common.days.to')}
            value={value.to}
            min={value.from}
            onChange={(to) => onChange({ ...value, to })}
          />
        </div>
      </div>
    </div>
  );
};

/** A button that opens the choice of a range of days. */
export const DayRange = (props: Props) => {
  const { t } = useTexts();
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { from, to } = props.value;
  const chosen =
    from === '' && to === '' ? '' : from === to ? from : `${from || '…'} – ${to || '…'}`;
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles['button']}
        data-chosen={chosen !== '' || undefined}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={() => setAnchor(anchor ? null : button.current)}
      >
        <Icon of={CalendarOutlined} />
        <span className={styles['label']}>{props.label}</span>
        {chosen !== '' && <span className="tabular">{chosen}</span>}
      </button>
      {anchor && (
        <Popup
          anchor={anchor}
          onClose={() => setAnchor(null)}
          role="dialog"
          label={props.label}
          takesFocus
        >
          <div className={styles['panel']}>
            <DayRangeFields {...props} />
            <button
              type="button"
              className={`${primitives['linkButton']} ${styles['clear']}`}
              onClick={() => props.onChange({ from: '', to: '' })}
            >
              {t('common.clear')}
            </button>
          </div>
        </Popup>
      )}
    </>
  );
};
