import { randomBytes } from 'node:crypto';
import { Refusal } from './answers.ts';
import { objectIn } from './input.ts';
import type { Answer } from '#carrier.ts';
import type { Service } from './order-services.ts';
import type { SfWorld } from './sf-world.ts';

/** The label file of a parcel. Its token is valid until a time in real epoch milliseconds. */
type LabelFile = { waybill: string; token: string; until: number };
export type LabelFiles = Map<string, LabelFile>;

export const filesPath = '/sf-files/';
const mostDocuments = 20;

const pdfOf = (waybill: string): string =>
  `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 216 369]>>endobj\n% ${waybill}\ntrailer<</Root 1 0 R>>\n%%EOF\n`;

/**
 * Creates the files of labels, each with a token that expires. The files come in any order, and
 * `seqNo` gives the right order.
 */
export const printService =
  (files: LabelFiles, host: () => string): Service =>
  ({ world, partner, data }) => {
    const fields = objectIn(data);
    if (!fields.text('templateCode', 1, 100).startsWith('fm_'))
      throw new Refusal('8027', '模板不存在');
    const documents = fields.list('documents', 1, mostDocuments);
    const made = documents.map((document, index) => {
      const waybill = document.text('masterWaybillNo', 1, 30);
      if (world.byWaybill(waybill)?.partner !== partner.partner_id)
        throw new Refusal('8247', '运单号不合法');
      const id = randomBytes(8).toString('hex');
      const token = randomBytes(16).toString('hex');
      files.set(id, { waybill, token, until: world.realNow() + world.settings().sf.file_ms });
      const branch = document.raw('branchWaybillNo') ?? waybill;
      return {
        url: `${host()}${filesPath}${id}`,
        token,
        waybillNo: branch,
        seqNo: index + 1,
        areaNo: 1,
        pageNo: 1,
      };
    });
    return { fileType: 'pdf', files: made.toReversed() };
  };

/**
 * Returns the response for a label file: the PDF if the token is right and still valid, and 403
 * otherwise.
 */
export const fileAnswer = (
  world: SfWorld,
  files: LabelFiles,
  path: string,
  token: string,
): Answer => {
  const file = files.get(path.slice(filesPath.length));
  if (file === undefined || file.token !== token) return { status: 403, text: 'Forbidden' };
  if (file.until <= world.realNow()) return { status: 403, text: 'token expired' };
  return {
    status: 200,
    headers: { 'content-type': 'application/pdf' },
    text: pdfOf(file.waybill),
  };
};
