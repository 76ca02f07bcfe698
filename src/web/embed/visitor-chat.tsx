import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { PublicAgent } from '../../contract/chatbot.ts';
import { ApiError } from '../../contract/client.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { Conversation, type ConversationHandle } from '../chat/conversation.tsx';
import { Bare } from './bare.tsx';
import style from './embed.module.css';
import { FrameHead } from './frame-head.tsx';
import type { Outbox } from './outbox.ts';
import type { Panel } from './panel.ts';
import { hearLoader, tellLoader, type Place } from './place.ts';
import { Refusal } from './refusal.tsx';
import { t } from './text.ts';
import { useStore } from '../store.ts';
import { whenOnline } from '../ui/when-online.ts';
import { isSpeaker } from '../widget/protocol.ts';
import { connectVisitor, createVisitorTransport, type VisitorClient } from './transport.ts';
import { codeOf, type Visits } from './visits.ts';

const Earlier = lazy(() => whenOnline(() => import('./earlier.tsx')).then((m) => ({ default: m.Earlier })));
const YourData = lazy(() =>
  whenOnline(() => import('./your-data.tsx')).then((m) => ({ default: m.YourData })),
);

interface VisitorChatProps {
  place: Place;
  panel: Panel;
  visits: Visits;
  outbox: Outbox;
  visitorId: string;
  agent: PublicAgent;
}

/** The open conversation: the visitor's last one, or a new one for null. */
interface Opened {
  conversationId: string | null;
  /** They chose this one, or a new one. */
  isChosen: boolean;
  /** Counts new ones, so that each starts empty. */
  number: number;
}

/** A visitor's chat: returns to their last conversation, and can start another. */
export function VisitorChat({ place, visits, agent, ...rest }: VisitorChatProps) {
  const { site } = place;
  const client = useMemo(() => connectVisitor(visits), [visits]);
  const { opened, fault, hasBegun, hasEarlier, openLast, show, begun } = useOpened(client, visits);
  const waiting = useStore(rest.outbox.waiting);
  const [aside, setAside] = useState<'data' | 'earlier' | null>(null);
  const showAlone = (conversationId: string | null) => {
    setAside(null);
    show(conversationId);
  };
  // A visitor who has had everything erased returns to the chat as somebody new.
  const [isErased, setIsErased] = useState(false);
  const back = () => {
    setAside(null);
    if (isErased) visits.enter();
  };
  const toggle = (which: 'data' | 'earlier') => () => setAside((now) => (now === which ? null : which));
  // Without a message the last conversation would seem to be gone.
  if (fault)
    return (
      <Bare site={site}>
        <Refusal code={fault} waiting={waiting} onRetry={openLast} />
      </Bare>
    );
  return (
    <main className={style['frame']}>
      <FrameHead
        site={site}
        agent={agent}
        onNew={hasBegun && !isErased ? () => showAlone(null) : undefined}
        onEarlier={hasEarlier && !isErased ? toggle('earlier') : undefined}
        onData={isErased ? () => setAside('data') : toggle('data')}
      />
      <Suspense>
        {aside === 'earlier' && <Earlier client={client} onChoose={showAlone} onBack={back} />}
        {aside === 'data' && <YourData visits={visits} onErased={() => setIsErased(true)} onBack={back} />}
      </Suspense>
      {opened && !isErased && (
        <OpenedChat key={opened.number} {...{ site, client, agent, ...opened, ...rest }} onBegun={begun} />
      )}
      {(isErased ? aside === null : !opened) && (
        <p className={style['centre']} role="status">
          {t('embed.loading')}
        </p>
      )}
    </main>
  );
}

/** The open conversation: first the visitor's last one, then any they choose. */
function useOpened(client: VisitorClient, visits: Visits) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [hasBegun, setHasBegun] = useState(false);
  const [hasEarlier, setHasEarlier] = useState(false);
  const [fault, setFault] = useState<ErrorCode | null>(null);
  const openLast = useCallback(() => {
    void lastConversation(client).then(
      (conversationId) => {
        if (conversationId !== null) visits.begun();
        setFault(null);
        setHasBegun(conversationId !== null);
        setHasEarlier(conversationId !== null);
        setOpened({ conversationId, isChosen: false, number: 0 });
      },
      (error: unknown) => setFault(codeOf(error)),
    );
  }, [client, visits]);
  useEffect(openLast, [openLast]);
  const show = (conversationId: string | null) => {
    setOpened((before) => ({ conversationId, isChosen: true, number: (before?.number ?? 0) + 1 }));
    setHasBegun(conversationId !== null);
  };
  const begun = () => {
    visits.begun();
    setHasBegun(true);
    setHasEarlier(true);
  };
  return { opened, fault, hasBegun, hasEarlier, openLast, show, begun };
}

interface OpenedChatProps {
  site: string | null;
  panel: Panel;
  client: VisitorClient;
  outbox: Outbox;
  visitorId: string;
  agent: PublicAgent;
  conversationId: string | null;
  isChosen: boolean;
  onBegun: () => void;
}

function OpenedChat(props: OpenedChatProps) {
  const { site, panel, client, outbox, visitorId, agent, conversationId, isChosen, onBegun } = props;
  const handle = useRef<ConversationHandle>(null);
  const [begunId, setBegunId] = useState(conversationId);
  const [transport] = useState(() =>
    createVisitorTransport({
      client,
      agentId: agent.id,
      visitorId,
      conversationId,
      isChosen,
      canAskPerson: agent.offersPerson,
      panel,
      onBegun(id) {
        setBegunId(id);
        onBegun();
      },
      onSaid({ role, text }) {
        if (isSpeaker(role)) tellLoader(site, { type: 'said', role, text });
      },
    }),
  );
  useEffect(() => outbox.deliverTo(() => handle.current), [outbox]);
  useEffect(() => {
    focusComposer();
    return hearLoader(site, ({ type }) => type === 'shown' && focusComposer());
  }, [site]);
  return <Conversation {...{ agent, transport, describeError, handle }} draftKey={begunId ?? visitorId} />;
}

function focusComposer(): void {
  document.querySelector('textarea')?.focus();
}

async function lastConversation({ chat }: VisitorClient): Promise<string | null> {
  const { conversations } = await chat.list({ count: 10, begun: 'true' });
  const [last] = conversations.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  return last?.id ?? null;
}

function describeError(error: unknown): string {
  return error instanceof ApiError ? error.message : t('embed.failed');
}
