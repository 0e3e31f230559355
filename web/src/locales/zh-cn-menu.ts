/** Names of the screens, as menu, tabs and document title show them. */
export const menu = {
  workplace: '工作台',
  expresses: '运单管理',
  store: '在线下单',
  cargos: '物品管理',
  merchants: '商家账号',
  audit: '审计日志',
};
