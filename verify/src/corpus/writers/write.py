"""Writes one file of the corpus: write.py CASE FILE, with the rows as JSON on standard input."""
import datetime
import json
import sys

case, path = sys.argv[1:]
rows = json.load(sys.stdin)
library = case.split('-')[0]

if case == 'versions':
    import openpyxl
    import xlsxwriter
    import xlwt

    print(json.dumps({'openpyxl': openpyxl.__version__, 'xlsxwriter': xlsxwriter.__version__, 'xlwt': xlwt.__VERSION__}))

elif library == 'openpyxl':
    from openpyxl import Workbook
    from openpyxl.styles import Font
    from openpyxl.utils.datetime import CALENDAR_MAC_1904
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook(write_only=case.endswith('write-only'))
    sheet = book.create_sheet('订单') if case.endswith('write-only') else book.active
    if case.endswith('1904'):
        book.epoch = CALENDAR_MAC_1904
    for cells in rows:
        sheet.append([datetime.datetime(2026, 3, 2, 10, 30) if cell == 'MOMENT' else cell for cell in cells])
    if case.endswith('dressed'):
        sheet.title = '订单'
        for cell in sheet[1]:
            cell.font = Font(bold=True, color='FF0000')
        sheet.freeze_panes = 'A2'
        sheet.auto_filter.ref = 'A1:I4'
        sheet.column_dimensions['C'].hidden = True
        choice = DataValidation(type='list', formula1='"文件,食品"')
        sheet.add_data_validation(choice)
        choice.add('G2:G1000')
        sheet['A2'].hyperlink = 'https://example.com/'
        sheet['G900'].font = Font(bold=True)
    book.save(path)

elif library == 'xlsxwriter':
    import xlsxwriter

    book = xlsxwriter.Workbook(path, {'constant_memory': case.endswith('inline'), 'strings_to_numbers': case.endswith('numbers')})
    sheet = book.add_worksheet('订单')
    red = book.add_format({'color': 'red'})
    for at, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            if case.endswith('rich') and at > 0 and column == 5:
                sheet.write_rich_string(at, column, red, cell[:3], cell[3:])
            elif case.endswith('formulas') and at > 0 and column in (5, 8):
                sheet.write_formula(at, column, '=A1', None, cell)
            else:
                sheet.write(at, column, cell)
    if case.endswith('rich'):
        sheet.write_comment('A2', '老客户')
        sheet.insert_textbox('K2', '说明')
    if case.endswith('table'):
        sheet.add_table(0, 0, len(rows) - 1, len(rows[0]) - 1, {'columns': [{'header': cell} for cell in rows[0]]})
    if case.endswith('columns-apart'):
        sheet.set_column(12, 12, 20)
        sheet.write(500, 2, '')
        sheet.write_blank(600, 3, None, red)
    book.close()

elif library == 'xlwt':
    import xlwt

    book = xlwt.Workbook(encoding='utf-8')
    sheet = book.add_sheet('订单')
    for at, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            sheet.write(at, column, cell)
    book.save(path)
