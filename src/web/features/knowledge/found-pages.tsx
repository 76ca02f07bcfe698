import { Checkbox, Group } from '@mantine/core';
import { useState } from 'react';
import { KNOWLEDGE_LINKS_MAX } from '../../../contract/limits.ts';
import type { WebsiteLink, WebsiteLook } from '../../../contract/website.ts';
import { formatBytes, formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { PlainButton } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import style from './found-pages.module.css';

/** A site may have thousands of pages: this many are shown at a time. */
const SHOWN_AT_ONCE = 50;

interface FoundPagesProps {
  look: WebsiteLook;
  /** Whether a page matches the settings. */
  isWanted: (url: string) => boolean;
  /** Given if pages are selected one by one. */
  choice?: { chosen: ReadonlySet<string>; onChange: (chosen: Set<string>) => void } | undefined;
}

/** The results of exploring a website. */
export function FoundPages({ look, isWanted, choice }: FoundPagesProps) {
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const wanted = look.links.filter(({ url }) => isWanted(url));
  const found = wanted.filter((link) => matches(link, search));
  return (
    <section className={style['found']} aria-label={t('knowledge.foundPages')}>
      <p role="status">
        <strong>{sizeOf(look)}</strong>{' '}
        {wanted.length < look.links.length && t('knowledge.wanted#', { count: wanted.length })}
      </p>
      <SearchInput label={t('knowledge.searchPages')} value={search} onChange={setSearch} />
      {choice && <ChoiceBar found={found} choice={choice} />}
      <ul className={style['pages']} tabIndex={0} aria-label={t('knowledge.foundPages')}>
        {found.slice(0, shown).map((link) => (
          <li key={link.url}>{choice ? <Choice link={link} choice={choice} /> : <PageName link={link} />}</li>
        ))}
        {found.length === 0 && <li>{t('knowledge.noPage')}</li>}
      </ul>
      <ShowMore isMore={found.length > shown} onMore={() => setShown(shown + SHOWN_AT_ONCE)} />
      {look.pages > look.links.length && (
        <p className={style['soft']}>
          {t('knowledge.notListed', { number: formatNumber(look.links.length) })}
        </p>
      )}
    </section>
  );
}

type ChoiceProps = NonNullable<FoundPagesProps['choice']>;

function ChoiceBar({ found, choice }: { found: readonly WebsiteLink[]; choice: ChoiceProps }) {
  const { chosen, onChange } = choice;
  const count = { count: chosen.size, number: formatNumber(chosen.size), most: KNOWLEDGE_LINKS_MAX };
  return (
    <>
      <Group gap="xs">
        <PlainButton onClick={() => onChange(new Set([...chosen, ...found.map(({ url }) => url)]))}>
          {t('knowledge.chooseFound#', { count: found.length, number: formatNumber(found.length) })}
        </PlainButton>
        <PlainButton disabled={chosen.size === 0} onClick={() => onChange(new Set())}>
          {t('knowledge.chooseNone')}
        </PlainButton>
        <span className={style['soft']} role="status">
          {t('knowledge.chosen', count)}
        </span>
      </Group>
      {chosen.size > KNOWLEDGE_LINKS_MAX && (
        <Callout tone="bad">{t('knowledge.tooManyPages', { most: KNOWLEDGE_LINKS_MAX })}</Callout>
      )}
    </>
  );
}

function Choice({ link, choice: { chosen, onChange } }: { link: WebsiteLink; choice: ChoiceProps }) {
  const toggle = (on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(link.url);
    else next.delete(link.url);
    onChange(next);
  };
  return (
    <Checkbox
      label={<PageName link={link} />}
      checked={chosen.has(link.url)}
      onChange={(event) => toggle(event.currentTarget.checked)}
    />
  );
}

function PageName({ link: { title, url } }: { link: WebsiteLink }) {
  return (
    <>
      {title && <span className={style['title']}>{title}</span>}
      <span className={style['url']}>{url}</span>
    </>
  );
}

/** `About 214 pages, 1.9 MB of text.` */
function sizeOf({ pages, estimatedBytes, isComplete }: WebsiteLook): string {
  const size = { count: pages, number: formatNumber(pages), size: formatBytes(estimatedBytes) };
  return isComplete ? t('knowledge.about#', size) : t('knowledge.atLeast#', size);
}

function matches({ title, url }: WebsiteLink, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [title, url].some((text) => text?.toLowerCase().includes(wanted));
}
