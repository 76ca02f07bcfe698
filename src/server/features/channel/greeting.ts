interface Greeter {
  name: string;
  welcomeMessage: string;
  conversationStarters: string[];
}

/** What a person sends by opening a chat with a bot: the service's own command, not a question. */
export function isGreeting(text: string): boolean {
  return /^\/(start|help)(@\w+)?(\s|$)/i.test(text);
}

/** The agent's own welcome, with suggested questions. */
export function greetingOf({ name, welcomeMessage, conversationStarters }: Greeter): string {
  const welcome = welcomeMessage.trim() || `Hello, I am ${name}. What would you like to know?`;
  return [welcome, conversationStarters.map((starter) => `- ${starter}`).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}
