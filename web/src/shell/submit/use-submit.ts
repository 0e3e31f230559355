import { useRef, useState } from 'react';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import { errorWords, fieldWords } from '#base/api-error.ts';
import { newIdempotencyKey } from '#base/call.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { notify } from '#ui/overlay/notify.tsx';

/** The error texts by field; undefined for a field without an error. */
type Problems = Readonly<Record<string, string | undefined>>;

interface Spec {
  /**
   * Calls the server. The idempotency key stays the same until a call succeeds, so that a repeated
   * call has no second effect. Returns the text of the success notice, or null if none is shown.
   */
  send: (idempotencyKey: string) => Promise<string | null>;
  /** The endpoints that are read again after success. */
  refreshes?: readonly Endpoint[];
  /**
   * The names of the fields that show their own error. If the server refuses one of these fields,
   * no additional notice is shown.
   */
  fields?: readonly string[];
  /**
   * True if the displayed data are read again even after a failure, because the failure may mean
   * that they are outdated.
   */
  refreshOnFailure?: boolean;
  /** Called after success, before the displayed data are read again. */
  onDone?: () => void;
}

export interface Submit {
  errors: Problems;
  /**
   * The text of the server's refusal. Null if there is none or if it is shown at a field of the
   * form.
   */
  failure: string | null;
  busy: boolean;
  /**
   * Sends the form if no field has a problem. Does nothing while the form is already being sent.
   */
  submit: (problems?: Problems) => Promise<void>;
  /**
   * Removes the failure and the error of the changed field. If no field is given, all errors are
   * removed.
   */
  clearErrors: (field?: string) => void;
}

/**
 * Sends a form. It keeps the errors of the fields, the failure, the idempotency key, and whether
 * the form is being sent. The typed text belongs to the caller and stays unchanged after a failure.
 */
export const useSubmit = ({
  send,
  refreshes = [],
  fields = [],
  refreshOnFailure = false,
  onDone,
}: Spec): Submit => {
  const { language } = useTexts();
  const [key, setKey] = useState(newIdempotencyKey);
  const [errors, setErrors] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // The state changes only with the next render. A second submit may come before that, so a ref is
  // used too.
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
      setFailure(
        fields.some((field) => words[field] !== undefined) ? null : errorWords(error, language),
      );
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
