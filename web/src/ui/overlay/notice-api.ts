import type { ReactNode } from 'react';

export interface Lasting {
  key?: string;
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /**
   * The number of seconds for which the notice is shown. If it is 0, the notice is shown until the
   * user closes it.
   */
  duration?: number;
  onClose?: () => void;
}

export interface Question {
  title: string;
  content?: ReactNode;
  ok: string;
  danger?: boolean;
}

export type Tone = 'success' | 'info' | 'warning' | 'error' | 'loading';

export interface NoticeApi {
  /** Shows one line at the top. It disappears after `seconds`, or stays if `seconds` is 0. */
  message(tone: Tone, text: string, seconds: number, key?: string | undefined): void;
  /** Shows a card in the corner. */
  card(tone: Tone, notice: Lasting): void;
  close(key: string): void;
  confirm(question: Question): Promise<boolean>;
  /** Answers every open question with “no”. */
  dropQuestions(): void;
}
