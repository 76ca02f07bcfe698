import { IconBookOff } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { Markdown } from '../../chat/markdown/markdown.tsx';
import { OwnLinks } from '../../chat/markdown/own-links.ts';
import { t } from '../../messages/t.ts';
import { Notice } from '../../ui/notice.tsx';
import { anchorOf, guideLink, guides, type Guide } from './guides.ts';
import style from './learn.module.css';

/** A guide, scrolled to the heading named in the address. */
export function GuideText({ guide }: { guide: Guide | undefined }) {
  const text = useRef<HTMLElement>(null);
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (hash === '') return;
    const headings = [...(text.current?.querySelectorAll('h3, h4, h5, h6') ?? [])];
    headings.find(({ textContent }) => anchorOf(textContent) === hash)?.scrollIntoView();
  }, [hash]);
  if (!guide) {
    return (
      <Notice
        icon={<IconBookOff size="1.25em" aria-hidden />}
        title={t('learn.missing')}
        text={t('learn.missingText')}
      />
    );
  }
  const link = (href: string, children: ReactNode) => {
    const to = guideLink(href);
    const name = to?.name ?? guide.name;
    if (!to || !guides.some((each) => each.name === name)) return null;
    return (
      <Link to="/app/learn" search={{ guide: name }} hash={to.hash}>
        {children}
      </Link>
    );
  };
  return (
    <article ref={text} className={style['text']} aria-labelledby="guide">
      <h2 id="guide" className={style['title']}>
        {guide.title}
      </h2>
      <OwnLinks value={link}>
        <Markdown text={guide.text} />
      </OwnLinks>
    </article>
  );
}
