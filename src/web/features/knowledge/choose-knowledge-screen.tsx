import { IconAlignLeft, IconFileUpload, IconMessageQuestion, IconTag, IconWorld } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { choiceClass, Choices } from '../../ui/choices.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const choices = [
  {
    to: '/platform/{-$orgId}/agent/$agentId/knowledge/create/website',
    icon: IconWorld,
    title: 'knowledge.addWebsite',
    text: 'knowledge.addWebsiteText',
  },
  {
    to: '/platform/{-$orgId}/agent/$agentId/knowledge/create/file',
    icon: IconFileUpload,
    title: 'knowledge.addFiles',
    text: 'knowledge.addFilesText',
  },
  {
    to: '/platform/{-$orgId}/agent/$agentId/knowledge/create/text',
    icon: IconAlignLeft,
    title: 'knowledge.addText',
    text: 'knowledge.addTextText',
  },
  {
    to: '/platform/{-$orgId}/agent/$agentId/knowledge/create/qa',
    icon: IconMessageQuestion,
    title: 'knowledge.addPair',
    text: 'knowledge.addPairText',
  },
  {
    to: '/platform/{-$orgId}/agent/$agentId/knowledge/create/product',
    icon: IconTag,
    title: 'knowledge.addProducts',
    text: 'knowledge.addProductsText',
  },
] as const;

export function ChooseKnowledgeScreen() {
  const orgId = useOrgId();
  const agentId = useAgentId();
  return (
    <>
      <PageHeader title={t('knowledge.add')} lead={t('knowledge.addLead')} />
      <Choices>
        {choices.map(({ to, icon: Icon, title, text }) => (
          <li key={to}>
            <Link to={to} params={{ orgId, agentId }} className={choiceClass}>
              <Icon size="1.5em" aria-hidden />
              <strong>{t(title)}</strong>
              {t(text)}
            </Link>
          </li>
        ))}
      </Choices>
    </>
  );
}
