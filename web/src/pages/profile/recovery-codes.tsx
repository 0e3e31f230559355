import { useState } from 'react';
import { announce } from '#base/announce.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { DialogButtons } from '#ui/overlay/form-dialog.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import { printLines } from './print-lines.ts';
import styles from './profile.module.css';

/**
 * Shows the recovery codes, which are shown only this once. A confirming button closes the dialog.
 */
export const RecoveryCodes = ({
  codes,
  onClose,
}: {
  codes: readonly string[];
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const { username } = useUser();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
    } catch {
      return notify.warning(t('shell.copy_failed'));
    }
    setCopied(true);
    return announce(t('common.copied'));
  };
  return (
    <Modal
      open
      centered
      width={480}
      title={t('people.codes_title')}
      footer={
        <DialogButtons>
          <Button onClick={() => printLines(t('people.codes_heading', { name: username }), codes)}>
            {t('people.print_codes')}
          </Button>
          <Button onClick={() => void copy()}>
            {copied ? t('common.copied') : t('people.copy_codes')}
          </Button>
          <Button type="primary" onClick={onClose}>
            {t('people.noted')}
          </Button>
        </DialogButtons>
      }
    >
      <p className={styles['intro']}>{t('people.codes_hint')}</p>
      <ol className={styles['codes']}>
        {codes.map((code) => (
          <li key={code}>
            <code className="tabular">{code}</code>
          </li>
        ))}
      </ol>
    </Modal>
  );
};
