import { approveStatement, retractStatement } from '@waystation/contract/money/statement.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import { call, newIdempotencyKey } from '#base/call.ts';
import { confirmed, notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { moneyShown } from '#money/money-dialogs.tsx';
import type { ReasonRequest } from '#money/money-dialogs.tsx';
import { yuan } from '#ui/values/amounts.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { explained } from './columns.tsx';
import { useLineWords } from './words.ts';

interface Doing {
  office: boolean;
  account_id: number;
  ask: (request: ReasonRequest) => void;
  why: (line: Statement) => void;
}

/**
 * The actions on a transaction. Every user can open its explanation; administrators can decide
 * requests and reverse charges.
 */
export const useLineActions = ({ office, account_id, ask, why }: Doing): RowAction<Statement>[] => {
  const { t } = useTexts();
  const words = useLineWords();
  const asks: RowAction<Statement> = {
    key: 'why',
    label: t('statements.why_short'),
    visible: ({ type, express_id }) => explained.has(type) && express_id !== null,
    run: why,
  };
  const pending = ({ status }: Statement): boolean => status === 'pending';
  const isOwn = (line: Statement): boolean => pending(line) && line.account_id === account_id;
  const retract = async (line: Statement): Promise<void> => {
    const title = t('statements.retract_question', {
      type: words.type(line),
      amount: yuan(Math.abs(line.amount)),
    });
    if (
      !(await confirmed({
        title,
        content: t('statements.retract_hint'),
        ok: t('statements.retract'),
      }))
    )
      return;
    try {
      await call(retractStatement, { id: line.id }, { idempotencyKey: newIdempotencyKey() });
      notify.success(t('statements.retracted'));
      await refresh(...moneyShown);
    } catch (error) {
      notify.failure(error);
    }
  };
  const takesBack: RowAction<Statement> = {
    key: 'retract',
    label: t('statements.retract'),
    visible: isOwn,
    run: (line) => void retract(line),
  };
  if (!office) return [asks, takesBack];
  const approve = async (line: Statement): Promise<void> => {
    const title = t('statements.approve_question', {
      station: line.station_name,
      type: words.type(line),
      amount: yuan(line.amount),
    });
    if (
      !(await confirmed({
        title,
        content: t('statements.approve_hint'),
        ok: t('statements.approve'),
      }))
    )
      return;
    try {
      const done = await call(
        approveStatement,
        { id: line.id },
        { idempotencyKey: newIdempotencyKey() },
      );
      notify.success(
        t(done.status === 'pending' ? 'statements.approved_first' : 'statements.approved'),
      );
      await refresh(...moneyShown);
    } catch (error) {
      notify.failure(error);
    }
  };
  return [
    asks,
    takesBack,
    {
      key: 'approve',
      label: t('statements.approve'),
      visible: pending,
      run: (line) => void approve(line),
    },
    {
      key: 'decline',
      label: t('statements.decline'),
      visible: pending,
      run: (line) => ask({ what: 'decline', line }),
    },
    {
      key: 'reverse',
      label: t('statements.reverse'),
      danger: true,
      // If a reversal could take back only a part of a top-up, another reversal takes back the
      // rest.
      visible: ({ status, type, express_id }) =>
        (type === 'top_up' && (status === 'posted' || status === 'reversed')) ||
        (status === 'posted' && explained.has(type) && express_id !== null),
      run: (line) => ask({ what: 'reverse', line }),
    },
  ];
};
