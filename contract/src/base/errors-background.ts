/**
 * Why reading a file, or another background job, ended (requirements §10.12). They are included in
 * `errors`.
 */
export const backgroundErrors = {
  file_inflates: {
    status: 422,
    zh: '文件解压后超过 {limit} MB，请删除多余内容或拆分后上传',
    en: 'The file inflates to more than {limit} MB; remove what is not needed, or split it',
  },
  file_strings: {
    status: 422,
    zh: '文件中的文本占用内存超过 {limit} MB，请拆分后上传，或另存为 .csv',
    en: 'The file’s text needs more than {limit} MB of memory; split it, or save it as .csv',
  },
  file_string_count: {
    status: 422,
    zh: '工作簿的文本超过 {limit} 个，请拆分后上传',
    en: 'The workbook has more than {limit|text|texts}; split it',
  },
  file_row: {
    status: 422,
    zh: '第 {line} 行超过 {limit} 个字符，请删除无关内容后上传',
    en: 'Line {line} has more than {limit|character|characters}; remove what is not needed',
  },
  file_sheets: {
    status: 422,
    zh: '工作簿有 {count} 个工作表或关联，最多 {limit} 个，请拆分后上传',
    en: 'The workbook has {count|sheet or relation|sheets or relations}; the limit is {limit}; split it',
  },
  file_entries: {
    status: 422,
    zh: '文件内含 {count} 个部件，最多 {limit} 个，请另存为新的 .xlsx 或 .csv',
    en: 'The file has {count|part|parts}; the limit is {limit}; save it as a new .xlsx or .csv',
  },
  file_cell: {
    status: 422,
    zh: '文件中有单元格超过 {limit} 个字符，请缩短后上传',
    en: 'A cell of the file has more than {limit|character|characters}; shorten it',
  },
  file_merged: {
    status: 422,
    zh: '文件中合并的单元格超过 {limit} 个，请取消合并后上传',
    en: 'The file merges more than {limit|cell|cells}; unmerge them',
  },
  file_reader_memory: {
    status: 422,
    zh: '读取文件所需内存超过 {limit} MB，请拆分后上传，或另存为 .csv',
    en: 'Reading the file needs more than {limit} MB of memory; split it, or save it as .csv',
  },
  file_reader_time: {
    status: 422,
    zh: '读取文件的计算时间超过 {limit} 秒，请拆分后上传，或另存为 .csv',
    en: 'Reading the file takes more than {limit} s of computing; split it, or save it as .csv',
  },
  file_reader_gone: {
    status: 422,
    zh: '读取文件时程序两次中断，请拆分后上传，或另存为 .csv',
    en: 'The program ended twice while reading the file; split it, or save it as .csv',
  },
  bill_given_up: {
    status: 422,
    zh: '处理账单多次失败，已停止。请作废后重新上传；仍失败请联系系统管理员。',
    en: 'Processing the bill failed repeatedly. Discard it and upload it again, or contact the system administrator',
  },
  login_without_token: {
    status: 200,
    zh: '服务器的响应中没有登录凭证，请稍后再试，或联系管理员检查代理服务器',
    en: 'The response holds no access token; try again later, or ask an administrator to check the proxy',
  },
  job_changed: {
    status: 409,
    zh: '任务已变化，请看最新列表',
    en: 'This job has changed; see the current list',
  },
  job_decides: {
    status: 409,
    zh: '此任务不能放弃，请重试',
    en: 'This job cannot be given up; retry it',
  },
  job_dead: {
    status: 422,
    zh: '后台任务 {task} 连续失败 {attempts} 次，已停止重试：{text}',
    en: 'Background task {task} failed {attempts|time|times} and was stopped: {text}',
  },
} as const;
