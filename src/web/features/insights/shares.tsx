import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Insight } from '../../../contract/insight.ts';
import { t } from '../../messages/t.ts';
import { BarList } from './bar-list.tsx';
import './messages.ts';

const languages = new Intl.DisplayNames(undefined, { type: 'language' });
const regions = new Intl.DisplayNames(undefined, { type: 'region' });

interface ShareProps {
  insight: Pick<Insight, 'channels' | 'countries'>;
}

export function Channels({ insight }: ShareProps) {
  const rows = insight.channels.map(({ channel, conversations }) => ({
    key: channel,
    name: t(`insights.channel.${channel}`),
    count: conversations,
  }));
  return <BarList title={t('insights.channels')} none={t('insights.noConversations')} rows={rows} />;
}

export function Countries({ insight }: ShareProps) {
  const rows = insight.countries.map(({ country, conversations }) => ({
    key: country ?? '',
    name: country === null ? t('insights.unknownCountry') : (regions.of(country) ?? country),
    count: conversations,
  }));
  return (
    <BarList
      title={t('insights.countries')}
      lead={t('insights.countriesLead')}
      none={t('insights.noConversations')}
      rows={rows}
    />
  );
}

interface LanguagesProps {
  insight: Pick<Insight, 'languages'>;
  /** Links to the conversations in a language; without it there is nothing to link to. */
  linkOf?: (code: string, name: string) => ReactNode;
}

export function Languages({ insight, linkOf = (_, name) => name }: LanguagesProps) {
  const rows = insight.languages.map(({ language: code, conversations }) => ({
    key: code ?? '',
    name: code === null ? t('insights.unknownLanguage') : linkOf(code, languages.of(code) ?? code),
    count: conversations,
  }));
  return (
    <BarList
      title={t('insights.languages')}
      lead={t('insights.languagesLead')}
      none={t('insights.noConversations')}
      rows={rows}
    />
  );
}

interface SourcesProps {
  orgId: string;
  agentId: string;
  sources: Insight['sources'];
}

export function Sources({ orgId, agentId, sources }: SourcesProps) {
  const rows = sources.map(({ knowledgeId, title, answers }) => ({
    key: knowledgeId,
    name: (
      <Link
        to="/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId"
        params={{ orgId, agentId, knowledgeId }}
      >
        {title}
      </Link>
    ),
    count: answers,
  }));
  return (
    <BarList
      title={t('insights.sources')}
      lead={t('insights.sourcesLead')}
      none={t('insights.noSources')}
      rows={rows}
    />
  );
}
