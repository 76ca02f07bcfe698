import { Button, Menu, SegmentedControl, Textarea } from '@mantine/core';
import { IconMessage2 } from '@tabler/icons-react';
import { useEffect, useState, type FormEvent, type KeyboardEvent, type Ref } from 'react';
import type { InboxConversation } from '../../../contract/inbox.ts';
import { MESSAGE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { below } from '../../below.ts';
import { keepDraft, readDraft } from '../../chat/drafts.ts';
import { t } from '../../messages/t.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import style from './inbox.module.css';
import { useCanned, useInboxActs } from './use-inbox.ts';
import { noteWriting } from './use-presence.ts';

type Kind = 'reply' | 'note';

interface ReplyFormProps {
  orgId: string;
  conversation: InboxConversation;
  /** Where it is written. */
  field: Ref<HTMLTextAreaElement>;
}

/** A reply to the end user, or a note for other members. */
export function ReplyForm({ orgId, conversation, field }: ReplyFormProps) {
  const words = useBoth(orgId, conversation.id);
  const [kind, setKind] = useState<Kind>(
    words.reply.text === '' && words.note.text !== '' ? 'note' : 'reply',
  );
  const { text, setText, isPending, send } = words[kind];
  const isBlank = text.trim() === '';
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    noteWriting(false);
    if (!isBlank && !isPending) send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form className={style['reply']} onSubmit={submit}>
      <Kinds orgId={orgId} kind={kind} onKind={setKind} onChoose={(answer) => setText(below(text, answer))} />
      <Textarea
        ref={field}
        autosize
        minRows={2}
        maxRows={8}
        aria-label={t(kind === 'reply' ? 'inbox.reply' : 'inbox.note')}
        placeholder={t(kind === 'reply' ? 'inbox.replyTo' : 'inbox.noteFor', {
          name: conversation.endUser.name,
        })}
        maxLength={MESSAGE_MAX_CHARACTERS}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          noteWriting(value.trim() !== '');
        }}
        onKeyDown={onKeyDown}
      />
      <div className={style['send']}>
        <span className={style['faint']}>
          {kind === 'reply' ? <ReplyHint {...conversation} /> : t('inbox.noteHint')}
        </span>
        <Button type="submit" disabled={isBlank} loading={isPending}>
          {t(kind === 'reply' ? 'inbox.send' : 'inbox.keep')}
        </Button>
      </div>
    </form>
  );
}

/** Only the assignee replies in the conversation. */
function ReplyHint({ assignee }: InboxConversation) {
  const { user } = useStore(sessionState);
  const isElse = assignee !== null && assignee.id !== user?.uid;
  return isElse ? t('inbox.replyElse', { name: assignee.name }) : t('inbox.replyHint');
}

/** Separate drafts: text for members only never appears in the reply to the end user. */
function useBoth(orgId: string, id: string) {
  const { write, note } = useInboxActs(orgId, id);
  return { reply: useWords(`inbox.${id}`, write), note: useWords(`inbox.${id}.note`, note) };
}

type Sending = ReturnType<typeof useInboxActs>['write'];

/** A conversation's draft: it survives a reload, and switching to another conversation and back. */
function useWords(place: string, { isPending, mutateAsync }: Sending) {
  const [text, setText] = useState(() => readDraft(place));
  useEffect(() => keepDraft(place, text), [place, text]);
  const send = () => {
    setText('');
    // Text that could not be sent is restored, before anything written meanwhile.
    mutateAsync(text.trim()).catch(() => {
      keepDraft(place, below(text, readDraft(place)));
      setText((since) => below(text, since));
    });
  };
  return { text, setText, isPending, send };
}

interface KindsProps {
  orgId: string;
  kind: Kind;
  onKind: (kind: Kind) => void;
  /** Called with the text of a canned answer. */
  onChoose: (text: string) => void;
}

function Kinds({ orgId, kind, onKind, onChoose }: KindsProps) {
  const { data: canned = [] } = useCanned(orgId);
  return (
    <div className={style['kinds']}>
      <SegmentedControl
        size="xs"
        aria-label={t('inbox.kind')}
        value={kind}
        onChange={onKind}
        data={[
          { value: 'reply', label: t('inbox.reply') },
          { value: 'note', label: t('inbox.note') },
        ]}
      />
      {kind === 'reply' && canned.length > 0 && (
        <Menu position="top-start">
          <Menu.Target>
            <Button variant="subtle" size="xs" leftSection={<IconMessage2 size="1.15em" aria-hidden />}>
              {t('inbox.canned')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {canned.map(({ id, title, text }) => (
              <Menu.Item key={id} onClick={() => onChoose(text)}>
                {title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
