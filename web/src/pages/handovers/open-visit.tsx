import { useCallback, useMemo, useRef, useState } from 'react';
import { discardHandover, takeBackScan } from '@waystation/contract/parcels/handover.ts';
import type { HandoverSummary, ScanAnswer } from '@waystation/contract/parcels/handover.ts';
import { errorWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { keyCaps } from '#base/keys.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { ScanField } from '#parcels/scanning/scan-field.tsx';
import scanner from '#parcels/scanning/scanner.module.css';
import { SoundSwitch } from '#parcels/scanning/sound-switch.tsx';
import { useUnsaved } from '#shell/tabs/page.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import primitives from '#ui/primitives.module.css';
import { toneOfAnswer, useAnswerWords } from './answer-words.ts';
import { CloseDialog } from './close-dialog.tsx';
import { Figures } from './figures.tsx';
import { OthersWaiting } from './waiting-scans.tsx';
import { refreshVisit, useScans } from './use-scans.ts';
import styles from './visit.module.css';
import { VisitLists } from './visit-lists.tsx';
import { useHandoverWords } from '#parcels/handover-words.ts';

const caps = (keys: string): string => keyCaps(keys)[0]?.join(' ') ?? '';

/** Shows the newest answer to a scan, large enough to be read from a distance. */
const Answer = ({
  answer,
  onAgain,
}: {
  answer: ScanAnswer | undefined;
  onAgain: (number: string) => void;
}) => {
  const say = useHandoverWords();
  const wordsOf = useAnswerWords();
  if (!answer)
    return (
      <output className={scanner['answer']} data-tone="ready">
        <span className={scanner['words']}>{say('ready')}</span>
      </output>
    );
  const { words, next } = wordsOf(answer);
  const { package_no, package_count, given } = answer;
  return (
    <output className={scanner['answer']} data-tone={toneOfAnswer(answer)}>
      <span className={scanner['words']}>{words}</span>
      <span className={`${scanner['number']} tabular`}>{answer.delivery_id ?? answer.number}</span>
      {package_count !== null && package_count > 1 && (
        <span>
          {package_no !== null &&
            `${say('of_package', { no: package_no, count: package_count })} · `}
          {say('given_of', { given, count: package_count })}
        </span>
      )}
      {next !== '' && <span>{next}</span>}
      {answer.result === 'given_earlier' && answer.detail.again === 1 && (
        <span>
          {say('again_hint')} <Button onClick={() => onAgain(answer.number)}>{say('again')}</Button>
        </span>
      )}
    </output>
  );
};

/** Shows the number of scans that the server has not accepted yet, and the reason. */
const Queue = ({ scans }: { scans: ReturnType<typeof useScans> }) => {
  const { language } = useTexts();
  const say = useHandoverWords();
  const { waiting, offline, stopped } = scans.state;
  if (waiting === 0) return null;
  if (stopped)
    return (
      <Notice tone="danger" actions={<Button onClick={scans.drop}>{say('waiting_drop')}</Button>}>
        {say('waiting_stopped', { count: waiting, reason: errorWords(stopped, language) })}
      </Notice>
    );
  return (
    <Notice tone={offline ? 'warn' : 'info'}>
      {say(offline === 'network' ? 'waiting_offline' : offline ? 'waiting_busy' : 'waiting', {
        count: waiting,
      })}
    </Notice>
  );
};

const useVisitActions = (summary: HandoverSummary, scans: ReturnType<typeof useScans>) => {
  const say = useHandoverWords();
  const { id } = summary.handover;
  const takeBack = async (scan: Pick<ScanAnswer, 'scan_id' | 'number'>): Promise<void> => {
    try {
      await call(takeBackScan, { id, scan_id: scan.scan_id });
      scans.forget(scan.scan_id);
      notify.success(say('taken_back', { number: scan.number }));
    } catch (error) {
      notify.failure(error);
    }
    await refreshVisit();
  };
  const discard = async (): Promise<void> => {
    try {
      await call(discardHandover, { id });
      notify.success(say('discarded', { id }));
    } catch (error) {
      notify.failure(error);
    }
    await refreshVisit();
  };
  return { takeBack, discard };
};

/** The page of an open hand-over, whose field accepts scans. */
export const OpenVisit = ({ summary }: { summary: HandoverSummary }) => {
  const say = useHandoverWords();
  const { handover, missing } = summary;
  const [closing, setClosing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const focus = useCallback((): void => {
    if (!closing) field.current?.focus();
  }, [closing]);
  const scans = useScans(handover.id, missing, focus);
  const { takeBack, discard } = useVisitActions(summary, scans);
  useUnsaved(scans.state.waiting > 0);
  const add = (number: string, again = false): void => {
    scans.add(number, again);
    field.current?.focus();
  };
  // Only the newest answer can be undone, because the user no longer sees the older answers.
  const [newest] = scans.answers;
  const last = newest?.result === 'given' ? newest : undefined;
  const isEmpty = handover.packages === 0;
  const { waiting } = scans.state;
  const mayClose = !isEmpty && waiting === 0;
  useShortcuts(
    useMemo(
      () => [
        {
          keys: 'alt+c',
          label: say('close'),
          run: () => mayClose && setClosing(true),
          whileTyping: true,
        },
        {
          keys: 'alt+z',
          label: say('take_back_last'),
          run: () => void (last && takeBack(last)),
          whileTyping: true,
        },
      ],
      // oxlint-disable-next-line react/exhaustive-deps -- `takeBack` is new at each drawing
      [say, mayClose, last],
    ),
  );
  return (
    <>
      <Figures summary={summary} />
      <ScanField
        label={say('scan')}
        placeholder={say('scan_placeholder')}
        field={field}
        onScan={add}
      />
      <Answer answer={scans.answers[0]} onAgain={(number) => add(number, true)} />
      <Queue scans={scans} />
      <OthersWaiting id={handover.id} />
      <div className={`${scanner['tools']} ${styles['tools']}`}>
        <span className={primitives['note']}>{say('scan_hint')}</span>
        <SoundSwitch />
        {isEmpty ? (
          <Button onClick={() => void discard()}>{say('discard')}</Button>
        ) : (
          <Button onClick={() => last && void takeBack(last)} disabled={!last}>
            {say('take_back_last')} <kbd>{caps('alt+z')}</kbd>
          </Button>
        )}
        <Button type="primary" disabled={!mayClose} onClick={() => setClosing(true)}>
          {say('close')} <kbd>{caps('alt+c')}</kbd>
        </Button>
      </div>
      <VisitLists summary={summary} onTakeBack={(scan) => void takeBack(scan)} />
      {closing && (
        <CloseDialog summary={summary} waiting={waiting} onClose={() => setClosing(false)} />
      )}
    </>
  );
};
