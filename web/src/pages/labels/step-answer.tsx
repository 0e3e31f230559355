import { useState } from 'react';
import { noteLength } from '@waystation/contract/base/limits.ts';
import type { LabelParcel } from '@waystation/contract/parcels/label-scan.ts';
import { useTexts } from '#base/texts.ts';
import scanner from '#parcels/scanning/scanner.module.css';
import type { Printable } from '#printing/printable.ts';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { useLabelAnswers, useLabelWords } from './label-words.ts';
import type { SayLabel, Worded } from './label-words.ts';
import styles from './labels.module.css';
import type { Step } from './steps.ts';
import type { LabelScanning } from './use-label-scan.ts';

type Tone = 'ready' | 'good' | 'warn' | 'bad';
type Answers = ReturnType<typeof useLabelAnswers>;

const isGood = (step: Step): boolean =>
  step.kind === 'verified' && ['verified', 'package'].includes(step.answer.result);

/** True if another copy of the label was printed after the verified one. */
const isCopied = (step: Step): boolean => step.kind === 'verified' && step.answer.later_copies > 0;

const toneOf = (step: Step): Tone => {
  if (isGood(step)) return isCopied(step) ? 'warn' : 'good';
  switch (step.kind) {
    case 'ready':
    case 'finding':
    case 'printing':
    case 'checking':
      return 'ready';
    case 'printed':
    case 'remembered':
    case 'own_code':
    case 'busy':
      return 'warn';
    default:
      return 'bad';
  }
};

const wordsOf = (step: Step, say: SayLabel, answers: Answers): Worded => {
  switch (step.kind) {
    case 'scanned':
      return answers.scan(step.result, step.parcels[0]);
    case 'verified':
      return answers.verify(step.answer);
    case 'own_code':
    case 'gone':
    case 'not_found':
    case 'not_printed':
    case 'not_verified':
      return { words: say(step.kind), next: say(`${step.kind}_next`) };
    default:
      return { words: say(step.kind), next: '' };
  }
};

/**
 * The form to print a label a second time. It requires a reason, so that a scan alone never prints
 * a copy.
 */
const CopyForm = ({
  row,
  failed = false,
  disabled,
  onPrint,
  onLeave,
}: {
  row: Printable;
  /** True if the last print failed. The failure is then suggested as the reason for this print. */
  failed?: boolean;
  disabled: boolean;
  onPrint: (row: Printable, reason: string) => void;
  onLeave: () => void;
}) => {
  const { t } = useTexts();
  const say = useLabelWords();
  const [reason, setReason] = useState(failed ? say('again_reason') : '');
  const [missing, setMissing] = useState(false);
  return (
    <form
      className={styles['actions']}
      onKeyDown={(event) => {
        // Ignores Enter, because a scanner sends it after a number that was scanned into this field
        // by mistake.
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement)
          event.preventDefault();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() === '') setMissing(true);
        else onPrint(row, reason.trim());
      }}
    >
      <TextField
        label={say('reason')}
        value={reason}
        onChange={(value) => {
          setReason(value);
          setMissing(false);
        }}
        max={noteLength}
        required
        error={missing ? t('common.print.reason_missing') : undefined}
      />
      <Button htmlType="submit" disabled={disabled}>
        {say(failed ? 'again' : 'copy')}
      </Button>
      {!failed && (
        <Button disabled={disabled} onClick={onLeave}>
          {say('leave')}
        </Button>
      )}
    </form>
  );
};

/** The parcels that have the scanned number, for the user to choose one. */
const Choices = ({
  parcels,
  more,
  disabled,
  onChoose,
}: {
  parcels: readonly LabelParcel[];
  more: boolean;
  disabled: boolean;
  onChoose: (parcel: LabelParcel) => void;
}) => {
  const say = useLabelWords();
  const answers = useLabelAnswers();
  return (
    <ul className={styles['choices']}>
      {parcels.map((parcel) => (
        <li key={parcel.id}>
          <Button disabled={disabled} onClick={() => onChoose(parcel)}>
            {say('choose', { number: parcel.delivery_id ?? parcel.order_id })}
          </Button>
          <span>{parcel.recipient}</span>
          <span>
            {parcel.station_name} · {parcel.order_id}
          </span>
          {parcel.result !== 'print' && <span>{answers.scan(parcel.result, parcel).words}</span>}
        </li>
      ))}
      {more && <li>{say('more', { count: parcels.length })}</li>}
    </ul>
  );
};

/**
 * Shows the newest answer to a scan with the possible actions, large enough to be read from a
 * distance.
 */
export const StepAnswer = ({
  scanning,
  onDone,
}: {
  scanning: LabelScanning;
  /** Called when the user presses a button to return to scanning. */
  onDone: () => void;
}) => {
  const say = useLabelWords();
  const answers = useLabelAnswers();
  const [copying, setCopying] = useState<number | null>(null);
  const { step, current, running } = scanning;
  const { words, next } = wordsOf(step, say, answers);
  const scanned = step.kind === 'scanned' ? step : null;
  const [only] = scanned?.parcels ?? [];
  const failed = scanned?.result === 'failed';
  const printed = failed || scanned?.result === 'printed' ? only : undefined;
  const print = (row: Printable, reason: string): void => {
    setCopying(null);
    scanning.print(row, reason);
  };
  const isCopying = current !== null && copying === current.id;
  return (
    <div className={scanner['answer']} data-tone={toneOf(step)}>
      <output className={styles['output']}>
        <span className={scanner['words']}>{words}</span>
        {step.kind !== 'ready' && (
          <span className={`${scanner['number']} tabular`}>{step.number}</span>
        )}
        {printed && <span>{say('count', { count: printed.print_count })}</span>}
        {current && (
          <span>
            {current.delivery_id} {current.recipient}
            {current.package_count > 1 &&
              ` · ${say('pieces', {
                done: current.verified_packages.length,
                count: current.package_count,
              })}`}
          </span>
        )}
        {'reason' in step && step.reason !== '' && <span>{step.reason}</span>}
        {next !== '' && <span>{next}</span>}
      </output>
      {scanned?.result === 'several' && (
        <Choices
          parcels={scanned.parcels}
          more={scanned.more}
          disabled={running}
          onChoose={scanning.choose}
        />
      )}
      {printed && (
        <CopyForm
          key={`${printed.id} ${scanned?.result}`}
          row={printed}
          failed={failed}
          disabled={running}
          onPrint={print}
          onLeave={scanning.leave}
        />
      )}
      {current && !isCopying && (
        <div className={styles['actions']}>
          <Button disabled={running} onClick={scanning.leave}>
            {say('later')}
          </Button>
          <Button disabled={running} onClick={() => setCopying(current.id)}>
            {say('copy')}
          </Button>
        </div>
      )}
      {isCopying && (
        <CopyForm
          row={{ ...current, id: current.express_id }}
          disabled={running}
          onPrint={print}
          onLeave={() => {
            setCopying(null);
            onDone();
          }}
        />
      )}
    </div>
  );
};
