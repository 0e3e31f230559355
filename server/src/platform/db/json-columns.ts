import type { Erasure } from '@waystation/contract/people/erasure.ts';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import type { Params, Reason } from '@waystation/contract/base/envelope.ts';
import type {
  Import,
  ImportProblem,
  ImportQuote,
  ImportValues,
} from '@waystation/contract/imports/import.ts';
import type { MissingParcel, ScanAnswer } from '@waystation/contract/parcels/handover.ts';
import type { MerchantProof } from '@waystation/contract/network/merchant.ts';
import type { OfferCarriers, OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import type { BookPeriod, Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import type { WebhookDelivery } from '@waystation/contract/people/webhook.ts';
import type { SavedView } from '@waystation/contract/shell/views.ts';
import type { Terms } from '@waystation/contract/money/terms.ts';
import type { DraftContent, TemplateContent } from '@waystation/contract/money/voucher-content.ts';

/**
 * A waybill that is assigned to an order. A carrier's push or answer contained it, or its number was
 * sent with the order. `rejected` is 1 if an administrator decided against it.
 */
interface WaybillClaim {
  delivery_id: string;
  /**
   * Where the waybill came from: fetched in advance and sent with the order (`number`), contained
   * in a push (`push`), or contained in an answer of the carrier (`answer`).
   */
  source: 'number' | 'push' | 'answer';
  rejected?: 1;
}

interface ImpactSums {
  parcels: number;
  old_amount: number;
  new_amount: number;
  unpriced: number;
}

interface ImpactState extends ImpactSums {
  cost: { parcels: number; cost_amount: number; old_amount: number; new_amount: number };
  stations: Record<string, ImpactSums>;
  provinces: Record<string, ImpactSums>;
}

/**
 * The content of each jsonb column, by `table.column`. The row types of `schema.ts` use it, because
 * the database catalogue does not have it. It is `unknown` if a reader has to check the value. A
 * jsonb column without an entry does not compile.
 */
export interface JsonColumns {
  'alerts.params': Params;
  'audit_log.changes': AuditRow['changes'];
  'guarantee_plans.tiers': { money: number; price: number }[];
  'bill_mappings.mapping': Reconciliation['mapping'];
  'carrier_calls.answer': unknown;
  'carrier_calls.request': unknown;
  'erasures.counts': Erasure['counts'];
  'express_edits.changes': unknown;
  'express_edits.terms': Terms;
  'express_facts.facts': unknown;
  'express_facts.price': Price;
  'express_messages.raw': unknown;
  'express_versions.content': unknown;
  'expresses.pre_sort_result': unknown;
  'expresses.price_lines': Price['lines'];
  'expresses.print_data': unknown;
  'expresses.shares': { station_id: number; amount: number }[];
  'expresses.state_reason': Reason;
  'expresses.surcharges': Record<string, { name: string; amount: number }>;
  'expresses.terms': Terms;
  'expresses.waybill_claims': WaybillClaim[];
  'expresses.weight_reason': Price['weight_message'];
  'frozen_terms.terms': Terms;
  /** The first rows of the sheet; null if the sheet was read before this column existed. */
  'import_files.head': readonly { line: number; cells: readonly string[] }[];
  'import_mappings.defaults': ImportValues;
  'import_mappings.mapping': Import['mapping'];
  'import_prices.choice': OfferChoice;
  'import_rows.cells': readonly string[];
  'import_rows.edits': ImportValues;
  /** A checked parcel, as domain/imports/check.ts returns it. */
  'import_rows.fields': unknown;
  'import_rows.merged': readonly number[];
  'import_rows.problems': ImportProblem[];
  'import_rows.reason': Reason;
  'import_rows.values': ImportValues;
  'import_step_rows.edits': ImportValues;
  'import_step_rows.reason': Reason;
  'handover_scans.detail': ScanAnswer['detail'];
  'handovers.missing_parcels': {
    parcels: number;
    items: (MissingParcel & { express_id: number })[];
  };
  'imports.columns': Import['columns'];
  'imports.counts': Import['counts'];
  'imports.defaults': ImportValues;
  'imports.mapping': Import['mapping'];
  'imports.quote': ImportQuote;
  'imports.reason': Reason;
  'imports.sheets': Import['sheets'];
  'ledger_gaps.chains': unknown;
  'ledger_proofs.breaks': { invariant: string; subject: string; detail: string }[];
  'merchants.proof': MerchantProof;
  'merchants.secret_tails': Record<string, string | null>;
  'period_closings.balances': unknown;
  'period_closings.reasons': unknown;
  'period_closings.trial_balance': BookPeriod['trial_balance'];
  'periods.trial_balance': BookPeriod['trial_balance'];
  'user_job_items.reason': Reason;
  'inbox_entries.data': Record<string, unknown>;
  'inbox_notices.data': Record<string, unknown>;
  'live_events.data': Record<string, unknown>;
  'user_jobs.answer': Record<string, unknown>;
  'user_jobs.params': Record<string, unknown>;
  'user_jobs.reason': Reason;
  'preferences.value': unknown;
  'reconciliation_rows.cells': string[];
  'reconciliation_rows.problem': Reason;
  'reconciliations.columns': Reconciliation['columns'];
  'reconciliations.mapping': Reconciliation['mapping'];
  'reconciliations.reason': Reason;
  'saved_views.columns': unknown;
  'saved_views.search': SavedView['search'];
  'settings.value': unknown;
  'webhook_deliveries.data': Record<string, unknown>;
  'webhook_deliveries.earlier': WebhookDelivery['earlier'];
  'webhook_events.data': Record<string, unknown>;
  'voucher_impacts.state': ImpactState | { parcels?: never };
  'voucher_impacts.weight': DraftContent;
  'voucher_versions.weight': TemplateContent;
  'vouchers.weight': DraftContent;
  'stations.offer_carriers': OfferCarriers;
}
