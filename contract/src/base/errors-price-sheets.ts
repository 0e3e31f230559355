/**
 * Errors in price lists of freight templates as XLSX (docs/pricing.md §2): each text describes the
 * problem of a cell and the value that is expected.
 */
export const priceSheetErrors = {
  price_sheet_too_large: {
    status: 413,
    zh: '价格表超过 {limit} MB，请删除无关的工作表和图片后重试',
    en: 'The price list is larger than {limit} MB; remove other sheets and pictures',
  },
  price_sheet_titles: {
    status: 422,
    zh: '找不到列：{names}；请下载本模板的价格表，保留标题行后再填写',
    en: 'Columns not found: {names}; download this template’s prices and keep the row of titles',
  },
  price_sheet_too_many_rows: {
    status: 422,
    zh: '价格表超过 {limit} 行，请删除多余的行',
    en: 'The price list has more than {limit|row|rows}; remove those that are not needed',
  },
  price_sheet_too_many_senders: {
    status: 422,
    zh: '寄件地超过 {limit} 组，请合并价格相同的寄件省份',
    en: 'There are more than {limit|group|groups} of senders; put sender provinces with the same prices together',
  },
  price_sheet_too_many_zones: {
    status: 422,
    zh: '第 {line} 行起的寄件地有超过 {limit} 种不同的价格，请统一价格相近的地区',
    en: 'The senders that begin in row {line} have more than {limit|price|prices}; give similar regions one price',
  },
  price_sheet_too_many_areas: {
    status: 422,
    zh: '第 {line} 行起的寄件地有超过 {limit} 个地区价格相同，请用省份价格代替城市价格',
    en: 'The senders that begin in row {line} have more than {limit|region|regions} of one price; enter the province instead of its cities',
  },
  price_sheet_empty: {
    status: 422,
    zh: '价格表没有任何价格，请至少填写一行',
    en: 'The sheet has no price; fill in at least one row',
  },
  // Errors about single cells of a price list.
  price_sheet_title_unknown: {
    status: 422,
    zh: '无法识别的列标题；请改为下载文件中的标题，或删除此列',
    en: 'Unknown title; use a title of the downloaded file, or remove the column',
  },
  price_sheet_title_repeated: {
    status: 422,
    zh: '列标题重复，请只保留一列',
    en: 'The title occurs twice; keep one of the columns',
  },
  price_sheet_province: {
    status: 422,
    zh: '不是省份；请填省份名称，如“广东”',
    en: 'Not a province; enter its name, such as “Guangdong”',
  },
  price_sheet_senders: {
    status: 422,
    zh: '“{name}”不是省份；多个省份用“、”分隔，适用于其余省份时留空',
    en: '“{name}” is not a province; separate provinces by commas, and leave the cell empty for all others',
  },
  price_sheet_city: {
    status: 422,
    zh: '{province}没有这个城市；请填该省的城市，整省的价格则留空',
    en: '{province} has no such city; enter one of its cities, or leave the cell empty for the whole province',
  },
  price_sheet_repeated: {
    status: 422,
    zh: '与第 {line} 行的寄件地和收件地相同，请只保留一行',
    en: 'Row {line} has the same senders and region; keep one of the rows',
  },
  price_list_province: {
    status: 422,
    zh: '“{name}”不是省份；多个省份用“、”分隔',
    en: '“{name}” is not a province; separate provinces by commas',
  },
  price_list_repeated: {
    status: 422,
    zh: '{province}在“{sheet}”第 {line} 行已有另一价格，请只保留一个',
    en: '{province} has another price in row {line} of “{sheet}”; keep one of them',
  },
  price_sheet_missing: {
    status: 422,
    zh: '未填写；请填写数值，或清空整行价格',
    en: 'Empty; enter a value, or clear all prices of the row',
  },
  price_sheet_weight: {
    status: 422,
    zh: '不是重量；请填千克数，最多 3 位小数，如 1.5',
    en: 'Not a weight; enter kilograms with up to 3 decimals, such as 1.5',
  },
  price_sheet_price: {
    status: 422,
    zh: '不是金额；请填元，最多 2 位小数，如 12.50，不送达的地区在首重价填“不送达”',
    en: 'Not an amount; enter yuan with up to 2 decimals, such as 12.50, or “Not served” as first price',
  },
  price_sheet_weight_bounds: {
    status: 422,
    zh: '超出范围；请填 {least_weight}–{limit_weight} kg',
    en: 'Out of range; enter {least_weight} to {limit_weight} kg',
  },
  price_sheet_price_bounds: {
    status: 422,
    zh: '超出范围；请填 ¥{least_amount}–¥{limit_amount}',
    en: 'Out of range; enter ¥{least_amount} to ¥{limit_amount}',
  },
  price_sheet_not_ascending: {
    status: 422,
    zh: '上限须大于前一重量段的 {below_weight} kg，请改大',
    en: 'The bound must be above the {below_weight} kg of the bracket before it; enter more',
  },
  price_sheet_step: {
    status: 422,
    zh: '单位须整除本重量段（{span_weight} kg），请改为能整除的数',
    en: 'The step must divide its bracket ({span_weight} kg); enter one that does',
  },
  price_sheet_name_length: {
    status: 422,
    zh: '分区名超过 {limit} 字，请缩短',
    en: 'The zone name has more than {limit|character|characters}; shorten it',
  },
} as const;
