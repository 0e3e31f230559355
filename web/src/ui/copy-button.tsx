import { CheckOutlined, CopyOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { announce } from '#base/announce.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import styles from './copy-button.module.css';
import { Icon } from './icon.tsx';
import { useRowTab } from './row-tab.ts';

const shownFor = 1500;

/**
 * A small button that copies `text` and announces that it was copied. `label` is the name of the
 * copied text.
 */
export const CopyButton = ({ text, label }: { text: string; label: string }) => {
  const { t } = useTexts();
  const tabIndex = useRowTab();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      notify.warning(t('shell.copy_failed'));
      return;
    }
    setCopied(true);
    announce(t('common.copied'));
    setTimeout(() => setCopied(false), shownFor);
  };
  return (
    <button
      type="button"
      className={styles['copy']}
      tabIndex={tabIndex}
      aria-label={label}
      title={copied ? t('common.copied') : label}
      data-copied={copied || undefined}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      {copied ? <Icon of={CheckOutlined} /> : <Icon of={CopyOutlined} />}
    </button>
  );
};
