import { Link } from '@tanstack/react-router';
import type { Citation } from '../../../contract/chat.ts';
import { Markdown } from '../../chat/markdown/markdown.tsx';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Modal } from '../../ui/modal.tsx';
import style from './inbox.module.css';

interface PassageDialogProps {
  agentId: string;
  citation: Citation;
  onClose: () => void;
}

/** The passage a citation refers to, with a link to it in the knowledge. */
export function PassageDialog({ agentId, citation, onClose }: PassageDialogProps) {
  const { knowledgeId, sourceId, offset, title, headingPath, text } = citation;
  const place = headingPath.filter((heading) => heading !== title).join(' › ');
  const orgId = useOrgId();
  return (
    <Modal opened title={title} onClose={onClose}>
      {place && <p className={style['faint']}>{place}</p>}
      <blockquote className={style['passage']} tabIndex={0}>
        <Markdown text={text} />
      </blockquote>
      <Link
        to="/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId"
        params={{ orgId, agentId, knowledgeId }}
        search={{ source: sourceId, ...(offset === null ? {} : { at: offset, length: text.length }) }}
      >
        {t('inbox.openSource')}
      </Link>
    </Modal>
  );
}
