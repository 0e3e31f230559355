import { errorText, isErrorCode } from '#base/error-text.ts';
import {
  knownProviders,
  offeredProviders,
  providers,
} from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import {
  billBuckets,
  billDecisions,
  getReconciliation,
  listBillRows,
  listPeriods,
  listReconciliations,
  reconciliationStatuses,
} from '@waystation/contract/money/reconciliation.ts';
import type {
  BillBucket,
  BillRow,
  Reconciliation,
} from '@waystation/contract/money/reconciliation.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';

/** The endpoints that show bills and months, which are read again after a change. */
export const billsShown = [
  listReconciliations,
  getReconciliation,
  listBillRows,
  listPeriods,
] as const;

/** The texts about bills in the user's language. */
export const useBillWords = () => {
  const { t, language } = useTexts();
  const carrier = (code: string): string => wordOf(providers, code as Provider, language);
  return {
    carrier,
    carriers: offeredProviders.map((value) => ({
      value,
      label: wordOf(providers, value, language),
    })),
    carrierFilter: knownProviders.map((value) => ({
      value,
      label: wordOf(providers, value, language),
    })),
    status: ({ status }: Pick<Reconciliation, 'status'>): string =>
      wordOf(reconciliationStatuses, status, language),
    bucket: (bucket: BillBucket): string => wordOf(billBuckets, bucket, language),
    decision: ({ decision }: Pick<BillRow, 'decision'>): string =>
      wordOf(billDecisions, decision, language),
    reason: (reason: BillRow['problem']): string =>
      reason === null
        ? ''
        : isErrorCode(reason.code)
          ? errorText(reason.code, reason.params ?? {}, language)
          : reason.code,
    name: ({ period, provider }: Pick<Reconciliation, 'period' | 'provider'>): string =>
      t('reconciliations.name', { month: period, carrier: carrier(provider) }),
  };
};

export const openRowsOf = ({ buckets }: Pick<Reconciliation, 'buckets'>): number =>
  buckets.reduce((sum, { open }) => sum + open, 0);

/**
 * The filter of the lines when a bill is opened. It shows the undecided lines; if there are none,
 * it shows all lines.
 */
export const firstDecision = (bill: Pick<Reconciliation, 'buckets'>): 'open' | undefined =>
  openRowsOf(bill) > 0 ? 'open' : undefined;
