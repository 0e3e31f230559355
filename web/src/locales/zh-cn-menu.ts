/** Names of the screens, as menu, tabs and document title show them. */
export const menu = {
  workplace: '工作台',
  expresses: '运单管理',
  store: '在线下单',
  cargos: '物品管理',
  merchants: '商家账号',
  audit: '审计日志',
  contacts: '地址簿',
  guarantees: '保价管理',
  projects: '运费方案',
  promises: '时效管理',
  users: '账号管理',
  profile: '个人资料',
  vouchers: '运费模板',
  statements: '账单',
  reconciliations: '对账结账',
  stations: '网点管理',
};
