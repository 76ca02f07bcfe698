/** Tells who builds the site why the chat is not there; its visitors read it in the panel. */
export function report(text: string): void {
  console.error(`Parley: ${text}`);
}
