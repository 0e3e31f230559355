/** The reasons why a change cannot be undone. They are included in `errors` in errors.ts. */
export const undoErrors = {
  undo_unsupported: { status: 422, zh: '此项操作不支持撤销', en: 'This action cannot be undone' },
  undo_nothing: {
    status: 409,
    zh: '此项操作未更改任何记录，无需撤销',
    en: 'This action changed no record; there is nothing to undo',
  },
  undo_done: { status: 409, zh: '已由 {account} 撤销', en: 'Already undone by {account}' },
  undo_changed: {
    status: 409,
    zh: '之后有新的修改，不能撤销，请逐项调整',
    en: 'Changed again since; it cannot be undone. Adjust the records one by one',
  },
  undo_running: {
    status: 409,
    zh: '任务仍在进行，请完成后再撤销',
    en: 'The job is still running; undo it once it has finished',
  },
  undo_too_many: {
    status: 422,
    zh: '涉及 {count} 条记录，一次最多撤销 {limit} 条，请筛选后批量操作',
    en: 'It changed {count|record|records}, and at most {limit} are undone at once; filter the list and use a bulk action',
  },
  undo_out_of_scope: {
    status: 409,
    zh: '部分记录已不存在或无权查看，不能撤销',
    en: 'Some of the records no longer exist or are not visible to you; it cannot be undone',
  },
  undo_begun: {
    status: 409,
    zh: '该版本已生效，不能撤销，请发布新版本',
    en: 'This version is in force; publish a new version instead',
  },
  undo_first_version: {
    status: 409,
    zh: '首个版本之前无价格可恢复，不能撤销',
    en: 'There is no price before the first version to return to; it cannot be undone',
  },
} as const;
