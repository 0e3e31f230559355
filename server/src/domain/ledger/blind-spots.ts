import { proofBlindSpots } from '@waystation/contract/statement.ts';
import type { ProofBlindSpot } from '@waystation/contract/statement.ts';
import type { Proof } from './proof.ts';

/** What this check did not see. */
export const blindSpotsOf = ({ kind, evidence }: Pick<Proof, 'kind' | 'evidence'>): ProofBlindSpot[] =>
  proofBlindSpots.filter((spot) => {
    if (spot === 'below_checkpoints') return kind === 'incremental';
    return spot !== 'before_baseline' || evidence.baseline_at !== null;
  });
