import { RightOutlined } from '@ant-design/icons-svg';
import type { Station } from '@waystation/contract/network/station.ts';
import { useTexts } from '#base/texts.ts';
import { NameCell } from '#resource/list/cells.tsx';
import { Icon } from '#ui/icon.tsx';
import type { TreeOf } from '#resource/table/tree.ts';
import { SetupTag } from './setup-tag.tsx';
import styles from './stations.module.css';
import type { SetupGuide } from './use-setup-guide.ts';

/** The name of a station, indented by its level in the tree, with the button that expands it. */
export const NameInTree = ({
  row,
  tree,
  guide,
  onOpen,
}: {
  row: Station;
  tree: TreeOf<Station>;
  guide: SetupGuide;
  onOpen: () => void;
}) => {
  const { t } = useTexts();
  const expanded = tree.expanded(row);
  const setup = guide.open.get(row.id);
  const deep = Math.min(tree.levelOf(row), 9) - 1;
  return (
    <span className={styles['node']} style={{ paddingInlineStart: deep * 20 }}>
      {expanded === undefined ? (
        <span className={styles['leaf']} />
      ) : (
        <button
          type="button"
          className={styles['twist']}
          tabIndex={-1}
          data-open={expanded || undefined}
          aria-label={t(expanded ? 'stations.collapse' : 'stations.expand', { name: row.name })}
          onClick={() => tree.toggle(row)}
        >
          <Icon of={RightOutlined} />
        </button>
      )}
      <NameCell name={row.name} onOpen={onOpen} />
      {setup && <SetupTag setup={setup} onShow={() => guide.show(row.id)} />}
      {expanded === false && <span className={styles['below']}>{row.children}</span>}
    </span>
  );
};
