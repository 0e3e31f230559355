import { useEffect, useState } from 'react';
import {
  editVoucher,
  getVoucher,
  listVouchers,
  checkVoucher,
} from '@waystation/contract/money/voucher.ts';
import type { Voucher } from '@waystation/contract/money/voucher.ts';
import { changedCells } from '@waystation/contract/money/voucher-diff.ts';
import type { TemplateState } from '@waystation/contract/money/voucher-diff.ts';
import { listAudit } from '@waystation/contract/shell/audit.ts';
import { rowAtConflict } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { useDraft } from '#shell/session/drafts.ts';
import { confirmed } from '#ui/overlay/notify.tsx';
import { useUnsaved } from '#shell/tabs/page.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { useDiscountQuestion } from '#money/discount-question.ts';
import { redo, remember, startHistory, undo } from './history.ts';
import type { History } from './history.ts';
import { readTemplate, sameTemplate, templateOf } from './template.ts';
import type { Template } from './template.ts';

/** The endpoints to read again after a change of a template. */
export const voucherViews = [listVouchers, getVoucher, checkVoucher, listAudit] as const;

interface StoredDraft {
  version: number;
  template: Template;
}

const settle = 500;

const fits = (stored: Partial<StoredDraft> | null): stored is StoredDraft =>
  typeof stored?.version === 'number' &&
  Array.isArray(stored.template?.senders) &&
  stored.template.senders.every(({ grid }) => Array.isArray(grid?.rows));

/**
 * If another user has saved the template in the meantime, shows the number of differences and asks
 * which version to keep. Returns the number of the version to overwrite, or null to overwrite
 * nothing. Any other error is thrown again.
 */
const useConflictQuestion = () => {
  const { t } = useTexts();
  return async (error: unknown, mine: TemplateState): Promise<number | null> => {
    const current = rowAtConflict<Voucher>(error);
    if (!current) throw error;
    const count = changedCells(current as TemplateState, mine).length;
    const isMine = await confirmed({
      title: t('vouchers.conflict'),
      content: t('vouchers.conflict_hint', { count }),
      ok: t('vouchers.keep_mine'),
      danger: true,
    });
    return isMine ? current.version : null;
  };
};

/**
 * The state of editing a template. It contains the steps to undo and redo, the saved state, and a
 * draft that the browser keeps when the page is closed.
 */
export const useTemplate = (voucher: Voucher) => {
  const { t } = useTexts();
  const settleConflict = useConflictQuestion();
  const draft = useDraft<StoredDraft>(`voucher.${voucher.id}`);
  const [saved, setSaved] = useState(() => ({
    version: voucher.version,
    template: templateOf(voucher),
  }));
  const [history, setHistory] = useState<History<Template>>(() => {
    const stored = draft.read();
    return startHistory(
      fits(stored) && stored.version === voucher.version ? stored.template : saved.template,
    );
  });
  const { busy: running, run } = useActions<'save'>();
  const busy = running.size > 0;
  const template = history.now;
  const dirty = !sameTemplate(template, saved.template);
  useUnsaved(dirty);
  useEffect(() => {
    const timer = setTimeout(
      () => (dirty ? draft.write({ version: saved.version, template }) : draft.drop()),
      settle,
    );
    return () => clearTimeout(timer);
  }, [draft, dirty, saved.version, template]);
  const read = readTemplate(template);
  const isMeant = useDiscountQuestion({
    discount: t('vouchers.discount'),
    northeast_discount: t('vouchers.northeast_discount'),
  });

  const store = async (version: number): Promise<boolean> => {
    const { discount, northeast_discount, weight } = read.state;
    const sent = {
      discount,
      northeast_discount,
      weight: { divisor: weight.divisor, origins: [...weight.origins] },
    };
    const row = await call(editVoucher, { id: voucher.id, version, ...sent });
    setSaved({ version: row.version, template });
    draft.drop();
    await refresh(...voucherViews);
    return true;
  };
  const save = async (): Promise<boolean> => {
    if (busy || !read.whole) return false;
    if (!dirty) return true;
    if (!(await isMeant(saved.template, template))) return false;
    let isStored = false;
    await run('save', async () => {
      isStored = await store(saved.version).catch(async (error: unknown) => {
        const version = await settleConflict(error, read.state);
        return version !== null && store(version);
      });
    });
    return isStored;
  };
  return {
    template,
    read,
    dirty,
    busy,
    version: saved.version,
    change: (next: Template) => setHistory((now) => remember(now, next)),
    undo: history.past.length > 0 ? () => setHistory(undo) : null,
    redo: history.future.length > 0 ? () => setHistory(redo) : null,
    /** Replaces the edited template with its last saved state. */
    revert: () => setHistory((now) => remember(now, saved.template)),
    save,
  };
};

export type Editing = ReturnType<typeof useTemplate>;
