/** Errors about imports of parcels: the file, its rows, and their actions. */
export const importErrors = {
  file_old_xls: {
    status: 422,
    zh: '这是旧版 Excel 文件（.xls），请另存为 .xlsx 后上传',
    en: 'This is an old Excel file (.xls); save it as .xlsx and upload that',
  },
  file_web_page: {
    status: 422,
    zh: '这是网页，不是表格，请用 Excel 打开后另存为 .xlsx 再上传',
    en: 'This is a web page, not a sheet; open it in Excel, save it as .xlsx and upload that',
  },
  file_xml: {
    status: 422,
    zh: '这是 XML 文件，请用 Excel 打开后另存为 .xlsx 再上传',
    en: 'This is an XML file; open it in Excel, save it as .xlsx and upload that',
  },
  file_opendocument: {
    status: 422,
    zh: '这是 OpenDocument 表格（.ods），请另存为 .xlsx 后上传',
    en: 'This is an OpenDocument sheet (.ods); save it as .xlsx and upload that',
  },
  file_binary_workbook: {
    status: 422,
    zh: '这是 Excel 二进制工作簿（.xlsb），请另存为 .xlsx 后上传',
    en: 'This is a binary Excel workbook (.xlsb); save it as .xlsx and upload that',
  },
  file_encrypted: {
    status: 422,
    zh: '文件有密码，请取消密码后上传',
    en: 'The file has a password; remove it and upload the file again',
  },
  file_not_workbook: {
    status: 422,
    zh: '这不是 Excel 工作簿，而是压缩包或其他文档，请上传其中的 .xlsx 或 .csv 文件',
    en: 'This is no Excel workbook but an archive or another document; upload an .xlsx or .csv file',
  },
  import_columns_unknown: {
    status: 422,
    zh: '无法确认各列含义，请匹配列',
    en: 'The columns were not recognized with certainty; match them',
  },
  import_columns_equal: {
    status: 422,
    zh: '列 {columns} 的标题相同，请指定所用的列',
    en: 'Columns {columns} have equal titles; choose which one is meant',
  },
  import_masked: {
    status: 422,
    zh: '含有 **，请填写完整内容',
    en: 'Contains **; enter the full text',
  },
  import_given_up: {
    status: 422,
    zh: '处理多次中断，请重新上传',
    en: 'Processing was interrupted repeatedly; upload the file again',
  },
  import_interrupted: {
    status: 422,
    zh: '下单多次中断，请稍后继续',
    en: 'Ordering was interrupted repeatedly; resume later',
  },
  import_account_stopped: {
    status: 403,
    zh: '确认下单的账号已停用，或无权再为此网点下单，请由有权限的人继续',
    en: 'The account that confirmed these orders is disabled or may no longer order for this station; let somebody who may resume them',
  },
  import_find_masked: {
    status: 422,
    zh: '其他网点的号码已隐藏：请选择一列，且不能按号码查找',
    en: 'Phones of other stations are masked: choose a column, and do not search by digits of a phone',
  },
  import_cell_grows: {
    status: 422,
    zh: '第 {row} 行有一格替换后有 {characters} 个字符，超过 {limit} 个；未做任何修改',
    en: 'A cell of row {row} would have {characters|character|characters}, more than {limit}; nothing was changed',
  },
  import_edit_grows: {
    status: 422,
    zh: '这次修改要写入超过 {limit} 个字符，请减少行数；未做任何修改',
    en: 'This edit would write more than the limit of {limit}; choose fewer rows. Nothing was changed',
  },
  import_check_interrupted: {
    status: 422,
    zh: '检查多次中断，请恢复此行以重新检查',
    en: 'Checking was interrupted repeatedly; include this row to check it again',
  },
  import_pricing_interrupted: {
    status: 422,
    zh: '计价多次中断，请重新计价',
    en: 'Pricing was interrupted repeatedly; price again',
  },
  import_status: {
    status: 409,
    zh: '导入当前状态不允许此操作',
    en: 'The import’s state does not allow this',
  },
  import_too_many: {
    status: 409,
    zh: '同时处理的导入最多 {limit} 个，请先完成或取消其中一个',
    en: 'At most {limit|import|imports} can be open; finish or cancel one first',
  },
  import_unpriced: {
    status: 409,
    zh: '内容已变更，请重新计价',
    en: 'Rows have changed; price them again',
  },
  import_nothing_to_order: { status: 422, zh: '没有可下单的行', en: 'No row can be ordered' },
  import_rows_waiting: {
    status: 409,
    zh: '还有 {count} 行等待下单，请先继续或停止',
    en: '{count|row still waits|rows still wait} to be ordered; resume or cancel the import first',
  },
  import_row_ordered: {
    status: 409,
    zh: '该行已下单，不能修改',
    en: 'This row is already ordered and cannot be changed',
  },
  import_nothing_to_undo: { status: 409, zh: '没有可撤销的修改', en: 'There is no edit to undo' },
  import_nothing_to_redo: { status: 409, zh: '没有可重做的修改', en: 'There is no edit to redo' },
  // Errors about single cells of an imported sheet.
  import_text_doubtful: {
    status: 422,
    zh: '由整段文字识别，请核对',
    en: 'Read from one free text; check it',
  },
  import_cell_error: {
    status: 422,
    zh: '表格公式出错（{text}），请填写实际内容',
    en: 'A formula of the sheet failed ({text}); enter what is meant',
  },
  import_other_region: {
    status: 422,
    zh: '地址开头是{text}，与省市不一致，请核对',
    en: 'The address begins with {text}, not with its province and city; check them',
  },
  import_column_unused: {
    status: 422,
    zh: '“{title}”列未使用：{text}，请确认地址是否完整',
    en: 'The column “{title}” is not used: {text}; check that the address is whole',
  },
  import_day: {
    status: 422,
    zh: '被表格改写为日期 {text}，请填写原内容',
    en: 'The sheet turned it into the date {text}; enter what was meant',
  },
  import_digits_lost: {
    status: 422,
    zh: '单号被表格改写为 {text}，末几位已丢失，请核对原单号',
    en: 'The sheet turned the number into {text} and its last digits are lost; check the original',
  },
  import_phone_scientific: {
    status: 422,
    zh: '手机号被表格改写为 {text}，末几位已丢失，请填写完整号码',
    en: 'The sheet turned the phone into {text} and its last digits are lost; enter the whole number',
  },
  import_weight_unreadable: {
    status: 422,
    zh: '重量无法识别：{text}，请填写千克数',
    en: 'Not a weight: {text}; enter kilograms',
  },
  import_number_unreadable: {
    status: 422,
    zh: '不是整数：{text}',
    en: 'Not a whole number: {text}',
  },
  import_amount_unreadable: {
    status: 422,
    zh: '金额无法识别：{text}，请填写元',
    en: 'Not an amount: {text}; enter yuan',
  },
  import_size_missing: {
    status: 422,
    zh: '请填写长、宽、高三项，或全部留空',
    en: 'Enter length, width and height, or none of them',
  },
  import_promise_unknown: {
    status: 422,
    zh: '没有名为“{text}”的时效，请从可选时效中选择',
    en: 'No promise is called “{text}”; choose one that is offered',
  },
  import_promise_ambiguous: {
    status: 422,
    zh: '有 {count} 个时效名为“{text}”，请选择承运商',
    en: '{count|promise is|promises are} called “{text}”; choose the carrier’s',
  },
  import_choice_changed: {
    status: 422,
    zh: '按网点规则原选{was_provider}“{was}”，现为{provider}“{now}”，未下单；请重新计入并试算',
    en: 'The station’s rule chose {was_provider} {was} and now chooses {provider} {now}; not ordered; include the row again and price it',
  },
  import_promise_ignored: {
    status: 422,
    zh: '网点不可自选时效，将按最低价下单',
    en: 'The station cannot choose promises; the cheapest one is ordered',
  },
  import_repaired: { status: 422, zh: '已更正，原为“{was}”', en: 'Corrected; it was “{was}”' },
  import_merged_cell: {
    status: 422,
    zh: '内容取自上方的合并单元格，确认是否为单独一票',
    en: 'Taken from the merged cell above; check that this is a parcel of its own',
  },
  import_hidden_row: {
    status: 422,
    zh: '表格中隐藏的行，不下单；需要时请恢复此行',
    en: 'Hidden in the sheet, so it is left out; include it if it is wanted',
  },
  import_titles_row: {
    status: 422,
    zh: '重复的标题行，不下单',
    en: 'The titles once more, so it is left out',
  },
  import_totals_row: {
    status: 422,
    zh: '合计行，不下单；如是运单请恢复此行',
    en: 'A row of totals, so it is left out; include it if it is a parcel',
  },
  import_repeats_row: {
    status: 422,
    zh: '与第 {line} 行相同，确认是否重复',
    en: 'Same parcel as line {line}; check whether it is meant twice',
  },
  import_same_order: {
    status: 422,
    zh: '订单号与第 {line} 行相同，确认是否重复',
    en: 'Same order number as line {line}; check whether it is meant twice',
  },
  import_order_before: {
    status: 422,
    zh: '{day} 已有相同订单号的运单，确认是否重复',
    en: 'A parcel with this order number was ordered on {day}; check whether it is meant again',
  },
  import_order_elsewhere: {
    status: 422,
    zh: '{day} 上传的另一导入第 {line} 行订单号相同，确认是否重复',
    en: 'Line {line} of another import of {day} has this order number; check whether it is meant again',
  },
  import_ordered_before: {
    status: 422,
    zh: '{day} 已有相同收件人和物品的运单，确认是否重复',
    en: 'The same recipient and goods were ordered on {day}; check whether it is meant again',
  },
} as const;
