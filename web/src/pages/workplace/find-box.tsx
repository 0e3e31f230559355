import { ScanOutlined } from '@ant-design/icons';
import { Input } from 'antd';
import { useState } from 'react';
import { openScreen } from '#app/open-screen.ts';
import { useTexts } from '#app/texts.ts';
import styles from './workplace.module.css';

/** A scanner types and ends with Enter: the list opens on what was scanned. */
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
    <Input
      className={styles['find'] ?? ''}
      prefix={<ScanOutlined aria-hidden />}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onPressEnter={find}
      placeholder={t('workplace.find_placeholder')}
      aria-label={t('workplace.find_label')}
      maxLength={2_000}
      allowClear
    />
  );
};
