import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Modal } from './overlay.tsx';
import styles from './form-dialog.module.css';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';

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

/** The buttons at a dialog's foot, with gaps between them. */
export const DialogButtons = ({ children }: { children: ReactNode }) => <div className={`${primitives['buttons']} ${styles['foot']}`}>{children}</div>;

const fields = 'input:not([type=hidden], [type=file], :disabled), textarea:not(:disabled), select:not(:disabled)';

/** The focus comes into the first field when the dialog opens, unless a field asked for it, and goes back to where it came from when it closes, however that is. */
const useFocus = (open: boolean, form: string): (() => void) => {
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (!open) return;
    opener.current = document.activeElement;
    return () => {
      const from = opener.current;
      // After the dialog has gone, which takes the focus with it; a form that opened another dialog leaves it there.
      setTimeout(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return;
        const back =
          from instanceof HTMLElement && from !== document.body && from.isConnected ? from : document.querySelector<HTMLElement>('[data-row][tabindex="0"]');
        back?.focus({ preventScroll: true });
      }, leaves);
    };
  }, [open]);
  return () => {
    const box = document.getElementById(form);
    if (box && !(document.activeElement?.matches(fields) && box.contains(document.activeElement))) box.querySelector<HTMLElement>(fields)?.focus();
  };
};

/** A little longer than a dialog takes to leave. */
const leaves = 220;

/** A short form over the page. Enter in a field or Ctrl+Enter anywhere does it, Escape leaves it. */
export const FormDialog = ({ open, title, ok, leave, danger = false, busy, blocked = false, width = 440, failure, onSubmit, onClose, children }: Props) => {
  const { t } = useTexts();
  const form = useId();
  const focusFirst = useFocus(open, form);
  return (
    <Modal
      open={open}
      title={title}
      onCancel={onClose}
      centered
      width={width}
      destroyOnHidden
      afterOpenChange={(shown) => shown && focusFirst()}
      mask={{ closable: !busy }}
      closable={{ 'aria-label': t('common.close') }}
      footer={
        <DialogButtons>
          <Button onClick={onClose}>{leave ?? t('common.cancel')}</Button>
          <Button type="primary" danger={danger} htmlType="submit" form={form} loading={busy} disabled={blocked}>
            {ok}
          </Button>
        </DialogButtons>
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
