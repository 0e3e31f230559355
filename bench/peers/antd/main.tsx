import { ConfigProvider } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import { Suspense, lazy } from 'react';
import { createRoot } from 'react-dom/client';
import { isLoggedIn } from '#parcel.ts';

const List = lazy(async () => ({ default: (await import('./list.tsx')).List }));
const Login = lazy(async () => ({ default: (await import('./login.tsx')).Login }));

createRoot(document.getElementById('root')!).render(
  <ConfigProvider locale={zhCN}>
    <Suspense fallback={null}>{isLoggedIn() ? <List /> : <Login />}</Suspense>
  </ConfigProvider>,
);
