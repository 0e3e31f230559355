/** Errors about hand-overs to a courier. They are included in `errors` in errors.ts. */
export const handoverErrors = {
  handover_too_many: {
    status: 422,
    zh: '本站同一承运商已有 {limit} 张交接单未关闭；请开单的同事关闭或放弃一张，再开始',
    en: '{limit|hand-over of this carrier is|hand-overs of this carrier are} open at the station; ask the colleague who opened one to close or discard it',
  },
  handover_ended: {
    status: 409,
    zh: '交接单 {id} 已结束，请打开新的',
    en: 'Hand-over {id} has ended; open a new one',
  },
  handover_not_closed: {
    status: 409,
    zh: '交接单 {id} 尚未关闭',
    en: 'Hand-over {id} is not closed',
  },
  handover_changed: {
    status: 409,
    zh: '已交件数现为 {packages}，请核对后再关闭',
    en: 'Packages given are now {packages}; review before you close',
  },
  handover_cancelled: {
    status: 409,
    zh: '已交的 {packages} 件属于已取消或正在取消的运单，请撤回，或确认照此关闭',
    en: 'Given packages of cancelled parcels: {packages}. Take them back, or confirm to close with them',
  },
  handover_empty: {
    status: 409,
    zh: '尚未交出包裹；可放弃这张交接单',
    en: 'No package was given; discard the hand-over instead',
  },
  handover_not_empty: {
    status: 409,
    zh: '已交 {packages} 件，请先撤回，或关闭交接单',
    en: 'Packages given: {packages}. Take them back first, or close the hand-over',
  },
  handover_full: {
    status: 422,
    zh: '交接单已满（上限 {limit}），请关闭后打开新的',
    en: 'The hand-over is full (limit {limit}); close it and open a new one',
  },
  handover_scans_fast: {
    status: 429,
    zh: '一张交接单每分钟最多 {limit} 次扫描，{seconds} 秒后自动继续',
    en: 'A hand-over takes at most {limit|scan|scans} a minute; sending continues in {seconds} s',
  },
  handover_print_interrupted: {
    status: 503,
    zh: '交接单生成中断，请重试',
    en: 'Drawing the hand-over list was interrupted; try again',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
