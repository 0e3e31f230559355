import { RightOutlined } from '@ant-design/icons';
import { useFormat } from '#app/format.ts';
import { screenHref } from '#app/open-screen.ts';
import type { SearchPatch } from '#app/href.ts';
import { useTexts } from '#app/texts.ts';
import { StatusShape, toneOf } from '#ui/status-tag.tsx';
import type { Board } from './board.ts';
import styles from './workplace.module.css';

/** What waits for a hand, the most pressing first, with the filter that it counts. */
const tasks = [
  { key: 'on_hold', state: 10, search: { tab: 'on_hold' } },
  { key: 'failed', state: 90, search: { tab: 'failed' } },
  { key: 'exception', state: 400, search: { tab: 'exception' } },
  { key: 'ordering', state: 20, search: { tab: 'ordering' } },
  { key: 'to_print', state: 100, search: { tab: 'awaiting_pickup', printed: '0' } },
  { key: 'draft', state: 0, search: { tab: 'draft' } },
] as const satisfies readonly { key: keyof Board; state: number; search: SearchPatch }[];

export const Todo = ({ board }: { board: Board | undefined }) => {
  const { t } = useTexts();
  const format = useFormat();
  const open = board ? tasks.filter(({ key }) => board[key] > 0) : tasks;
  return (
    <section className={styles['card']}>
      <h2>{t('workplace.todo')}</h2>
      {open.length === 0 && <p className={styles['calm']}>{t('workplace.todo_none')}</p>}
      <ul className={styles['tasks']}>
        {open.map(({ key, state, search }) => (
          <li key={key}>
            <a className={styles['task']} href={screenHref('ExpressTable', search)}>
              <span className={styles['label']} data-tone={toneOf(state)}>
                <StatusShape code={state} />
                {t(`workplace.${key}`)}
              </span>
              <span className={styles['few']}>{board ? format.number(board[key]) : <span className={styles['skeleton']} />}</span>
              <RightOutlined aria-hidden className={styles['onward']} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};
