interface MailPage {
  title: string;
  paragraphs: string[];
  button: { label: string; link: string };
  footnote: string;
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const DIRECTING = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * A user-entered name within our own text: on one line, like a subject, and isolated, so that a right-to-left name
 * doesn't reorder the text around it.
 */
export function named(name: string): string {
  const line = name.replaceAll(DIRECTING, '').replaceAll(/\s+/g, ' ').trim();
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
}

/** An email as a page that every mail client renders alike: no images, no scripts, nothing external. */
export function mailHtml({ title, paragraphs, button, footnote }: MailPage): string {
  const text = paragraphs
    .map((paragraph) => `<p${directionOf(paragraph)} style="margin:0 0 16px">${linesOf(paragraph)}</p>`)
    .join('');
  const link = escape(button.link);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escape(title)}</title><style>${dark}</style></head>
<body class="back" style="margin:0;padding:24px 16px;background:#f4f4f6;color:#1b1b1f;font:16px/1.5 system-ui,sans-serif">
<div class="card" style="max-width:520px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px;overflow-wrap:anywhere;word-break:break-word">
<h1 style="margin:0 0 16px;font-size:20px">${escape(title)}</h1>${text}
<p style="margin:0 0 16px"><a href="${link}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#4a4ac4;color:#ffffff;text-decoration:none">${escape(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;word-break:break-all"><a class="link" href="${link}" style="color:#4a4ac4">${link}</a></p>
<p class="soft" style="margin:0;font-size:14px;color:#5c5c66">${escape(footnote)}</p>
</div></body></html>`;
}

/** Dark colors for mail clients that support them; elsewhere the page stays light. */
const dark =
  '@media (prefers-color-scheme:dark){.back{background:#131316!important;color:#ececf0!important}.card{background:#1d1d21!important}.link{color:#a3a3ff!important}.soft{color:#a9a9b3!important}}';

/** Our own text keeps its direction, even if it begins with a name; text by others has its own. */
function directionOf(paragraph: string): string {
  return paragraph.startsWith('\u2068') ? '' : ' dir="auto"';
}

/** Keeps line breaks, in a way every mail client supports. */
function linesOf(paragraph: string): string {
  return escape(paragraph).replaceAll(/\r?\n/g, '<br>');
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
