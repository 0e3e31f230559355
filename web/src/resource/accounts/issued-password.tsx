import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './accounts.module.css';

/** A generated password with its account. */
export interface IssuedPassword {
  username: string;
  password: string;
}

/** Shown only once; closing needs a button that confirms it. */
export const IssuedPasswordDialog = ({
  issued,
  onClose,
}: {
  issued: IssuedPassword;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  return (
    <Modal
      open
      centered
      width={440}
      title={t('people.issued_title', { name: issued.username })}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('people.noted')}
        </Button>
      }
    >
      <p className={`${primitives['row']} ${styles['issued']}`}>
        <code>{issued.password}</code>
        <CopyButton text={issued.password} label={t('people.copy_password')} />
      </p>
      <p className={styles['hint']}>{t('people.issued_hint')}</p>
    </Modal>
  );
};
