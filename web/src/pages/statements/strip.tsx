import type { OutputOf } from '@waystation/contract/endpoint.ts';
import type { listStatements } from '@waystation/contract/statement.ts';
import { useTexts } from '#app/texts.ts';
import { yuan } from '#ui/amounts.ts';

type Strip = OutputOf<typeof listStatements>['strip'];

/** Opening + in − out = closing of the stations and days shown, with what was frozen apart. */
export const StripWords = ({ strip }: { strip: Strip | undefined }) => {
  const { t } = useTexts();
  if (!strip) return null;
  const words = { opening: yuan(strip.opening), gained: yuan(strip.in), spent: yuan(strip.out), closing: yuan(strip.closing) };
  return (
    <>
      {t('statements.strip', words)} · {t('statements.strip_frozen', { frozen: yuan(strip.frozen) })}
    </>
  );
};
