import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { usePersonName } from '#base/person-name.ts';
import { useFormat } from '#base/format.ts';
import { openScreen, screenHref } from '#shell/tabs/open-screen.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { Money } from '#ui/values/money.tsx';
import { StatusTag } from '#parcels/status-tag.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import { CodeText } from '#ui/values/code-text.tsx';
import type { Board } from './board.ts';
import styles from './workplace.module.css';

const Rows = ({ rows }: { rows: Board['recent'] }) => {
  const { t } = useTexts();
  const format = useFormat();
  const nameOf = usePersonName();
  return (
    <div className={styles['scroll']} role="region" aria-label={t('workplace.recent')} tabIndex={0}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{t('workplace.waybill')}</th>
            <th scope="col">{t('workplace.state')}</th>
            <th scope="col">{t('workplace.receiver')}</th>
            <th scope="col" className={styles['right']}>
              {t('workplace.amount')}
            </th>
            <th scope="col" className={styles['right']}>
              {t('workplace.created')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                {row.delivery_id === null ? (
                  <a href={screenHref('ExpressTable', { id: row.id })}>
                    <span className={styles['quiet']}>{t('workplace.no_waybill')}</span>
                  </a>
                ) : (
                  <CodeText code={row.delivery_id}>
                    <a href={screenHref('ExpressTable', { id: row.id })}>
                      <Waybill number={row.delivery_id} copy={false} />
                    </a>
                  </CodeText>
                )}
              </td>
              <td>
                <StatusTag code={row.state_code} />
              </td>
              <td>
                {nameOf(row.receive_name)}{' '}
                <span className={styles['quiet']}>{row.receive_city}</span>
              </td>
              <td className={styles['right']}>
                <Money fen={row.state_code === stateCode.draft ? null : row.post_amount} />
              </td>
              <td className={styles['right']} title={format.moment(row.created_at)}>
                {format.relative(row.created_at)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** The newest parcels that the user may see, because users look for their latest work first. */
export const Recent = ({ board }: { board: Board | undefined }) => {
  const { t } = useTexts();
  return (
    <section className={styles['card']}>
      <div className={styles['cardHead']}>
        <h2>{t('workplace.recent')}</h2>
        <a href={screenHref('ExpressTable')}>{t('workplace.recent_all')}</a>
      </div>
      {board && board.recent.length > 0 && <Rows rows={board.recent} />}
      {board && board.recent.length === 0 && (
        <Empty title={t('workplace.recent_none')} hint={t('workplace.recent_none_hint')}>
          <Button type="primary" onClick={() => openScreen('ExpressStore')}>
            {t('workplace.order')}
          </Button>
        </Empty>
      )}
      {!board && <span className={styles['skeletonBlock']} aria-hidden />}
    </section>
  );
};
