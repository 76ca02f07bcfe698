import { citedIn } from './cited.ts';
import { useParts, type Beside } from './conversation-context.ts';
import { useBack } from '../ui/use-back.ts';
import { PassagePanel } from './passage-panel.tsx';
import { ReceiptPanel } from './receipt-panel.tsx';

export interface SideProps {
  beside: Beside;
  onOpen: (beside: Beside) => void;
  onClose: () => void;
}

/** The panel beside the messages; Back closes it. */
export function Side({ beside, onOpen, onClose }: SideProps) {
  const { chat, renderSourceLink } = useParts();
  useBack(true, onClose, true);
  const message = chat.messages.find(({ key }) => key === beside.key);
  if (!message) return null;
  if (beside.type === 'receipt') {
    if (message.id === null) return null;
    return <ReceiptPanel key={message.id} messageId={message.id} state={message.state} onClose={onClose} />;
  }
  return (
    <PassagePanel
      answer={message.text}
      citations={citedIn(message.text, message.citations)}
      number={beside.number}
      renderSourceLink={renderSourceLink}
      onChoose={(number) => onOpen({ type: 'passages', key: beside.key, number })}
      onClose={onClose}
    />
  );
}
