import type { ComponentType } from 'react';
import type { Screen, ScreenName } from '@waystation/contract/screens.ts';
import type { Search } from '#base/href.ts';

/** A page's file. `preload` begins the reads it opens with, so that they are there when it is first drawn. */
export interface PageModule {
  Page: ComponentType;
  preload?: (search: Search) => Promise<unknown>;
}

/** The file of each screen: one line for each row of the contract's table. */
const loaders: Readonly<Record<ScreenName, () => Promise<PageModule>>> = {
  Workplace: () => import('#pages/workplace.tsx'),
  ExpressTable: () => import('#pages/expresses.tsx'),
  ExpressPage: () => import('#pages/parcel.tsx'),
  ExpressStore: () => import('#pages/store.tsx'),
  ExpressImport: () => import('#pages/imports.tsx'),
  ContactTable: () => import('#pages/contacts.tsx'),
  CargoTable: () => import('#pages/cargos.tsx'),
  GuaranteeTable: () => import('#pages/guarantees.tsx'),
  MerchantTable: () => import('#pages/merchants.tsx'),
  ProjectTable: () => import('#pages/projects.tsx'),
  VoucherTable: () => import('#pages/vouchers.tsx'),
  PromiseTable: () => import('#pages/promises.tsx'),
  StationTable: () => import('#pages/stations.tsx'),
  StatementTable: () => import('#pages/statements.tsx'),
  Reconciliations: () => import('#pages/reconciliations.tsx'),
  PrintTable: () => import('#pages/prints.tsx'),
  AuditLog: () => import('#pages/audit.tsx'),
  AccountTable: () => import('#pages/users.tsx'),
  Settings: () => import('#pages/settings.tsx'),
  Profile: () => import('#pages/profile.tsx'),
};

export const loadPage = (name: ScreenName): Promise<PageModule> => loaders[name]();

/** Fetches a page before it is opened; a failure shows when it is opened. */
export const prefetchPage = ({ name }: Screen): void => void loadPage(name).catch(() => null);
