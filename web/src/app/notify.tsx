import { App } from 'antd';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { errorCode, errorWords, requestId } from './api-error.ts';
import { currentLanguage } from './language.ts';
import { isEnding } from './session.ts';
import { say } from './texts.ts';

type Api = ReturnType<typeof App.useApp>;
let api: Api | null = null;

/** Stands once in the layout: hands the component library's notices, which carry theme and language, to those outside components. */
export const NotifyHost = () => {
  const given = App.useApp();
  useEffect(() => {
    api = given;
    return () => {
      api = null;
    };
  }, [given]);
  return null;
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
  if (isEnding() || (error instanceof DOMException && error.name === 'AbortError')) return;
  const words = errorWords(error, currentLanguage());
  const facts = [errorCode(error), requestId(error)].filter(Boolean).join(' · ');
  api?.notification.error({
    title: title ?? words,
    description: (
      <>
        {title !== undefined && <div>{words}</div>}
        <code className="notice-facts">{facts}</code>
      </>
    ),
    duration: 8,
    role: 'alert',
  });
};

/** Short notices; a failure shows its code and request id. */
export const notify = {
  success: (text: string): void => void api?.message.success(text),
  info: (text: string): void => void api?.message.info(text),
  warning: (text: string): void => void api?.message.warning(text),
  failure,
  /** A message that turns from loading to its result, under one key. */
  loading: (key: string, text: string): void => void api?.message.open({ key, type: 'loading', content: text, duration: 0 }),
  done: (key: string, text: string): void => void api?.message.open({ key, type: 'success', content: text, duration: 2 }),
  failed: (key: string, text: string): void => void api?.message.open({ key, type: 'error', content: text, duration: 5 }),
  /** A notice in the corner with actions. */
  lasting: (notice: Lasting): void => void api?.notification.info({ duration: 0, ...notice }),
  drop: (key: string): void => {
    api?.notification.destroy(key);
    api?.message.destroy(key);
  },
};

interface Question {
  title: string;
  content?: ReactNode;
  ok: string;
  danger?: boolean;
}

/** Asks; true when the answer is yes. */
export const confirmed = async ({ title, content, ok, danger = false }: Question): Promise<boolean> =>
  (await api?.modal.confirm({
    title,
    content,
    okText: ok,
    cancelText: say('common.cancel'),
    okButtonProps: { danger },
    autoFocusButton: danger ? 'cancel' : 'ok',
    centered: true,
    mask: { closable: true },
  })) ?? false;
