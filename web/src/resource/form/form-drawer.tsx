import { useEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { announce } from '#base/announce.ts';
import { confirmed } from '#ui/overlay/notify.tsx';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import primitives from '#ui/primitives.module.css';
import { ConflictPanel } from './conflict-panel.tsx';
import styles from './form.module.css';
import type { FormError, RecordForm } from './use-record-form.ts';

interface Props<V extends object, R extends { id: number; version: number }> {
  form: RecordForm<V, R>;
  title: string;
  /** Called after saving. If `again` is true, an empty form for the next row opens immediately. */
  onSaved: (row: R, again: boolean) => void;
  onClose: () => void;
  /** True if the fields are in two columns, for long forms. */
  wide?: boolean;
  children: ReactNode;
}

const keys = { save: 'Ctrl+Enter', again: 'Ctrl+Shift+Enter' } as const;
/** Disables the keys that open other rows, because the row of an open form must not change. */
const stilled = ['j', 'k'].map((key) => ({
  keys: key,
  label: '',
  inDialog: true,
  unlisted: true,
  run: () => {},
}));
const focusable = 'input, textarea, button';

/**
 * Moves the focus to the control with this name. If the name belongs to a group of controls, the
 * first control gets the focus.
 */
const focusField = (form: HTMLElement | null, key: string): void => {
  const named = form?.querySelector<HTMLElement>(`[name="${key}"], [data-name="${key}"]`);
  const target = named?.matches(focusable)
    ? named
    : (named?.querySelector<HTMLElement>(focusable) ?? named);
  target?.scrollIntoView({ block: 'center' });
  target?.focus({ preventScroll: true });
};

/** The list of the reasons why the form was not saved. Each reason is a link to its field. */
const Summary = ({
  errors,
  onJump,
}: {
  errors: readonly FormError[];
  onJump: (key: string) => void;
}) => {
  const { t } = useTexts();
  return (
    <Notice tone="danger">
      {errors.some(({ key }) => key !== '') && <p>{t('lists.errors', { count: errors.length })}</p>}
      <ul className={styles['errors']}>
        {errors.map(({ key, label, error }) => (
          <li key={key}>
            {key === '' ? (
              error
            ) : (
              <button type="button" onClick={() => onJump(key)}>
                {t('lists.error_of', { label, error })}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
};

/**
 * After the drawer has closed, returns the focus to the element that had it before the drawer was
 * opened.
 */
const useFocusBack = (): void => {
  useEffect(() => {
    const before = document.activeElement;
    return () =>
      void setTimeout(
        () =>
          before instanceof HTMLElement &&
          before.isConnected &&
          before.focus({ preventScroll: true }),
        0,
      );
  }, []);
};

/**
 * Calls `run` after the drawer's content is drawn. The drawer may still be loading when the form is
 * created.
 */
const WhenThere = ({ run }: { run: () => void }) => {
  const first = useRef(run);
  useEffect(() => first.current(), []);
  return null;
};

/** The notice that a draft was restored, with a button that discards the draft. */
const Restored = ({ onDrop }: { onDrop: () => void }) => {
  const { t } = useTexts();
  return (
    <Notice
      tone="info"
      actions={
        <Button
          size="small"
          onClick={() => {
            onDrop();
            announce(t('lists.draft_dropped'));
          }}
        >
          {t('lists.drop_draft')}
        </Button>
      }
    >
      {t('lists.draft_restored')}
    </Notice>
  );
};

/** The buttons under a form. */
const Footer = ({
  form,
  onSave,
  onCancel,
}: {
  form: { isNew: boolean; busy: boolean };
  onSave: (again: boolean) => Promise<void>;
  onCancel: () => Promise<void>;
}) => {
  const { t } = useTexts();
  return (
    <div className={primitives['buttons']}>
      <Button
        type="primary"
        loading={form.busy}
        title={keys.save}
        onClick={() => void onSave(false)}
      >
        {t('common.save')}
      </Button>
      {form.isNew && (
        <Button disabled={form.busy} title={keys.again} onClick={() => void onSave(true)}>
          {t('lists.save_and_new')}
        </Button>
      )}
      <Button disabled={form.busy} onClick={() => void onCancel()}>
        {t('common.cancel')}
      </Button>
    </div>
  );
};

/**
 * The form of a record, beside its list. Ctrl+Enter saves. Ctrl+Shift+Enter saves and opens an
 * empty form for the next record. Escape closes the form, and asks first if something was typed.
 */
export const FormDrawer = <V extends object, R extends { id: number; version: number }>({
  form,
  title,
  onSaved,
  onClose,
  wide,
  children,
}: Props<V, R>) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const box = useRef<HTMLFormElement>(null);
  useFocusBack();
  useShortcuts(stilled);
  const toFirst = (): void =>
    void setTimeout(
      () =>
        box.current
          ?.querySelector<HTMLElement>(':is(input, button[role=combobox], textarea):not(:disabled)')
          ?.focus(),
      0,
    );
  const first = form.errors[0]?.key;
  const wrong = useRef(first);
  useEffect(() => {
    wrong.current = first;
  });
  const done = (row: R | null, again: boolean): void => {
    if (row === null) {
      // Waits until the errors are drawn.
      setTimeout(() => wrong.current && focusField(box.current, wrong.current), 0);
      return;
    }
    if (again && form.isNew) {
      form.discard();
      toFirst();
    }
    onSaved(row, again);
  };
  const save = async (again: boolean): Promise<void> => done(await form.save(), again);
  const leave = async (): Promise<void> => {
    if (form.busy) return;
    if (
      form.dirty &&
      !(await confirmed({
        title: t('lists.discard_title'),
        content: t('lists.discard_hint'),
        ok: t('lists.discard'),
        danger: true,
      }))
    )
      return;
    form.discard();
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!form.conflict) void save(event.shiftKey);
  };
  const { conflict } = form;
  return (
    <Drawer
      open
      onClose={() => void leave()}
      size={narrow ? '100%' : wide ? 720 : 520}
      title={title}
      footer={conflict === null && <Footer form={form} onSave={save} onCancel={leave} />}
    >
      <WhenThere run={toFirst} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the whole form */}
      <form
        ref={box}
        className={styles['form']}
        noValidate
        aria-label={title}
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          void save(false);
        }}
      >
        {form.restored && <Restored onDrop={form.discard} />}
        {conflict ? (
          <ConflictPanel
            {...conflict}
            mine={form.values as Record<string, unknown>}
            theirs={conflict.theirs as Record<string, unknown>}
            words={form.words}
            busy={form.busy}
            onSave={(sides) => void form.settle(sides).then((row) => done(row, false))}
            onBack={form.leaveConflict}
          />
        ) : (
          <>
            {form.errors.length > 0 && (
              <Summary errors={form.errors} onJump={(key) => focusField(box.current, key)} />
            )}
            <div className={styles['fields']} data-wide={(wide && !narrow) || undefined}>
              {children}
            </div>
            {/* Without a submit button, Enter in a field would not save the form. */}
            <button type="submit" hidden tabIndex={-1} />
          </>
        )}
      </form>
    </Drawer>
  );
};
