import { IconMenu2 } from '@tabler/icons-react';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { isId } from '../../../contract/id-format.ts';
import { isConversationId, isLinkToken } from '../../routing/chat-address.ts';
import { t } from '../../messages/t.ts';
import { PersonMenu } from '../../session/person-menu.tsx';
import { Logo } from '../../ui/logo.tsx';
import { useOver } from '../../routing/use-over.ts';
import style from './chat.module.css';
import { ConversationList } from './conversation-list.tsx';
import { KeepConversations } from './keep-conversations.tsx';
import { NoConversation } from './no-conversation.tsx';
import { later } from '../../ui/later.ts';

// Loaded separately, so that the list appears sooner.
const NewConversation = later(async () => (await import('./new-conversation.tsx')).NewConversation);
const OpenConversation = later(async () => (await import('./open-conversation.tsx')).OpenConversation);
const JoinRoom = later(async () => (await import('./join-room.tsx')).JoinRoom);
const TryVersion = later(async () => (await import('./try-version.tsx')).TryVersion);
const SharedConversation = later(async () => (await import('./shared-conversation.tsx')).SharedConversation);

/** The person's conversations at the side, and what the address asks for. */
export function ChatScreen() {
  const { id } = useParams({ from: '/chat/{-$id}' });
  // On phones the list is the page until something is opened, then a sheet over that.
  const { opened: listed, open, close } = useOver('list');
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (listed) side.current?.querySelector('a')?.focus();
  }, [listed]);
  return (
    <div className={style['screen']} data-chosen={id !== undefined}>
      <div
        ref={side}
        className={style['side']}
        data-listed={listed}
        onKeyDown={({ key, target }) => {
          // In a field, Escape belongs to the field.
          if (key === 'Escape' && !(target instanceof HTMLInputElement)) close();
        }}
      >
        <header className={style['brand']}>
          <Link to="/" aria-label={t('product.name')}>
            <Logo />
          </Link>
        </header>
        <ConversationList openId={id} />
        <KeepConversations />
        <div className={style['person']}>
          <PersonMenu />
        </div>
      </div>
      {listed && (
        <button type="button" className={style['scrim']} aria-label={t('ui.close')} onClick={close} />
      )}
      <section className={style['pane']} data-prints>
        <button type="button" className={style['opener']} aria-label={t('nav.conversations')} onClick={open}>
          <IconMenu2 size="1.5em" aria-hidden />
        </button>
        <Suspense>
          <Asked id={id} />
        </Suspense>
      </section>
    </div>
  );
}

/**
 * Nothing yet, a link, a conversation, or an agent to start one with. A conversation that has just begun keeps its
 * place on the page when the address changes to its ID, so that its answer continues; after leaving, it is opened by ID
 * like any other.
 */
function Asked({ id }: { id: string | undefined }) {
  const { join, message, version } = useSearch({ from: '/chat/{-$id}' });
  const [place, setPlace] = useState({ id, with: id, number: 0 });
  const [begunId, setBegunId] = useState<string | null>(null);
  if (place.id !== id) {
    const isBegunHere = id !== undefined && id === begunId;
    setPlace(isBegunHere ? { ...place, id } : { id, with: id, number: place.number + 1 });
    setBegunId(null);
  }
  const asked = place.with;
  if (asked === undefined) return <NoConversation />;
  if (isLinkToken(asked)) return join ? <JoinRoom token={asked} /> : <SharedConversation token={asked} />;
  if (isConversationId(asked)) return <OpenConversation key={`${asked} ${message}`} id={asked} />;
  if (version !== undefined && isId('agent', asked))
    return <TryVersion key={version} agentId={asked} version={version} />;
  return <NewConversation key={place.number} idOrHandle={asked} onBegun={setBegunId} />;
}
