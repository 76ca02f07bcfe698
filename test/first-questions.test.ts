import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { seedDemo } from '../src/server/seed/seed.ts';
import { startProduct, type Product, type TestClient } from './product.ts';

/** What newcomers ask the demo agent, which has no model and quotes the guides: each answer must contain what was asked for. */
const questions: [question: string, answer: RegExp][] = [
  // Offered on the front page.
  ['How do I start Parley?', /`npm start`/],
  ['Which files can an agent read?', /PDF, DOCX, PPTX/],
  ['How do I back up?', /`npx parley backup/],
  ['Where is the data stored?', /`DATA_DIR`/],
  ['Can I use my own OpenAI key?', /key of OpenAI|`OPENAI_API_KEY`|`\*_MODEL`/],
  ['How do I use it with Ollama?', /`COMPATIBLE_BASE_URL`/],
  ['can i use it offline', /offline/],
  ['How do I put the chat on my website?', /widget\.js/],
  ['How do I connect Slack?', /api\.slack\.com[\s\S]*signing secret/],
  ['How do I invite a colleague?', /Invite members/],
  ['What roles are there?', /owner[\s\S]*admin[\s\S]*editor[\s\S]*viewer/],
  ['What are credits?', /one credit/],
  ['What is a tool?', /something that an agent can call/],
  ['Can visitors talk to a human?', /handed over to your team/],
  ['How do I call the API?', /\/openapi\.json/],
  ['How do I upgrade to a new version?', /backup by itself/],
  ['How do I set up Google sign-in?', /OAuth client/],
  ['How are answers rated?', /thumbs/],
  ['What happens when it does not know the answer?', /fallback message/],
];

let product: Product;
let guest: TestClient;
let agentId: string;

beforeAll(async () => {
  product = await startProduct();
  const seeded = await seedDemo(product.app.deps, { force: true });
  await seeded?.guides;
  agentId = seeded?.demo.agentId ?? '';
  const { owner } = product.app.deps.db;
  await vi.waitUntil(async () => {
    const { rows } = await owner.query<{ left: number }>(
      `select count(*)::int as left from knowledge where agent_id = $1 and state <> 'ready'`,
      [agentId],
    );
    return rows[0]?.left === 0;
  }, 60_000);
  guest = product.as('grace', 'guest');
});
afterAll(() => product.close());

test.each(questions)('%s', async (question, expected) => {
  const { id } = (await guest.chat.create({ chatbotId: agentId })).conversation;
  const { answer } = await guest.chat.send({ id, text: question });
  expect(answer?.text).toMatch(expected);
  // A link between guides leads nowhere from a conversation.
  expect(answer?.text).not.toMatch(/\]\((?!https?:)/);
});

/** With greetings, mistakes and words that only ask, as people really write. */
const casual: [question: string, answer: RegExp][] = [
  ['Hi, could you please tell me how I can back up?', /`npx parley backup/],
  ['I would like to know which files an agent can read', /PDF, DOCX, PPTX/],
  ['whats a credit', /one credit/],
  ['How do I conect Slack?', /signing secret/],
  ['Is it possible to invite a colleague? Thanks!', /Invite members/],
];

test.each(casual)('%s', async (question, expected) => {
  const visitor = product.as('alan', 'guest');
  const { id } = (await visitor.chat.create({ chatbotId: agentId })).conversation;
  const { answer } = await visitor.chat.send({ id, text: question });
  expect(answer?.text).toMatch(expected);
});

/** Conversations: a short question may continue the previous one, or be about something else. */
const conversations: [question: string, answer: RegExp][][] = [
  [
    ['How do I connect Slack?', /signing secret/],
    ['How do I back up?', /`npx parley backup/],
    ['And Telegram?', /BotFather/],
  ],
  [
    ['How do I start Parley?', /`npm start`/],
    ['Which port?', /`PORT`/],
    ['How do I stop it?', /SIGTERM/],
  ],
];

test.each(conversations)('%s, and follow-up questions', async (...asked) => {
  const visitor = product.as(asked[0]?.[0] ?? '', 'guest');
  const { id } = (await visitor.chat.create({ chatbotId: agentId })).conversation;
  for (const [question, expected] of asked) {
    const { answer } = await visitor.chat.send({ id, text: question });
    expect(answer?.text).toMatch(expected);
    // A short heading on its own, such as "Slack" or "Instructions", would say little.
    for (const suggestion of answer?.suggestions ?? []) expect(suggestion).toMatch(/.{20}|: |\?$/u);
  }
});

test('a question outside the guides is not answered', async () => {
  const { id } = (await guest.chat.create({ chatbotId: agentId })).conversation;
  const { answer } = await guest.chat.send({ id, text: 'Who won the football championship in 1954?' });
  expect(answer?.text).toBe('Parley’s guides have no answer to this.');
});
