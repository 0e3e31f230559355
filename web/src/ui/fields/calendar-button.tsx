import { CalendarOutlined } from '@ant-design/icons-svg';
import { useRef, useState } from 'react';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import { idleComponent } from '#ui/lazy.tsx';
import { Popup } from '#ui/overlay/popup.tsx';
import styles from './calendar-button.module.css';

/** Loaded when the browser is idle, because no page shows the calendar at first. */
const Calendar = idleComponent(async () => (await import('./calendar.tsx')).Calendar);

interface Props {
  /** `YYYY-MM-DD`; empty if no day is set. */
  value: string;
  today: string;
  min?: string | undefined;
  max?: string | undefined;
  disabled?: boolean | undefined;
  onPick: (day: string) => void;
}

/**
 * A button beside a date field that opens the calendar. When the calendar closes, the button gets
 * the focus again.
 */
export const CalendarButton = ({ disabled, onPick, ...calendar }: Props) => {
  const { t } = useTexts();
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles['button']}
        disabled={disabled}
        aria-label={t('common.calendar')}
        title={t('common.calendar')}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={() => setAnchor(anchor ? null : button.current)}
      >
        <Icon of={CalendarOutlined} />
      </button>
      {anchor && (
        <Popup
          anchor={anchor}
          align="end"
          onClose={() => setAnchor(null)}
          role="dialog"
          label={t('common.calendar_name')}
          takesFocus
        >
          <Calendar
            {...calendar}
            onPick={(day) => {
              setAnchor(null);
              onPick(day);
            }}
          />
        </Popup>
      )}
    </>
  );
};
