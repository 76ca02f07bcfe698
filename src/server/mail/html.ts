export interface MailPage {
  title: string;
  paragraphs: string[];
  button: { label: string; link: string };
  footnote: string;
}

/** A mail as a page that every mail program shows alike: no images, no scripts, nothing from elsewhere. */
export function mailHtml({ title, paragraphs, button, footnote }: MailPage): string {
  const text = paragraphs
    .map((paragraph) => `<p dir="auto" style="margin:0 0 16px">${linesOf(paragraph)}</p>`)
    .join('');
  const link = escape(button.link);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f6;color:#1b1b1f;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">
<h1 dir="auto" style="margin:0 0 16px;font-size:20px">${escape(title)}</h1>${text}
<p style="margin:0 0 16px"><a href="${link}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#4a4ac4;color:#ffffff;text-decoration:none">${escape(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;word-break:break-all"><a href="${link}">${link}</a></p>
<p style="margin:0;font-size:14px;color:#5c5c66">${escape(footnote)}</p>
</div></body></html>`;
}

/** Each where it was begun, by a means that every mail program knows. */
function linesOf(paragraph: string): string {
  return escape(paragraph).replaceAll(/\r?\n/g, '<br>');
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
