import { useId } from 'react';
import type { ReactNode } from 'react';
import { useTexts } from '#app/texts.ts';
import { Button } from '#ui/button.tsx';
import { Modal } from '#ui/overlay.tsx';
import styles from './form-dialog.module.css';
import { Notice } from './notice.tsx';

interface Props {
  open: boolean;
  title: string;
  /** The words on the button that does it. */
  ok: string;
  /** On the one that leaves it, where "cancel" could be read as doing it. */
  leave?: string;
  danger?: boolean;
  busy: boolean;
  /** It cannot be done as things stand; the content says why. */
  blocked?: boolean;
  /** Pixels; 440 unless its content needs more. */
  width?: number;
  /** Why it failed, where no field is to blame. */
  failure?: string | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A short form over the page. Enter in a field or Ctrl+Enter anywhere does it, Escape leaves it. */
export const FormDialog = ({ open, title, ok, leave, danger = false, busy, blocked = false, width = 440, failure, onSubmit, onClose, children }: Props) => {
  const { t } = useTexts();
  const form = useId();
  return (
    <Modal
      open={open}
      title={title}
      onCancel={onClose}
      centered
      width={width}
      destroyOnHidden
      mask={{ closable: !busy }}
      closable={{ 'aria-label': t('common.close') }}
      footer={
        <>
          <Button onClick={onClose}>{leave ?? t('common.cancel')}</Button>
          <Button type="primary" danger={danger} htmlType="submit" form={form} loading={busy} disabled={blocked}>
            {ok}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={styles['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !blocked) onSubmit();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }}
      >
        {children}
        {failure && <Notice tone="danger">{failure}</Notice>}
      </form>
    </Modal>
  );
};
