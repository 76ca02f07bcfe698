import { IconPencil } from '@tabler/icons-react';
import { BranchPager } from './branch-pager.tsx';
import { useParts } from './conversation-context.ts';
import style from './conversation.module.css';
import { CopyButton } from './copy-button.tsx';
import { IconButton } from './icon-button.tsx';
import { t } from './answer-text.ts';
import { isWithPerson } from './shown-messages.ts';
import { Toolbar } from './toolbar.tsx';
import type { ShownMessage } from './types.ts';

/** The actions for one of the reader's own messages. */
export function QuestionActions({ message }: { message: ShownMessage }) {
  const { chat, transport, setEditing } = useParts();
  const canEdit =
    transport.again && message.id !== null && chat.activity === 'idle' && !isWithPerson(chat.handling);
  return (
    <Toolbar label={t('chat.actions')} className={style['actions']}>
      <BranchPager message={message} />
      <CopyButton text={message.text} label={t('chat.copy')} />
      {canEdit && (
        <IconButton icon={IconPencil} label={t('chat.edit')} onClick={() => setEditing(message.key)} />
      )}
    </Toolbar>
  );
}
