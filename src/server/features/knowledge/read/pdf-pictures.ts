import type { getDocumentProxy } from 'unpdf';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Pictures are passed over, however small: unpacking one can take seconds, and there is no text in it. */
export const WITHOUT_PICTURES = { maxImageSize: 0 };
/** The same, but a page's drawing ends at the first picture. */
export const UNTIL_PICTURE = { ...WITHOUT_PICTURES, stopAtErrors: true };

/**
 * Whether a page draws a picture: then the document that passes over pictures draws more of it than the one that stops
 * at them. A page that cannot be drawn draws none.
 */
export async function hasPicture(passing: Pdf, stopping: Pdf, number: number): Promise<boolean> {
  const [more, less] = await Promise.all([stepsOf(passing, number), stepsOf(stopping, number)]);
  return more > less;
}

async function stepsOf(pdf: Pdf, number: number): Promise<number> {
  const page = await pdf.getPage(number);
  const { fnArray } = await page.getOperatorList();
  page.cleanup();
  return fnArray.length;
}
