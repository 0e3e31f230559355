import type { ReactNode } from 'react';
import { Logo } from '#shell/layout/logo.tsx';
import { useUser } from '#shell/session/session.ts';
import primitives from '#ui/primitives.module.css';
import styles from '#shell/session/password.module.css';

interface Props {
  title: string;
  hint: string;
  children: ReactNode;
}

/**
 * Replaces the console until the user has done what the login requires. The server refuses every
 * other request until then.
 */
export const ForcedSheet = ({ title, hint, children }: Props) => {
  const { username, nickname } = useUser();
  return (
    <main className={styles['forced']}>
      <section className={styles['sheet']} aria-labelledby="forced-sheet">
        <header>
          <Logo />
          <h1 id="forced-sheet">{title}</h1>
          <span className={primitives['quiet']}>{nickname || username}</span>
          <p>{hint}</p>
        </header>
        {children}
      </section>
    </main>
  );
};
