import { expect, test } from 'vitest';
import { inviteMail } from '../features/member/invite-mail.ts';
import { mailHtml, named } from './html.ts';

test('a right-to-left name does not affect the text around it, and control characters in names are removed', () => {
  const { subject, html } = inviteMail({
    organizationName: 'شركة الأمل',
    inviterName: 'محمد\n علي',
    role: 'admin',
    link: 'https://parley.example/invite',
  });
  expect(subject).toBe('You are invited to \u2068شركة الأمل\u2069');
  expect(html).toContain(
    '<p style="margin:0 0 16px">\u2068محمد علي\u2069 invites you to join \u2068شركة الأمل\u2069 on Parley',
  );
  expect(named('Ada\u202Efdp.exe')).toBe('Adafdp.exe');
});

test('text from others has its own direction, is escaped, and loads nothing external', () => {
  const html = mailHtml({
    title: '<b>Hi</b>',
    paragraphs: ['مرحبا <img src="https://evil.example/x.png">'],
    button: { label: 'Go', link: 'https://parley.example/' },
    footnote: 'Because.',
  });
  expect(html).toContain('<p dir="auto" style="margin:0 0 16px">مرحبا &lt;img');
  expect(html).not.toMatch(/<(img|b|script|link)\b/);
});
