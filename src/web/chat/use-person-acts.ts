import { useParts } from './conversation-context.ts';

/** From the agent to a person and back. */
export function usePersonActs() {
  const { transport, chat } = useParts();
  const { dispatch, failed } = chat;
  const askPerson = async (): Promise<void> => {
    try {
      const asked = await transport.person?.ask();
      if (asked) dispatch({ type: 'handling', ...asked });
    } catch (error) {
      failed(error);
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
