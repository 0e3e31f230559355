/** Words in a parcel's remark or addresses that decide what happens to the parcel. */
export const keywords = {
  out_of_area: '超区',
  manual_presort: '人工预分拣',
  rejected: '拒单',
  throttled: '限流',
  slow: '慢应答',
  dropped: '断线',
  server_error: '服务错误',
  downgraded: '时效降级',
  pickup_ended: '终止揽收',
  refused: '拒收',
  relabelled: '退回',
  redelivered: '再投',
  intercept_fails: '拦截失败',
  corrected: '重量更正',
  same_weight: '称重一致',
  packaging: '包装费',
  oversize: '超尺寸',
} as const;
export type Keyword = keyof typeof keywords;

type Spoken = { remark: string; sender: { address: string }; receiver: { address: string } };

/** True if an order or a quote contains the keyword. */
export const says = (order: Spoken, keyword: Keyword): boolean => {
  const word = keywords[keyword];
  return (
    order.remark.includes(word) ||
    order.sender.address.includes(word) ||
    order.receiver.address.includes(word)
  );
};
