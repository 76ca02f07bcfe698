import { IconBook } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../messages/t.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { GuideText } from './guide-text.tsx';
import { findGuides, guides } from './guides.ts';
import style from './learn.module.css';

/** The guides, and the one being read: the one with this name, or the first. */
export function LearnScreen({ name = guides[0]?.name }: { name: string | undefined }) {
  const [query, setQuery] = useState('');
  const found = findGuides(query);
  return (
    <>
      <PageHeader title={t('app.learn')} lead={t('learn.lead')} />
      <div className={style['frame']}>
        <nav className={style['side']} aria-label={t('learn.guides')}>
          <SearchInput label={t('learn.search')} value={query} onChange={setQuery} />
          {found.length === 0 && (
            <p className={style['none']} role="status">
              {t('learn.nothingFound', { query })}
            </p>
          )}
          <ul className={style['list']}>
            {found.map((guide) => (
              <li key={guide.name}>
                <Link
                  to="/app/learn"
                  search={{ guide: guide.name }}
                  className={style['entry']}
                  aria-current={guide.name === name ? 'page' : undefined}
                >
                  <IconBook size="1.15em" aria-hidden />
                  {guide.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <GuideText key={name} guide={guides.find((guide) => guide.name === name)} />
      </div>
    </>
  );
}
