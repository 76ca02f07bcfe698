import { startAccountService, type AccountService } from './stand-ins/account-service.ts';
import { openBrowser, type Browser } from './browser.ts';
import { channelUrls } from './channel-urls.ts';
import { startMailServer } from './stand-ins/mail-server.ts';
import { answer, startOpenApiService, type OpenApiService } from './stand-ins/openapi-service.ts';
import { eventually } from './payments.ts';
import { startProduct, type Product, type TestClient } from './product.ts';
import { startProvider, type Provider, type ProviderRequest } from './stand-ins/provider.ts';
import { buy, connectAccount, monthly, sell } from './selling.ts';
import { startTelegramService, type TelegramService } from './stand-ins/telegram-service.ts';
import { bearing, visit } from './visit.ts';
import { startVoiceProvider } from './stand-ins/voice-provider.ts';
import { startWebhookReceiver } from './stand-ins/webhook-receiver.ts';

/** Part of everything the person is called, writes, uploads and fills in, and of nothing else. */
export const CANARY = 'zorbanax';
export const EMAIL = `${CANARY}@people.example`;

export interface KnownWorld {
  product: Product;
  logged: string[];
  owner: TestClient;
  organizationId: string;
  agentId: string;
  telegram: TelegramService;
  accounts: AccountService;
  service: OpenApiService;
  provider: Provider;
  /** A person known here in every possible way. */
  person: { client: TestClient; browser: Browser; userId: string };
  close: () => Promise<void>;
}

/** An installation where one person has done everything a person can do. */
export async function startKnownWorld(): Promise<KnownWorld> {
  const [service, accounts, telegram, receiver, voice, mails] = await Promise.all([
    startOpenApiService(),
    startAccountService(),
    startTelegramService(),
    startWebhookReceiver(),
    startVoiceProvider(),
    startMailServer(),
  ]);
  voice.hears = `${CANARY} was spoken`;
  const provider = await startProvider({ pieces: [], of: echo });
  service.answer = ({ headers }, response) => {
    const person = accounts.personOf(headers['authorization']);
    return person === undefined
      ? answer(response, 401, {})
      : answer(response, 200, { of: person, note: CANARY });
  };
  const logged: string[] = [];
  const product = await startProduct(
    {
      logLevel: 'debug',
      smtpUrl: mails.url,
      ssrfAllowedHosts: [service.host, accounts.host, receiver.host],
      channelUrls: channelUrls({ telegram: telegram.url }),
      transcription: { model: 'whisper-1', apiKey: 'sk-voice', baseUrl: voice.baseUrl },
      providers: { openai: provider.openai },
    },
    { logged },
  );
  const owner = product.as('owner');
  const organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
  const agentId = (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  await owner.chatbot.update({ id: agentId, organizationId, voiceEnabled: true });
  const services = { service, accounts, receiver };
  await furnish(owner, { organizationId, agentId }, { ...services, telegram });
  const world = { product, logged, owner, organizationId, agentId, telegram, accounts, service, provider };
  const person = await knownPerson(world);
  const others = [service, accounts, telegram, receiver, voice, mails, provider];
  return {
    ...world,
    person,
    close: async () => {
      await product.close();
      await Promise.all(others.map((each) => each.close()));
    },
  };
}

/** The model repeats what it was told, and calls what is named. */
function echo({ messages }: ProviderRequest) {
  const last = messages.at(-1);
  const said = typeof last?.content === 'string' ? last.content : JSON.stringify(last?.content ?? '');
  if (last?.role === 'tool') return { pieces: [`It says: ${said}`] };
  if (said.includes('ORDERS')) return { pieces: [], calls: [{ name: 'listOrders', arguments: {} }] };
  if (said.includes('FORM')) return { pieces: [], calls: [{ name: 'collectLead', arguments: {} }] };
  return { pieces: [`You said: ${said}`] };
}

async function furnish(
  owner: TestClient,
  { organizationId, agentId }: { organizationId: string; agentId: string },
  {
    service,
    accounts,
    telegram,
    receiver,
  }: {
    service: OpenApiService;
    accounts: AccountService;
    telegram: TelegramService;
    receiver: { url: string };
  },
): Promise<void> {
  const shop = (await owner.tool.create({ organizationId, agentId, name: 'Shop' })).tool.id;
  await owner.tool.update({
    id: shop,
    schema: { url: `${service.url}/openapi.json` },
    authentication: {
      type: 'authorizationCode',
      authorizationUrl: accounts.authorizationUrl,
      tokenUrl: accounts.tokenUrl,
      clientId: accounts.clientId,
      scope: 'orders',
    },
    secret: accounts.clientSecret,
  });
  await owner.tool.update({ id: shop, operations: [{ id: 'listOrders', enabled: true }] });
  const basics = (await owner.tool.create({ organizationId, agentId, kind: 'builtin' })).tool.id;
  const form = [{ key: 'name', label: 'Your name', kind: 'text' as const, required: true, choices: [] }];
  await owner.tool.update({ id: basics, form, operations: [{ id: 'collectLead', enabled: true }] });
  await owner.plugin.create({
    chatbotId: agentId,
    type: 'telegram',
    settingsData: {},
    credentials: { botToken: telegram.token },
  });
  await owner.plugin.create({
    chatbotId: agentId,
    type: 'webhook',
    settingsData: {
      url: receiver.url,
      events: [
        'conversation.started',
        'answer.completed',
        'feedback.given',
        'lead.collected',
        'handover.requested',
      ],
    },
  });
}

type World = Omit<KnownWorld, 'person' | 'close'>;

async function knownPerson({ product, owner, organizationId, agentId, accounts }: World) {
  const browser = openBrowser(product);
  const { user } = await browser.signIn(EMAIL);
  const { client } = browser;
  await client.user.register({ name: `${CANARY} Quill`, username: `${CANARY}-quill` });
  await browser.refresh();
  await client.user.setLocation({ city: `${CANARY}ville` });
  const id = (await client.chat.create({ chatbotId: agentId, text: `${CANARY} begins` })).conversation.id;
  const note = new File([`${CANARY} in a file`], `${CANARY}.txt`, { type: 'text/plain' });
  const { attachment } = await client.attachment.add({ id, media: note });
  const { answer: made } = await client.chat.send({
    id,
    text: `${CANARY} asks`,
    attachments: [attachment.id],
  });
  await client.answer.rate({ id, messageId: made.id, rating: 'down', comment: `${CANARY} is not amused` });
  await client.chatLink.create({ id, kind: 'read', audience: 'anybody' });
  const form = (await client.chat.send({ id, text: `FORM for ${CANARY}` })).answer;
  await client.chat.submitForm({
    id,
    messageId: form?.id ?? '',
    callId: form?.toolCalls[0]?.id ?? '',
    values: { name: CANARY },
  });
  const orders = (await client.chat.send({ id, text: `ORDERS of ${CANARY}` })).answer;
  const call = { id, messageId: orders?.id ?? '', callId: orders?.toolCalls[0]?.id ?? '' };
  const { url } = await client.chat.connectAccount(call);
  const { state, code } = accounts.agree(url ?? '', CANARY);
  await client.chat.accountConnected({ ...call, state, code });
  await client.handover.ask({ id, reason: `${CANARY} wants a person` });
  await owner.inbox.note({ id, text: `${CANARY} is difficult` });
  await talkElsewhere({ product, owner, agentId, client });
  const shop = (await owner.chatbot.create({ organizationId, name: 'Shop' })).chatbot.id;
  await connectAccount(product, owner, organizationId);
  const offered = await sell(owner, { organizationId, agentId: shop }, monthly(10));
  await buy(product, client, offered.id);
  await owner.member.invite({ organizationId, email: EMAIL, role: 'viewer', teams: [] });
  return { client, browser, userId: user.uid };
}

/** In a voice message, and in a room opened by somebody else. */
async function talkElsewhere({
  product,
  agentId,
  client,
}: Pick<World, 'product' | 'owner' | 'agentId'> & { client: TestClient }): Promise<void> {
  const spoken = (await client.chat.create({ chatbotId: agentId, kind: 'voicemail' })).conversation.id;
  const media = new File(
    [Buffer.from([...Buffer.from('ID3'), ...Buffer.from(`${CANARY} sound`.padEnd(60))])],
    'said.mp3',
    { type: 'audio/mpeg' },
  );
  await client.voice.leave({ id: spoken, media });
  const opener = product.as('opener');
  const room = (await opener.chat.create({ chatbotId: agentId, kind: 'game' })).conversation.id;
  const { link } = await opener.chatLink.create({ id: room, kind: 'join', audience: 'anybody' });
  await client.room.join({ token: link.token });
  await opener.room.say({ id: room, text: 'Welcome all' });
  await client.room.say({ id: room, text: `${CANARY} is here` });
  await client.chat.send({ id: room, text: `${CANARY} plays` });
  await opener.room.say({ id: room, text: 'Goodbye all' });
}

/** A visitor of the widget who has sent a message. */
export async function knownVisitor({ product, agentId }: World): Promise<TestClient> {
  const { token } = await visit(product, agentId);
  const visitor = bearing(product, token);
  await visitor.chat.create({ chatbotId: agentId, text: `${CANARY} from a site` });
  return visitor;
}

/** A person who writes to the bot; returns their ID as an end user. */
export async function knownInTelegram({ owner, agentId, telegram }: World): Promise<string> {
  const from = { id: 4711, first_name: `${CANARY} Tel` };
  await telegram.deliver(telegram.message(`${CANARY} by Telegram`, from));
  await eventually(async () => telegram.sent.some(({ text }) => text.includes(CANARY)));
  const { users } = await owner.endUser.list({ id: agentId, search: CANARY });
  return users.find(({ kind }) => kind === 'visitor')?.id ?? '';
}
