/**
 * Browser storage that never throws. If storage is disabled or full, values are kept only until the
 * page is closed.
 */

export interface Store {
  read: (key: string) => string | null;
  write: (key: string, value: string) => void;
  drop: (key: string) => void;
  keys: () => string[];
}

const wrap = (kind: 'localStorage' | 'sessionStorage'): Store => {
  const memory = new Map<string, string>();
  const attempt = <T>(use: (area: Storage) => T): T | null => {
    try {
      const area = globalThis[kind] as Storage | undefined;
      return area ? use(area) : null;
    } catch {
      return null;
    }
  };
  return {
    read: (key) => memory.get(key) ?? attempt((area) => area.getItem(key)),
    write: (key, value) => {
      const stored = attempt((area) => {
        area.setItem(key, value);
        return true;
      });
      if (stored) memory.delete(key);
      else memory.set(key, value);
    },
    drop: (key) => {
      memory.delete(key);
      attempt((area) => area.removeItem(key));
    },
    keys: () => [...new Set([...memory.keys(), ...(attempt((area) => Object.keys(area)) ?? [])])],
  };
};

/** Storage that is kept after the browser is closed. */
export const local = wrap('localStorage');
/** Storage that is kept until this browser tab is closed. */
export const session = wrap('sessionStorage');

/** The JSON value stored under `key`; null if it is missing or damaged. */
export const readJson = (from: Store, key: string): unknown => {
  const text = from.read(key);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
