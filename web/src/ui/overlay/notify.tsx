import { Suspense, lazy, useEffect, useState } from 'react';
import { isBench } from '#base/bench-mode.ts';
import { errorCode, errorWords, requestId } from '#base/api-error.ts';
import { currentLanguage } from '#base/language.ts';
import type { Lasting, NoticeApi, Question } from './notice-api.ts';
import { isLoggingOut } from '#base/logout-reason.ts';

type Host = typeof import('./notify-host.tsx').NoticeLibrary;

/**
 * If the library cannot be loaded, it is loaded again when the network is back. Notices wait until
 * then, and the console keeps working.
 */
const fetchLibrary = (): Promise<{ default: Host }> =>
  import('./notify-host.tsx').then(
    ({ NoticeLibrary: host }) => ({ default: host }),
    () =>
      new Promise((resolve) =>
        window.addEventListener('online', () => resolve(fetchLibrary()), { once: true }),
      ),
  );
const NoticeLibrary = lazy(fetchLibrary);

let api: NoticeApi | null = null;
/** The notices that wait until the library is loaded, in the order in which they are shown. */
const waiting: ((api: NoticeApi) => void)[] = [];
let wake: (() => void) | null = null;

const ready = (notices: NoticeApi | null): void => {
  api = notices;
  if (api) for (const tell of waiting.splice(0)) tell(api);
};

const tell = (what: (api: NoticeApi) => void): void => {
  if (api) return what(api);
  waiting.push(what);
  wake?.();
};

/** The number of milliseconds after which the library is fetched even if there is no notice yet. */
const quiet = 1500;

/**
 * Shows all notices and questions of the console. The layout contains this component once. Its
 * library is loaded after 1.5 seconds, or earlier for the first notice.
 */
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

let benchNotices = 0;

/**
 * In bench mode the user may not be looking at the screen. An error notice therefore stays visible
 * until a key is pressed. Returns the key of the notice, or null if bench mode is off.
 */
const untilKey = (key = `bench-${benchNotices++}`): string | null => {
  if (!isBench()) return null;
  const drop = (event: KeyboardEvent): void => {
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
    document.removeEventListener('keydown', drop, { capture: true });
    notify.drop(key);
  };
  document.addEventListener('keydown', drop, { capture: true });
  return key;
};

const failure = (error: unknown, title?: string): void => {
  // Shows no failure if the page will soon be loaded again or if the call was cancelled.
  if (isLoggingOut() || (error instanceof DOMException && error.name === 'AbortError')) return;
  const words = errorWords(error, currentLanguage());
  const facts = [errorCode(error), requestId(error)].filter(Boolean).join(' · ');
  const key = untilKey();
  tell((notices) =>
    notices.card('error', {
      ...(key !== null && { key }),
      title: title ?? words,
      description: (
        <>
          {title !== undefined && <div>{words}</div>}
          <code className="notice-facts">{facts}</code>
        </>
      ),
      duration: key === null ? 8 : 0,
    }),
  );
};

/** The number of seconds for which a short notice is shown. */
const short = 3;

/** Shows short notices. The notice of a failure contains the error code and the request id. */
export const notify = {
  success: (text: string): void => tell((notices) => notices.message('success', text, short)),
  info: (text: string): void => tell((notices) => notices.message('info', text, short)),
  warning: (text: string): void => {
    const key = untilKey();
    tell((notices) => notices.message('warning', text, key === null ? short : 0, key ?? undefined));
  },
  failure,
  /**
   * Shows a loading message. `done` or `failed` with the same key replaces the message by the
   * result.
   */
  loading: (key: string, text: string): void =>
    tell((notices) => notices.message('loading', text, 0, key)),
  done: (key: string, text: string): void =>
    tell((notices) => notices.message('success', text, 2, key)),
  failed: (key: string, text: string): void => {
    const stays = untilKey(key) !== null;
    tell((notices) => notices.message('error', text, stays ? 0 : 5, key));
  },
  /** A notice with actions in the corner of the window. */
  lasting: (notice: Lasting): void => tell((notices) => notices.card('info', notice)),
  failing: (notice: Lasting): void => tell((notices) => notices.card('error', notice)),
  drop: (key: string): void => tell((notices) => notices.close(key)),
};

/**
 * Answers every open question with “no”. It is called when the subject of the questions is no
 * longer on the screen.
 */
export const dropQuestions = (): void => api?.dropQuestions();

/** Asks the user a question; resolves to true if the user confirms. */
export const confirmed = (question: Question): Promise<boolean> =>
  new Promise((resolve) =>
    tell((notices) => void notices.confirm(question).then(resolve, () => resolve(false))),
  );
