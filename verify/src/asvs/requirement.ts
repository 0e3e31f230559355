/**
 * The verdicts of the product on the OWASP Application Security Verification Standard 5.0, levels 1
 * and 2. Each requirement has one verdict and is described in our own words. The text of a
 * requirement is under `v5.0.0-<id>` at https://github.com/OWASP/ASVS.
 */

/**
 * The files that show that the requirement is met, each with the names of its relevant tests. If
 * the list of names is empty, the file is code or a page.
 */
export type Evidence = Readonly<Record<string, readonly string[]>>;
export type Severity = 'high' | 'medium' | 'low';

export type Verdict =
  | { state: 'held'; words: string; evidence: Evidence; note: string }
  | { state: 'not applicable'; words: string; reason: string }
  | { state: 'not held'; words: string; severity: Severity; reason: string };

export interface Chapter {
  id: string;
  name: string;
  verdicts: Readonly<Record<string, Verdict>>;
}

export const held = (words: string, evidence: Evidence, note = ''): Verdict => ({
  state: 'held',
  words,
  evidence,
  note,
});

export const notApplicable = (words: string, reason: string): Verdict => ({
  state: 'not applicable',
  words,
  reason,
});

/** Returns a verdict for a requirement that is not met. `reason` describes the missing part. */
export const notHeld = (words: string, severity: Severity, reason: string): Verdict => ({
  state: 'not held',
  words,
  severity,
  reason,
});
