import { say } from '#base/texts.ts';
import { notify } from './overlay/notify.tsx';

/**
 * Copies a text. Then shows the notice `done`, or a notice that the browser did not permit copying.
 */
export const copyText = async (text: string, done: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
    notify.success(done);
  } catch {
    notify.warning(say('shell.copy_failed'));
  }
};
