/** Tells the site's developers why the chat is missing; visitors read it in the panel. */
export function report(text: string): void {
  console.error(`Parley: ${text}`);
}
