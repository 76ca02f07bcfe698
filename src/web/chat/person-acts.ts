import type { ConversationAction } from './conversation-state.ts';
import type { ChatTransport } from './types.ts';

interface PersonSetup {
  transport: ChatTransport;
  dispatch: (action: ConversationAction) => void;
  refused: (error: unknown) => void;
}

/** From the agent to a person and back. */
export function personActs({ transport, dispatch, refused }: PersonSetup) {
  /** What is told where nobody is there now; null: somebody is, or it was refused. */
  const askPerson = async (): Promise<string | null> => {
    try {
      const asked = await transport.person?.ask();
      if (asked) dispatch({ type: 'handling', handling: asked.handling });
      return asked?.notice ?? null;
    } catch (error) {
      refused(error);
      return null;
    }
  };
  const leavePerson = async (): Promise<void> => {
    try {
      const handling = await transport.person?.goOn();
      if (handling) dispatch({ type: 'handling', handling });
    } catch (error) {
      refused(error);
    }
  };
  return { askPerson, leavePerson };
}
