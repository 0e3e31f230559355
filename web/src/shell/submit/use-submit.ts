import { useRef, useState } from 'react';
import type { Endpoint } from '@waystation/contract/endpoint.ts';
import { errorWords, fieldWords } from '#base/api-error.ts';
import { newIdempotencyKey } from '#base/call.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { notify } from '#ui/overlay/notify.tsx';

/** What is wrong with each field; undefined: nothing. */
type Problems = Readonly<Record<string, string | undefined>>;

interface Spec {
  /** Calls the server. The key is the same until a call succeeds, so that a repeat has no second effect. Returns the notice of success, if any. */
  send: (idempotencyKey: string) => Promise<string | null>;
  /** What is read again afterwards. */
  refreshes?: readonly Endpoint[];
  /** Fields that show their own error: a refusal that names one of them has no notice beside it. */
  fields?: readonly string[];
  /** It is read again after a failure too, since that can mean that the rows shown are old. */
  refreshOnFailure?: boolean;
  /** After success; before what is shown is read again. */
  onDone?: () => void;
}

export interface Submit {
  errors: Problems;
  /** Why the server refused, where no checked field is to blame. */
  failure: string | null;
  busy: boolean;
  /** Sends the form unless a field has a problem; does nothing while the form is being sent. */
  submit: (problems?: Problems) => Promise<void>;
  /** Removes the failure, and the error of a field that was changed; without a field, every error. */
  clearErrors: (field?: string) => void;
}

/** Sends a form: problems of its fields, busy, failure, idempotency key, notice of success. What was typed belongs to the caller and stays after a failure. */
export const useSubmit = ({ send, refreshes = [], fields = [], refreshOnFailure = false, onDone }: Spec): Submit => {
  const { language } = useTexts();
  const [key, setKey] = useState(newIdempotencyKey);
  const [errors, setErrors] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // The state is that of the last drawing; two submits can come before the next one.
  const isSending = useRef(false);
  const submit = async (problems: Problems = {}): Promise<void> => {
    if (isSending.current) return;
    setErrors(problems);
    setFailure(null);
    if (Object.values(problems).some((words) => words !== undefined)) return;
    isSending.current = true;
    setBusy(true);
    let isDone = false;
    try {
      const notice = await send(key);
      isDone = true;
      setKey(newIdempotencyKey());
      if (notice !== null) notify.success(notice);
      onDone?.();
    } catch (error) {
      const words = fieldWords(error, language);
      setErrors(words);
      setFailure(fields.some((field) => words[field] !== undefined) ? null : errorWords(error, language));
    } finally {
      isSending.current = false;
      setBusy(false);
      if (isDone || refreshOnFailure) await refresh(...refreshes);
    }
  };
  const clearErrors = (field?: string): void => {
    setFailure(null);
    setErrors((now) => (field === undefined ? {} : { ...now, [field]: undefined }));
  };
  return { errors, failure, busy, submit, clearErrors };
};
