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

const toneOf = (step: Step): Tone => {
  if (isGood(step)) return 'good';
  switch (step.kind) {
    case 'ready':
    case 'finding':
    case 'printing':
    case 'checking':
      return 'ready';
    case 'printed':
    case 'remembered':
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
    case 'not_found':
    case 'not_printed':
    case 'not_verified':
      return { words: say(step.kind), next: say(`${step.kind}_next`) };
    default:
      return { words: say(step.kind), next: '' };
  }
};

/** A second copy needs a reason, so that no scan prints one. */
const CopyForm = ({
  row,
  onPrint,
  onLeave,
}: {
  row: Printable;
  onPrint: (row: Printable, reason: string) => void;
  onLeave: () => void;
}) => {
  const { t } = useTexts();
  const say = useLabelWords();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  return (
    <form
      className={styles['actions']}
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
      <Button htmlType="submit">{say('copy')}</Button>
      <Button onClick={onLeave}>{say('leave')}</Button>
    </form>
  );
};

/** The parcels of one number, one of which a person chooses. */
const Choices = ({
  parcels,
  onChoose,
}: {
  parcels: readonly LabelParcel[];
  onChoose: (parcel: LabelParcel) => void;
}) => {
  const say = useLabelWords();
  const answers = useLabelAnswers();
  return (
    <ul className={styles['choices']}>
      {parcels.map((parcel) => (
        <li key={parcel.id}>
          <Button onClick={() => onChoose(parcel)}>
            {say('choose', { number: parcel.delivery_id ?? parcel.order_id })}
          </Button>
          <span>{parcel.recipient}</span>
          {parcel.result !== 'print' && <span>{answers.scan(parcel.result, parcel).words}</span>}
        </li>
      ))}
    </ul>
  );
};

/** The newest answer, readable from a distance, with what a person may decide. */
export const StepAnswer = ({ scanning }: { scanning: LabelScanning }) => {
  const say = useLabelWords();
  const answers = useLabelAnswers();
  const [copying, setCopying] = useState<number | null>(null);
  const { step, current } = scanning;
  const { words, next } = wordsOf(step, say, answers);
  const scanned = step.kind === 'scanned' ? step : null;
  const [only] = scanned?.parcels ?? [];
  const printed = ['printed', 'failed'].includes(scanned?.result ?? '') ? only : undefined;
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
        <Choices parcels={scanned.parcels} onChoose={scanning.choose} />
      )}
      {printed && (
        <CopyForm key={printed.id} row={printed} onPrint={print} onLeave={scanning.leave} />
      )}
      {current && !isCopying && (
        <div className={styles['actions']}>
          <Button onClick={scanning.leave}>{say('later')}</Button>
          <Button onClick={() => setCopying(current.id)}>{say('copy')}</Button>
        </div>
      )}
      {isCopying && (
        <CopyForm
          row={{ ...current, id: current.express_id }}
          onPrint={print}
          onLeave={() => setCopying(null)}
        />
      )}
    </div>
  );
};
