import { useId } from 'react';
import type { ReactNode, Ref } from 'react';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Modal } from './overlay.tsx';
import styles from './form-dialog.module.css';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';

interface Props {
  open: boolean;
  title: string;
  /**
   * The label of the submit button. `button` is needed only if the dialog must focus the button.
   */
  ok: string | { words: string; button: Ref<HTMLButtonElement> };
  /**
   * The label of the button that closes the dialog. It is needed if users could take the word
   * "cancel" for the action of the dialog.
   */
  leave?: string;
  danger?: boolean;
  busy: boolean;
  /** True if the action is not possible now. The content of the dialog shows the reason. */
  blocked?: boolean;
  /** The width in pixels. The default is 440. */
  width?: number;
  /** The reason why the action failed, if it does not belong to a field. */
  failure?: string | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The buttons at the bottom of a dialog, with gaps between them. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className={`${primitives['buttons']} ${styles['foot']}`}>{children}</div>
);

/**
 * A short form over the page. Enter in a field, or Ctrl+Enter anywhere, submits the form; Escape
 * closes it.
 */
export const FormDialog = ({
  open,
  title,
  ok,
  leave,
  danger = false,
  busy,
  blocked = false,
  width = 440,
  failure,
  onSubmit,
  onClose,
  children,
}: Props) => {
  const { t } = useTexts();
  const form = useId();
  return (
    <Modal
      open={open}
      title={title}
      onClose={onClose}
      centered
      width={width}
      pressCloses={!busy}
      form={form}
      footer={
        <DialogButtons>
          <Button onClick={onClose}>{leave ?? t('common.cancel')}</Button>
          <Button
            {...(typeof ok === 'object' && { ref: ok.button })}
            type="primary"
            danger={danger}
            htmlType="submit"
            form={form}
            loading={busy}
            disabled={blocked}
          >
            {typeof ok === 'object' ? ok.words : ok}
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
      >
        {children}
        {failure && <Notice tone="danger">{failure}</Notice>}
      </form>
    </Modal>
  );
};
