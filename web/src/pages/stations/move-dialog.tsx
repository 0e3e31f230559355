import { useState } from 'react';
import { errorText } from '#base/error-text.ts';
import { moveStation, previewMove } from '@waystation/contract/network/station.ts';
import type { MovePreview, Station } from '@waystation/contract/network/station.ts';
import { percentText } from '@waystation/contract/money/money.ts';
import { errorWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { StationPicker } from '#resource/stations/station-picker.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { Checkbox } from '#ui/fields/checkbox.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import styles from './stations.module.css';
import { useSubmit } from '#shell/submit/use-submit.ts';

type Link = MovePreview['before']['links'][number];

/**
 * The profit share of one station in the network. Depending on the freight scheme, it is a
 * percentage, an amount or a price difference.
 */
const ProfitShare = ({ link, percent_type }: { link: Link; percent_type: number | null }) => {
  const { t } = useTexts();
  if (link.enable_profit === 0) return <span>{t('stations.chain_off')}</span>;
  return (
    <span className="tabular">
      {percent_type === 1 && `${percentText(link.profit)}% · `}
      <Money fen={link.amount} />
    </span>
  );
};

const Side = ({
  title,
  side,
  percent_type,
}: {
  title: string;
  side: MovePreview['before'];
  percent_type: number | null;
}) => {
  const { t } = useTexts();
  return (
    <section className={styles['side']}>
      <h3>{title}</h3>
      <ul>
        {side.links.map((link) => (
          <li key={link.child_id}>
            <span>
              {t('stations.chain_step', { child: link.child_name, parent: link.parent_name })}
            </span>
            <ProfitShare link={link} percent_type={percent_type} />
          </li>
        ))}
        {side.links.length === 0 && <li>{t('stations.chain_none')}</li>}
        {side.platform_amount != null && (
          <li>
            <span>{t('stations.platform')}</span>
            <Money fen={side.platform_amount} />
          </li>
        )}
      </ul>
    </section>
  );
};

/** Shows the effects of the new parent, or the problems that make it impossible. */
const Impact = ({ preview }: { preview: MovePreview }) => {
  const { t, language } = useTexts();
  const { percent_type, post_amount, problems } = preview;
  if (problems.length > 0)
    return (
      <Notice tone="danger">
        {problems.map(({ code, params }) => (
          <p key={code}>
            {t('stations.move_problem', { reason: errorText(code, params, language) })}
          </p>
        ))}
      </Notice>
    );
  return (
    <>
      <p className={styles['note']}>
        {post_amount === null
          ? t('stations.chain_no_example')
          : t('stations.chain_example', { amount: yuan(post_amount) })}
      </p>
      <div className={styles['sides']}>
        <Side title={t('stations.chain_now')} side={preview.before} percent_type={percent_type} />
        <Side title={t('stations.chain_then')} side={preview.after} percent_type={percent_type} />
      </div>
      <ul className={styles['facts']}>
        <li>{t('stations.moves', { stations: preview.stations, accounts: preview.accounts })}</li>
        <li>{t('stations.move_scope')}</li>
        <li>{t('stations.move_parcels')}</li>
      </ul>
    </>
  );
};

interface Props {
  row: Station;
  /** True if the user may make the station a top-level station. */
  office: boolean;
  onMoved: () => void;
  onClose: () => void;
}

/** Gives a station another parent, after a preview of the effect on the profit shares. */
export const MoveDialog = ({ row, office, onMoved, onClose }: Props) => {
  const { t, language } = useTexts();
  const [parent, setParent] = useState<number | null>(null);
  const [top, setTop] = useState(false);
  const chosen = top || parent !== null;
  const parent_id = top ? null : parent;
  const same = chosen && parent_id === row.parent_id;
  const { data, error } = useCall(previewMove, chosen && !same ? { id: row.id, parent_id } : null, {
    quiet: true,
    staleTime: 0,
  });
  const blocked = (data?.problems.length ?? 0) > 0;
  const sending = useSubmit({
    send: async () => {
      await call(moveStation, { id: row.id, parent_id, version: row.version });
      onMoved();
      return t('stations.moved', { name: row.name });
    },
  });
  const { busy, errors } = sending;
  const submit = async (): Promise<void> => {
    if (!same && !blocked)
      await sending.submit({ missing: chosen ? undefined : t('common.required') });
  };
  return (
    <FormDialog
      open
      title={t('stations.move_title', { name: row.name })}
      ok={t('stations.move_do')}
      busy={busy}
      failure={
        errors['parent_id'] ?? sending.failure ?? (error ? errorWords(error, language) : null)
      }
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <div className={styles['move']}>
        <StationPicker
          label={t('stations.new_parent')}
          required={!top}
          value={parent}
          onChange={(id) => setParent(id)}
          disabled={top || busy}
          error={
            errors['missing'] !== undefined && !chosen
              ? errors['missing']
              : same
                ? t('stations.same_parent')
                : undefined
          }
        />
        {office && row.parent_id !== null && (
          <Checkbox checked={top} onChange={setTop}>
            {t('stations.to_top')}
          </Checkbox>
        )}
        {data && chosen && !same && <Impact preview={data} />}
      </div>
    </FormDialog>
  );
};
