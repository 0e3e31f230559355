import { say } from '#base/texts.ts';
import { notify } from './overlay/notify.tsx';

/** Copies a text and says `done`, or that the browser refused it. */
export const copyText = async (text: string, done: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
    notify.success(done);
  } catch {
    notify.warning(say('shell.copy_failed'));
  }
};
