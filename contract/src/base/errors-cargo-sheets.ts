/**
 * Errors in sheets of goods: each text describes the problem of a cell and the value that is
 * expected.
 */
export const cargoSheetErrors = {
  cargo_sheet_too_large: {
    status: 413,
    zh: '文件超过 {limit} MB，请删除无关的工作表和图片后重试',
    en: 'The file is larger than {limit} MB; remove other sheets and pictures',
  },
  cargo_sheet_titles: {
    status: 422,
    zh: '找不到“名称”列；请下载现有物品，保留标题行后再填写',
    en: 'No column “Name” was found; download the present goods and keep the row of titles',
  },
  cargo_sheet_too_many_rows: {
    status: 422,
    zh: '物品超过 {limit} 行，请拆分后上传',
    en: 'There are more than {limit|row|rows} of goods; upload them in parts',
  },
  cargo_sheet_empty: {
    status: 422,
    zh: '文件没有物品，请至少填写一行',
    en: 'The sheet has no goods; fill in at least one row',
  },
  cargo_sheet_title_unknown: {
    status: 422,
    zh: '无法识别的列标题；请改为下载文件中的标题，或删除此列',
    en: 'Unknown title; use a title of the downloaded file, or remove the column',
  },
  cargo_sheet_title_repeated: {
    status: 422,
    zh: '列标题重复，请只保留一列',
    en: 'The title occurs twice; keep one of the columns',
  },
  cargo_sheet_name: {
    status: 422,
    zh: '未填写名称；请填写，或删除此行',
    en: 'No name; enter one, or remove the row',
  },
  cargo_sheet_length: {
    status: 422,
    zh: '超过 {limit} 字，请缩短',
    en: 'More than {limit|character|characters}; shorten it',
  },
  cargo_sheet_type: {
    status: 422,
    zh: '没有这种类型；请填“普通货物”等类型名称，或 1–9',
    en: 'No such type; enter its name, such as “Ordinary goods”, or 1 to 9',
  },
  cargo_sheet_provider: {
    status: 422,
    zh: '没有这个承运商；请填：{names}',
    en: 'No such carrier; enter one of: {names}',
  },
  cargo_sheet_priority: {
    status: 422,
    zh: '不是优先级；请填 0–{limit} 的整数',
    en: 'Not a priority; enter a whole number from 0 to {limit}',
  },
  cargo_sheet_flag: { status: 422, zh: '请填“是”或“否”', en: 'Enter “Yes” or “No”' },
  cargo_sheet_status: {
    status: 422,
    zh: '请填“启用”或“停用”',
    en: 'Enter “Enabled” or “Disabled”',
  },
  cargo_sheet_reason: {
    status: 422,
    zh: '禁寄的物品须填写禁寄原因',
    en: 'Banned goods need a reason; enter it',
  },
  cargo_sheet_repeated: {
    status: 422,
    zh: '与第 {line} 行的承运商和名称相同，请只保留一行',
    en: 'Row {line} has the same carrier and name; keep one of the rows',
  },
  cargos_changed: {
    status: 409,
    zh: '“{name}”在预览之后被修改，未导入；请重新读取文件',
    en: '“{name}” was changed after the preview, so nothing was imported; read the file again',
  },
} as const;
