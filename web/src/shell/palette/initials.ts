/**
 * First letters of the pinyin of each screen's and action's Chinese name, by which the palette finds
 * it; written by hand, because a library for them would be larger than the palette.
 */
export const initials: Readonly<Record<string, string>> = {
  Workplace: 'gzt',
  ExpressTable: 'ydgl',
  ExpressPage: 'ydxq',
  ExpressStore: 'zxxd',
  ExpressImport: 'yddr',
  PrintTable: 'dyjl',
  ContactTable: 'dzb',
  CargoTable: 'wpgl',
  GuaranteeTable: 'bjgl',
  MerchantTable: 'sjzh',
  ProjectTable: 'yffa',
  VoucherTable: 'yfmb',
  PromiseTable: 'sxgl',
  StationTable: 'wdgl',
  StatementTable: 'zd',
  Reconciliations: 'dzjz',
  AuditLog: 'czrz',
  AccountTable: 'zhgl',
  Settings: 'xtsz',
  Health: 'xtzt',
  PersonalData: 'grxx',
  Profile: 'grzl',
  top_up: 'sqcz',
  new_station: 'xjwd',
  settings: 'sz',
  shortcuts: 'kjj',
  logout: 'tcdl',
};
