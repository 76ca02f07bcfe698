import { useParts } from './conversation-context.ts';

/** From the agent to a person and back. */
export function usePersonActs() {
  const { transport, chat } = useParts();
  const { dispatch, failed } = chat;
  /** The notice if nobody is available now; null: somebody is, or the request was refused. */
  const askPerson = async (): Promise<string | null> => {
    try {
      const asked = await transport.person?.ask();
      if (asked) dispatch({ type: 'handling', handling: asked.handling });
      return asked?.notice ?? null;
    } catch (error) {
      failed(error);
      return null;
    }
  };
  const leavePerson = async (): Promise<void> => {
    try {
      const handling = await transport.person?.goOn();
      if (handling) dispatch({ type: 'handling', handling });
    } catch (error) {
      failed(error);
    }
  };
  return { askPerson, leavePerson };
}
