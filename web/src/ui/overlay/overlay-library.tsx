import { CloseOutlined } from '@ant-design/icons-svg';
import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useRef } from 'react';
import type { FocusEvent, ReactNode, KeyboardEvent } from 'react';
import { firstShown } from '#base/first-shown.ts';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import { ComponentLibrary } from './component-library.tsx';
import { useStacked } from './overlay-stack.ts';
import type { DrawerProps, ModalProps } from './overlay-props.ts';
import styles from './overlay.module.css';
import { popupContainer, popupsId } from './popups.ts';

interface FrameProps {
  open: boolean;
  /** Called to close the overlay; undefined if only a button of the content closes it. */
  onClose: (() => void) | undefined;
  /** True: pressing outside the overlay closes it. */
  pressCloses: boolean;
  children: ReactNode;
}

const outsidePages = `[role=dialog], [role=alertdialog], [role=menu], [role=listbox], [popover],
  [data-notice], [data-base-ui-focus-guard], #${popupsId}`;

/**
 * Immediately returns the focus to an open overlay. Otherwise a page that is drawn late under the
 * overlay would focus its first field, and the next keys would be typed there.
 */
const keepFocus = ({ target, relatedTarget }: globalThis.FocusEvent): void => {
  if (!(relatedTarget instanceof HTMLElement) || !(target instanceof Element)) return;
  const overlay = relatedTarget.closest('[role=dialog][aria-modal=true]:not([data-closed])');
  if (overlay?.checkVisibility() && target.closest(outsidePages) === null)
    relatedTarget.focus({ preventScroll: true });
};

/**
 * The common part of drawers and dialogs. It has a backdrop and a portal, and decides which overlay
 * Escape closes.
 */
const Frame = ({ open, onClose, pressCloses, children }: FrameProps) => {
  const mayClose = useStacked(open);
  useEffect(() => {
    if (!open) return;
    document.addEventListener('focusin', keepFocus);
    return () => document.removeEventListener('focusin', keepFocus);
  }, [open]);
  return (
    <ComponentLibrary>
      <Dialog.Root
        open={open}
        disablePointerDismissal={!pressCloses || onClose === undefined}
        onOpenChange={(next, details) => {
          if (next) return;
          if (onClose === undefined || !mayClose(details.event)) details.cancel();
          else onClose();
        }}
      >
        <Dialog.Portal container={popupContainer()}>
          <Dialog.Backdrop forceRender className={styles['backdrop']} />
          {children}
        </Dialog.Portal>
      </Dialog.Root>
    </ComponentLibrary>
  );
};

const CloseButton = () => {
  const { t } = useTexts();
  return (
    <Dialog.Close className={styles['close']} aria-label={t('common.close')} data-part="close">
      <Icon of={CloseOutlined} />
    </Dialog.Close>
  );
};

const fields =
  'input:not([type=hidden], [type=file], :disabled), textarea:not(:disabled), button[role=combobox]:not(:disabled)';

/**
 * Sets the first focus: to the first field of a form, or else to the overlay itself. If an element
 * inside already has the focus, nothing is changed.
 */
const useFocus = (returnTo: (() => HTMLElement | null) | undefined) => {
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<EventTarget | null>(null);
  const onFocus = ({ relatedTarget }: FocusEvent): void => {
    if (!box.current?.contains(relatedTarget)) opener.current ??= relatedTarget;
  };
  const initialFocus = (): HTMLElement | null | false => {
    if (box.current?.contains(document.activeElement)) return false;
    return box.current?.querySelector<HTMLElement>(`form :is(${fields})`) ?? box.current;
  };
  const finalFocus = (): HTMLElement | false => {
    const at = document.activeElement;
    // The focus stays unchanged if it has already moved to another overlay.
    if (
      at !== null &&
      at.closest('[role=dialog], [role=alertdialog], [role=menu], [popover]') !== null &&
      !box.current?.contains(at)
    )
      return false;
    const from = opener.current;
    opener.current = null;
    const back =
      returnTo?.() ??
      (from instanceof HTMLElement && from !== document.body && from.isConnected
        ? from
        : (firstShown('[data-row][tabindex="0"]') ??
          firstShown('[data-first-stop], [role=tab][aria-selected="true"]')));
    return back ?? false;
  };
  return { ref: box, onFocus, initialFocus, finalFocus };
};

const LibraryDrawer = (props: DrawerProps) => {
  const {
    open,
    onClose,
    title,
    children,
    extra,
    footer,
    placement = 'right',
    size = 378,
    flush = false,
    closeAtEnd = false,
    returnTo,
  } = props;
  const focus = useFocus(returnTo);
  return (
    <Frame open={open} onClose={onClose} pressCloses>
      <Dialog.Popup
        {...focus}
        className={styles['sheet']}
        data-overlay="sheet"
        data-placement={placement}
        aria-modal
        style={placement === 'bottom' ? {} : { width: size }}
      >
        <header className={styles['head']}>
          {!closeAtEnd && <CloseButton />}
          <Dialog.Title className={styles['title']}>
            <>{title}</>
          </Dialog.Title>
          {extra}
          {closeAtEnd && <CloseButton />}
        </header>
        <div className={styles['body']} data-flush={flush || undefined}>
          {children}
        </div>
        {footer && (
          <footer className={styles['foot']} data-part="footer">
            {footer}
          </footer>
        )}
      </Dialog.Popup>
    </Frame>
  );
};

const LibraryModal = (props: ModalProps) => {
  const {
    open,
    onClose,
    title,
    children,
    footer,
    width = 520,
    centered = false,
    bare = false,
    pressCloses = true,
    form,
  } = props;
  const focus = useFocus(undefined);
  // Listens on the overlay and not on the form. In a dialog without a field, the overlay itself has
  // the focus.
  const submit = (event: KeyboardEvent<HTMLElement>): void => {
    if (form === undefined || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    if (!event.currentTarget.contains(event.target as Node)) return;
    event.preventDefault();
    (document.getElementById(form) as HTMLFormElement | null)?.requestSubmit();
  };
  return (
    <Frame open={open} onClose={onClose} pressCloses={pressCloses}>
      <Dialog.Viewport className={styles['viewport']}>
        <Dialog.Popup
          {...focus}
          onKeyDown={submit}
          className={styles['dialog']}
          data-overlay="dialog"
          data-centered={centered || undefined}
          data-bare={bare || undefined}
          aria-modal
          style={{ width }}
        >
          <Dialog.Title className={bare ? 'sr-only' : styles['dialogTitle']}>
            <>{title}</>
          </Dialog.Title>
          {children}
          {footer && (
            <footer className={styles['dialogFoot']} data-part="footer">
              {footer}
            </footer>
          )}
          {onClose && !bare && <CloseButton />}
        </Dialog.Popup>
      </Dialog.Viewport>
    </Frame>
  );
};

export const LibraryOverlay = (
  props: ({ kind: 'drawer' } & DrawerProps) | ({ kind: 'modal' } & ModalProps),
) => (props.kind === 'drawer' ? <LibraryDrawer {...props} /> : <LibraryModal {...props} />);
