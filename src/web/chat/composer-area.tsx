import { Suspense, useState, type RefObject } from 'react';
import { Composer } from './composer.tsx';
import { useParts } from './conversation-context.ts';
import { isWithPerson } from './shown-messages.ts';
import { lazily } from '../ui/later.ts';
import type { RoomSwitchProps } from './room-switch.tsx';
import { t } from './text.ts';
import type { Files } from './use-files.ts';

const RoomSwitch = lazily<RoomSwitchProps>(async () => (await import('./room-switch.tsx')).RoomSwitch);

interface ComposerAreaProps {
  files: Files;
  field: RefObject<HTMLTextAreaElement | null>;
  draftKey: string | undefined;
  autoFocus: boolean;
}

/** The writing area. In a room a message goes to everyone or to the host, and nobody waits for others' answers. */
export function ComposerArea(props: ComposerAreaProps) {
  const { agent, chat, transport, setEditing } = useParts();
  const [isChosen, setIsChosen] = useState(false);
  // Files are for the host to read.
  const toHost = isChosen || props.files.files.length > 0;
  const isRoom = transport.say !== undefined;
  const isTalk = isRoom && !toHost;
  const isIdle = chat.activity === 'idle';
  const editLast = () => {
    const own = chat.messages.findLast(({ role, id }) => role === 'user' && id !== null);
    if (own && transport.again && !isRoom && isIdle) setEditing(own.key);
  };
  return (
    <>
      {isRoom && (
        <Suspense>
          <RoomSwitch host={agent.name} toHost={toHost} onChange={setIsChosen} />
        </Suspense>
      )}
      <Composer
        {...props}
        agent={agent}
        transport={transport}
        refused={chat.refused?.message}
        answering={!isIdle && !isTalk}
        disabled={chat.loading !== 'ready'}
        starting={chat.loading === 'loading' || chat.activity === 'attaching'}
        placeholder={placeholderFor(isTalk, isWithPerson(chat.handling))}
        onSend={(message) => void (isTalk ? chat.say(message) : chat.send(message))}
        onStop={() => void chat.stop()}
        onEditLast={editLast}
      />
    </>
  );
}

/** Unset: the agent is asked. */
function placeholderFor(isTalk: boolean, isForPerson: boolean): string | undefined {
  if (isTalk) return t('chat.sayToAll');
  return isForPerson ? t('chat.messageToPerson') : undefined;
}
