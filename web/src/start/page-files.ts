// Written by `npm run generate`, which runs generated.test.ts with --update.
/** The file of each screen, named like the screen's title. */
export const pageFiles = {
  Workplace: () => import('#pages/workplace.tsx'),
  ExpressTable: () => import('#pages/expresses.tsx'),
  ExpressPage: () => import('#pages/parcel.tsx'),
  ExpressStore: () => import('#pages/store.tsx'),
  ExpressImport: () => import('#pages/imports.tsx'),
  PrintTable: () => import('#pages/prints.tsx'),
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
  AuditLog: () => import('#pages/audit.tsx'),
  AccountTable: () => import('#pages/users.tsx'),
  Settings: () => import('#pages/settings.tsx'),
  Profile: () => import('#pages/profile.tsx'),
};
