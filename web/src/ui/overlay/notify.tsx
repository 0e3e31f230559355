import { Suspense, lazy, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { errorCode, errorWords, requestId } from '#base/api-error.ts';
import { currentLanguage } from '#base/language.ts';
import type { NoticeApi } from './notify-host.tsx';
import { isLoggingOut } from '#base/logout-reason.ts';
import { say } from '#base/texts.ts';

const NoticeLibrary = lazy(async () => ({ default: (await import('./notify-host.tsx')).NoticeLibrary }));

let api: NoticeApi | null = null;
/** What was to be said before the library had come, in order. */
const waiting: ((api: NoticeApi) => void)[] = [];
let wake: (() => void) | null = null;

const ready = (given: NoticeApi | null): void => {
  api = given;
  if (api) for (const tell of waiting.splice(0)) tell(api);
};

const tell = (what: (api: NoticeApi) => void): void => {
  if (api) return what(api);
  waiting.push(what);
  wake?.();
};

/** Milliseconds after which the library is fetched even though nothing was to be said yet. */
const quiet = 1500;

/** Stands once in the layout. The library comes with the first notice, or once the console has come to rest. */
export const NotifyHost = () => {
  const [wanted, setWanted] = useState(waiting.length > 0);
  useEffect(() => {
    wake = () => setWanted(true);
    const timer = setTimeout(wake, quiet);
    return () => {
      wake = null;
      clearTimeout(timer);
    };
  }, []);
  return (
    wanted && (
      <Suspense fallback={null}>
        <NoticeLibrary onReady={ready} />
      </Suspense>
    )
  );
};

interface Lasting {
  key?: string;
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** Seconds; 0 stays until closed. */
  duration?: number;
  onClose?: () => void;
}

const failure = (error: unknown, title?: string): void => {
  // The page is about to start anew; and a call its owner gave up is no failure.
  if (isLoggingOut() || (error instanceof DOMException && error.name === 'AbortError')) return;
  const words = errorWords(error, currentLanguage());
  const facts = [errorCode(error), requestId(error)].filter(Boolean).join(' · ');
  tell((given) =>
    given.notification.error({
      title: title ?? words,
      description: (
        <>
          {title !== undefined && <div>{words}</div>}
          <code className="notice-facts">{facts}</code>
        </>
      ),
      duration: 8,
      role: 'alert',
    }),
  );
};

/** Short notices; a failure shows its code and request id. */
export const notify = {
  success: (text: string): void => tell((given) => void given.message.success(text)),
  info: (text: string): void => tell((given) => void given.message.info(text)),
  warning: (text: string): void => tell((given) => void given.message.warning(text)),
  failure,
  /** A message that turns from loading to its result, under one key. */
  loading: (key: string, text: string): void => tell((given) => void given.message.open({ key, type: 'loading', content: text, duration: 0 })),
  done: (key: string, text: string): void => tell((given) => void given.message.open({ key, type: 'success', content: text, duration: 2 })),
  failed: (key: string, text: string): void => tell((given) => void given.message.open({ key, type: 'error', content: text, duration: 5 })),
  /** A notice in the corner with actions. */
  lasting: (notice: Lasting): void => tell((given) => given.notification.info({ duration: 0, ...notice })),
  failing: (notice: Lasting): void => tell((given) => given.notification.error({ duration: 0, ...notice })),
  drop: (key: string): void => {
    tell((given) => {
      given.notification.destroy(key);
      given.message.destroy(key);
    });
  },
};

interface Question {
  title: string;
  content?: ReactNode;
  ok: string;
  danger?: boolean;
}

/** Asks; true when the answer is yes. */
export const confirmed = ({ title, content, ok, danger = false }: Question): Promise<boolean> =>
  new Promise((resolve) =>
    tell(
      (given) =>
        void given.modal
          .confirm({
            title,
            content,
            okText: ok,
            cancelText: say('common.cancel'),
            okButtonProps: { danger },
            autoFocusButton: danger ? 'cancel' : 'ok',
            centered: true,
            mask: { closable: true },
          })
          .then(resolve, () => resolve(false)),
    ),
  );
