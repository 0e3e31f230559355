import {
  CheckCircleFilled,
  CloseCircleFilled,
  CloseOutlined,
  ExclamationCircleFilled,
  InfoCircleFilled,
  LoadingOutlined,
} from '@ant-design/icons-svg';
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Toast } from '@base-ui/react/toast';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { ComponentLibrary } from './component-library.tsx';
import { DialogButtons } from './form-dialog.tsx';
import styles from './notify.module.css';
import { markChinese } from './language-parts.ts';
import { keepTopReadable } from './readable-overlays.ts';
import type { Lasting, NoticeApi, Question, Tone } from './notice-api.ts';
import { useStacked } from './overlay-stack.ts';
import overlayStyles from './overlay.module.css';
import { popupContainer } from './popups.ts';

interface OpenQuestion extends Question {
  answer: (yes: boolean) => void;
}

const icons = {
  success: CheckCircleFilled,
  info: InfoCircleFilled,
  warning: ExclamationCircleFilled,
  error: CloseCircleFilled,
  loading: LoadingOutlined,
} as const;

/** The maximum number of notices that are kept. Fewer notices are visible at the same time. */
const limit = 20;
const messages = Toast.createToastManager<{ actions?: ReactNode }>();
const cards = Toast.createToastManager<{ actions?: ReactNode }>();

const ToneIcon = ({ tone }: { tone: Tone }) => (
  <span className={styles['icon']} data-tone={tone}>
    <Icon of={icons[tone]} spin={tone === 'loading'} />
  </span>
);

const Messages = () => {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection="up"
      role="group"
      aria-modal={undefined}
      className={styles['message']}
      data-notice
    >
      <ToneIcon tone={toast.type as Tone} />
      <Toast.Title render={<div />}>
        <>{toast.title}</>
      </Toast.Title>
    </Toast.Root>
  ));
};

const Cards = () => {
  const { t } = useTexts();
  const { toasts } = Toast.useToastManager<{ actions?: ReactNode }>();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection="right"
      role={toast.type === 'error' ? 'alert' : 'group'}
      aria-modal={undefined}
      className={styles['card']}
      data-notice
    >
      <ToneIcon tone={toast.type as Tone} />
      <div className={styles['words']}>
        <Toast.Title render={<div className={styles['title']} />}>
          <>{toast.title}</>
        </Toast.Title>
        {toast.description && (
          <Toast.Description render={<div />}>
            <>{toast.description}</>
          </Toast.Description>
        )}
        {toast.data?.actions && <div className={styles['actions']}>{toast.data.actions}</div>}
      </div>
      <Toast.Close
        className={`${overlayStyles['close']} ${styles['close']}`}
        aria-label={t('common.close')}
      >
        <Icon of={CloseOutlined} />
      </Toast.Close>
    </Toast.Root>
  ));
};

/**
 * A question that is shown above everything else and answered by one of its buttons. Escape or a
 * press outside it means no.
 */
const Confirm = ({ question, open }: { question: OpenQuestion; open: boolean }) => {
  const { t } = useTexts();
  const mayClose = useStacked(open);
  const yes = useRef<HTMLButtonElement>(null);
  const no = useRef<HTMLButtonElement>(null);
  const { title, content, ok, danger = false, answer } = question;
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next, details) => {
        if (next) return;
        if (mayClose(details.event)) answer(false);
        else details.cancel();
      }}
    >
      <AlertDialog.Portal container={popupContainer()}>
        <AlertDialog.Backdrop forceRender className={overlayStyles['backdrop']} />
        <AlertDialog.Viewport
          className={overlayStyles['viewport']}
          onClick={({ target, currentTarget }) => target === currentTarget && answer(false)}
        >
          <AlertDialog.Popup
            className={`${overlayStyles['dialog']} ${styles['confirm']}`}
            data-overlay="confirm"
            data-centered
            aria-modal
            initialFocus={danger ? no : yes}
          >
            <div className={styles['question']}>
              <ToneIcon tone="warning" />
              <div className={styles['words']}>
                <AlertDialog.Title>
                  <>{title}</>
                </AlertDialog.Title>
                {content !== undefined && (
                  <AlertDialog.Description render={<div />}>
                    <>{content}</>
                  </AlertDialog.Description>
                )}
              </div>
            </div>
            <div className={overlayStyles['dialogFoot']} data-part="footer">
              <DialogButtons>
                <Button ref={no} onClick={() => answer(false)}>
                  {t('common.cancel')}
                </Button>
                <Button ref={yes} type="primary" danger={danger} onClick={() => answer(true)}>
                  {ok}
                </Button>
              </DialogButtons>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};

const add = (
  manager: typeof messages,
  tone: Tone,
  { key, title, description, actions, duration = 0, onClose }: Lasting,
): void =>
  void manager.add({
    ...(key !== undefined && { id: key }),
    title,
    description,
    type: tone,
    timeout: duration * 1000,
    data: { actions },
    ...(onClose && { onClose }),
  });

const Toasts = () => {
  const { t } = useTexts();
  return (
    <>
      <Toast.Provider toastManager={messages} limit={limit}>
        <Toast.Portal container={popupContainer()}>
          <Toast.Viewport
            className={styles['messages']}
            role="log"
            aria-label={t('common.notices')}
          >
            <Messages />
          </Toast.Viewport>
        </Toast.Portal>
      </Toast.Provider>
      <Toast.Provider toastManager={cards} limit={limit}>
        <Toast.Portal container={popupContainer()}>
          <Toast.Viewport className={styles['cards']} role="log" aria-label={t('common.notices')}>
            <Cards />
          </Toast.Viewport>
        </Toast.Portal>
      </Toast.Provider>
    </>
  );
};

/**
 * Shows notices and questions. `onReady` gets the functions with which code outside components
 * shows them.
 */
export const NoticeLibrary = ({ onReady }: { onReady: (api: NoticeApi | null) => void }) => {
  const { language } = useTexts();
  // Chinese text is marked by this component, because every console loads it, but not before the
  // first page is shown.
  useEffect(() => {
    if (language === 'en') markChinese();
  }, [language]);
  useEffect(keepTopReadable, []);
  const [questions, setQuestions] = useState<readonly OpenQuestion[]>([]);
  const [last, setLast] = useState<OpenQuestion | null>(null);
  const current = questions[0] ?? null;
  const asked = useRef(questions);
  useEffect(() => {
    asked.current = questions;
  });
  // A question that is being closed keeps its text until it disappears.
  if (current !== null && current !== last) setLast(current);
  useEffect(() => {
    onReady({
      message: (tone, text, seconds, key) =>
        add(messages, tone, { ...(key !== undefined && { key }), title: text, duration: seconds }),
      card: (tone, notice) => add(cards, tone, notice),
      close: (key) => {
        messages.close(key);
        cards.close(key);
      },
      confirm: (question) =>
        new Promise((resolve) => {
          const one: OpenQuestion = {
            ...question,
            answer: (yes) => {
              setQuestions((before) => before.filter((each) => each !== one));
              resolve(yes);
            },
          };
          setQuestions((before) => [...before, one]);
        }),
      dropQuestions: () => {
        for (const { answer } of asked.current) answer(false);
      },
    });
    return () => onReady(null);
  }, [onReady]);
  return (
    <ComponentLibrary>
      <Toasts />
      {last && <Confirm question={current ?? last} open={current !== null} />}
    </ComponentLibrary>
  );
};
