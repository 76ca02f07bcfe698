import { startRunDatabase } from '../run-database.ts';

/** Journeys run in their own processes, which get these variables: see `Server`. */
export default async function setup(): Promise<() => Promise<void>> {
  const { url, template, stop } = await startRunDatabase();
  process.env['DATABASE_URL'] = url;
  process.env['TEMPLATE_DATABASE'] = template;
  return stop;
}
