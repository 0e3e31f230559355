import { CloseCircleFilled, ScanOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { takesScans } from '#base/scan-bursts.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import styles from './workplace.module.css';

/**
 * The search field of the Workplace. Enter, which a scanner sends after each number, opens the
 * parcel list with this search.
 */
export const FindBox = () => {
  const { t } = useTexts();
  const [text, setText] = useState('');
  const find = () => {
    const q = text.trim();
    if (q === '') return;
    openScreen('ExpressTable', { q });
    setText('');
  };
  return (
    <span className={styles['find']}>
      <Icon of={ScanOutlined} />
      <input
        {...takesScans}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && find()}
        placeholder={t('workplace.find_placeholder')}
        aria-label={t('workplace.find_label')}
        maxLength={2_000}
      />
      {text !== '' && (
        <button type="button" aria-label={t('common.clear')} onClick={() => setText('')}>
          <Icon of={CloseCircleFilled} />
        </button>
      )}
    </span>
  );
};
