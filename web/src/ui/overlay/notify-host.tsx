import { App } from 'antd';
import { useEffect } from 'react';
import { ComponentLibrary } from './component-library.tsx';

export type NoticeApi = ReturnType<typeof App.useApp>;

const Hand = ({ onReady }: { onReady: (api: NoticeApi | null) => void }) => {
  const given = App.useApp();
  useEffect(() => {
    onReady(given);
    return () => onReady(null);
  }, [given, onReady]);
  return null;
};

/** Hands the component library's notices, which carry theme and language, to those outside components. */
export const NoticeLibrary = ({ onReady }: { onReady: (api: NoticeApi | null) => void }) => (
  <ComponentLibrary>
    <App component={false}>
      <Hand onReady={onReady} />
    </App>
  </ComponentLibrary>
);
