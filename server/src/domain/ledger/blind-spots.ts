import { proofBlindSpots } from '@waystation/contract/money/statement.ts';
import type { ProofBlindSpot } from '@waystation/contract/money/statement.ts';
import type { Proof } from './proof.ts';

/** The kinds of changes that this ledger check cannot detect. */
export const blindSpotsOf = ({
  kind,
  evidence,
}: Pick<Proof, 'kind' | 'evidence'>): ProofBlindSpot[] =>
  proofBlindSpots.filter((spot) => {
    if (spot === 'below_checkpoints') return kind === 'incremental';
    return spot !== 'before_baseline' || evidence.baseline_at !== null;
  });
