import { noticesInMessage } from '@waystation/contract/base/limits.ts';
import type { MessageLine } from './entry-title.ts';
import type { SayMessage } from './message-words.ts';
import { htmlText } from './plain-text.ts';

/** A message with all texts that the kinds of channels need. */
export interface Message {
  subject: string;
  /** The message as plain text; the last line is the URL of the console. */
  text: string;
  /** The end of an email. It states where the reader can turn off these messages. */
  footer: string;
  html: string;
  /** The notifications as data, for programs that receive the message. */
  lines: readonly (Omit<MessageLine, 'path'> & { link: string | null })[];
}

const page = (paragraphs: readonly string[]): string =>
  `<!doctype html><html><body style="font:14px/1.7 sans-serif;color:#1d2129">${paragraphs.join('')}</body></html>`;
const paragraph = (html: string): string => `<p style="margin:0 0 12px">${html}</p>`;
const anchor = (href: string, text: string): string =>
  `<a href="${htmlText(href)}" style="color:#165dff">${htmlText(text)}</a>`;

/**
 * A message with a single text, such as a verification code or a test, and a link below the text.
 */
export const textMessage = (subject: string, text: string, link?: string): Message => ({
  subject,
  text: link === undefined ? text : `${text}\n\n${link}\n`,
  footer: '',
  html: page([
    paragraph(htmlText(text)),
    ...(link === undefined ? [] : [paragraph(anchor(link, link))]),
  ]),
  lines: [],
});

/**
 * Builds a message of notifications, newest first. It lists a limited number of them and counts the
 * rest. If `publicUrl` is null, the message has no links.
 */
export const noticeMessage = (
  found: readonly MessageLine[],
  say: SayMessage,
  publicUrl: string | null,
): Message => {
  const lines = found.slice(0, noticesInMessage).map(({ path, ...line }) => ({
    ...line,
    link: publicUrl === null ? null : `${publicUrl}/#${path}`,
  }));
  const more = found.length - lines.length;
  const [only] = found.length === 1 ? lines : [];
  const home = only ? only.link : publicUrl;
  return {
    subject: only
      ? say('subject_one', { text: only.title })
      : say('subject', { count: found.length }),
    text: [
      ...lines.map(({ title }) => (only ? title : `• ${title}`)),
      ...(more > 0 ? [say('more', { count: more })] : []),
      ...(home === null ? [] : [home]),
    ].join('\n'),
    footer: say('footer'),
    html: page([
      `<ul style="margin:0 0 12px;padding-left:20px">${lines
        .map(
          ({ title, link }) => `<li>${link === null ? htmlText(title) : anchor(link, title)}</li>`,
        )
        .join('')}</ul>`,
      ...(more > 0 ? [paragraph(htmlText(say('more', { count: more })))] : []),
      ...(publicUrl === null ? [] : [paragraph(anchor(publicUrl, say('open')))]),
      `<p style="margin:0;color:#4e5969;font-size:12px">${htmlText(say('footer'))}</p>`,
    ]),
    lines,
  };
};
