import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { SPOKEN, startVoiceProvider, type VoiceProvider } from '../../../../test/stand-ins/voice-provider.ts';
import { VISITOR_MESSAGES_MAX } from '../../../contract/limits.ts';
import { readConfig } from '../../config/config.ts';
import { recordingOf } from './recording.ts';
import { spoken } from './spoken.ts';

let product: Product;
let silent: Product;
let provider: Provider;
let voice: VoiceProvider;
let agentId: string;
let silentAgentId: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['At **nine** [1].'] });
  voice = await startVoiceProvider();
  const providers = { openai: provider.openai };
  const at = { apiKey: 'sk-voice', baseUrl: voice.baseUrl };
  product = await startProduct({
    providers,
    transcription: { model: 'whisper-1', ...at },
    speech: { model: 'tts-1', voice: 'alloy', ...at },
  });
  silent = await startProduct({ providers });
  agentId = await newAgent(product);
  silentAgentId = await newAgent(silent);
});
afterAll(async () => {
  await product.close();
  await silent.close();
  await provider.close();
  await voice.close();
});

async function newAgent(where: Product): Promise<string> {
  const ada = where.as('ada');
  const { organization } = await ada.organization.create({ name: 'Acme' });
  const { id } = (await ada.chatbot.create({ organizationId: organization.id, name: 'Helper' })).chatbot;
  await ada.chatbot.update({ id, organizationId: organization.id, voiceEnabled: true });
  return id;
}

const heads = {
  'audio/webm': [0x1a, 0x45, 0xdf, 0xa3],
  'audio/ogg': [...Buffer.from('OggS')],
  'audio/mp4': [0, 0, 0, 0x20, ...Buffer.from('ftypM4A ')],
  'audio/wav': [...Buffer.from('RIFF0000WAVE')],
  'audio/mpeg': [0xff, 0xfb, 0x90, 0],
};

const recording = (bytes: number[] = heads['audio/webm']) =>
  new File([Buffer.from([...bytes, ...Array.from({ length: 50 }, () => 7)])], 'said.bin', {
    type: 'text/html',
  });

const bob = (where = product) => where.as('bob', 'guest');

async function converse(kind: 'chat' | 'voicemail' = 'chat', where = product) {
  const chatbotId = where === product ? agentId : silentAgentId;
  return (await bob(where).chat.create({ chatbotId, kind })).conversation.id;
}

test('voice capabilities are public', async () => {
  expect(await product.as('nobody', 'anonymous').voice.abilities({})).toEqual({
    transcription: true,
    speech: true,
  });
  expect(await silent.as('nobody', 'anonymous').voice.abilities({})).toEqual({
    transcription: false,
    speech: false,
  });
});

test('speech is transcribed by the configured model', async () => {
  expect(await bob().voice.transcribe({ id: await converse(), media: recording() })).toEqual({
    text: 'When do you open?',
  });
  expect(voice.transcriptions.at(-1)).toMatchObject({
    model: 'whisper-1',
    type: 'audio/webm',
    bytes: 54,
    authorization: 'Bearer sk-voice',
  });
});

test.each(Object.entries(heads))('a recording is recognized by its content: %s', async (type, bytes) => {
  expect(await recordingOf(recording(bytes))).toMatchObject({ mediaType: type });
});

test.each([
  ['a page', [...Buffer.from('<!doctype html><script>')]],
  ['a picture', [0x89, 0x50, 0x4e, 0x47]],
  ['another RIFF', [...Buffer.from('RIFF0000WEBP')]],
  ['nothing', []],
])('%s is not accepted as a recording', async (_what, bytes) => {
  const id = await converse('voicemail');
  const refusal = { status: 400, code: 'storage/file-type' };
  const media = new File([Buffer.from(bytes)], 'said.webm', { type: 'audio/webm' });
  await expect(bob().voice.transcribe({ id, media })).rejects.toMatchObject(refusal);
  await expect(bob().voice.leave({ id, media })).rejects.toMatchObject(refusal);
});

test('an answer is read aloud without its markup', async () => {
  const id = await converse();
  const { message, answer } = await bob().chat.send({ id, text: 'When?' });
  const { audio } = await bob().voice.speak({ id, messageId: answer.id });
  expect(audio).toBe(`data:audio/mpeg;base64,${SPOKEN.toString('base64')}`);
  expect(voice.speeches.at(-1)).toMatchObject({ model: 'tts-1', voice: 'alloy', input: 'At nine.' });
  await expect(bob().voice.speak({ id, messageId: message.id })).rejects.toMatchObject({ status: 409 });
  const other = await converse();
  await expect(bob().voice.speak({ id: other, messageId: answer.id })).rejects.toMatchObject({ status: 404 });
});

test('another person’s conversation does not exist', async () => {
  const id = await converse('voicemail');
  const { answer } = await bob().chat.send({ id, text: 'When?' });
  const eve = product.as('eve', 'guest');
  const notThere = { status: 404 };
  await expect(eve.voice.transcribe({ id, media: recording() })).rejects.toMatchObject(notThere);
  await expect(eve.voice.speak({ id, messageId: answer.id })).rejects.toMatchObject(notThere);
  await expect(eve.voice.leave({ id, media: recording() })).rejects.toMatchObject(notThere);
});

test('dictation and reading aloud return 503 without a model or when it fails', async () => {
  const id = await converse('chat', silent);
  const { answer } = await bob(silent).chat.send({ id, text: 'When?' });
  const unavailable = { status: 503, code: 'model/unavailable' };
  await expect(bob(silent).voice.transcribe({ id, media: recording() })).rejects.toMatchObject(unavailable);
  await expect(bob(silent).voice.speak({ id, messageId: answer.id })).rejects.toMatchObject(unavailable);
  voice.status = 500;
  await expect(bob().voice.transcribe({ id: await converse(), media: recording() })).rejects.toMatchObject(
    unavailable,
  );
  voice.status = undefined;
});

test('an agent with voice disabled neither transcribes nor reads aloud', async () => {
  const ada = product.as('ada');
  const { organizations } = await ada.organization.list();
  const organizationId = organizations[0]?.id ?? '';
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Mute' });
  const { conversation } = await bob().chat.create({ chatbotId: chatbot.id });
  const media = recording();
  const refusal = { status: 409, code: 'chat/no-voice' };
  await expect(bob().voice.transcribe({ id: conversation.id, media })).rejects.toMatchObject(refusal);
});

test('a voice message is stored, transcribed and answered', async () => {
  const id = await converse('voicemail');
  const { message, answer } = await bob().voice.leave({ id, media: recording() });
  expect(message).toMatchObject({
    role: 'user',
    text: 'When do you open?',
    attachments: [{ name: 'recording.webm', mediaType: 'audio/webm', bytes: 54 }],
  });
  expect(answer).toMatchObject({ role: 'assistant', parentId: message.id });
  await expect
    .poll(async () => (await bob().chat.listMessages({ id })).messages[1])
    .toMatchObject({ id: answer?.id, state: 'complete', text: 'At **nine** [1].' });
  const attachmentId = message.attachments[0]?.id ?? '';
  const { data } = await bob().attachment.content({ id, attachmentId });
  expect(data).toMatch(/^data:audio\/webm;base64,GkXfo/);
});

test.each(['without a model for it', 'when its model fails', 'when nothing was said'])(
  'a voice message %s is kept for a person to listen to',
  async (when) => {
    const where = when === 'without a model for it' ? silent : product;
    voice.status = when === 'when its model fails' ? 500 : undefined;
    voice.hears = when === 'when nothing was said' ? '' : 'Hello?';
    const id = await converse('voicemail', where);
    const { message, answer } = await bob(where).voice.leave({ id, media: recording() });
    voice.status = undefined;
    voice.hears = 'When do you open?';
    expect(answer).toBeNull();
    expect(message).toMatchObject({ text: '', state: 'complete', sequence: 1 });
    const again = await bob(where).chat.send({ id, text: 'Did you hear me?' });
    expect(again.answer).toMatchObject({ state: 'complete', sequence: 3 });
    expect(again.message.parentId).toBe(message.id);
  },
);

test('a guest without messages left is refused before anything is transcribed', async () => {
  const gus = product.as('gus', 'guest');
  const { conversation } = await gus.chat.create({ chatbotId: agentId, kind: 'voicemail' });
  const { id } = conversation;
  voice.hears = '';
  for (let left = 0; left < VISITOR_MESSAGES_MAX; left += 1)
    await gus.voice.leave({ id, media: recording() });
  voice.hears = 'When do you open?';
  const heard = voice.transcriptions.length;
  await expect(gus.voice.leave({ id, media: recording() })).rejects.toMatchObject({ status: 429 });
  expect(voice.transcriptions).toHaveLength(heard);
  expect((await gus.chat.listMessages({ id })).messages).toHaveLength(VISITOR_MESSAGES_MAX);
});

test('an ordinary conversation accepts no voice messages', async () => {
  await expect(bob().voice.leave({ id: await converse(), media: recording() })).rejects.toMatchObject({
    status: 409,
  });
});

test('Markdown is read as a person would say it', () => {
  const markdown =
    '## Hours\n\n- We **open** at `nine` [1], see [the page](https://x.example/a) [2][^a].\n\n```js\ncode()\n```\n> Bye | now\n\n[^a]: Except Sundays.';
  expect(spoken(markdown).split(/\n+/)).toEqual([
    'Hours',
    'We open at nine, see the page.',
    'Bye now',
    'Except Sundays.',
  ]);
});

test('an invalid voice model name aborts the start', () => {
  expect(() => readConfig({ TRANSCRIPTION_MODEL: 'whisper' })).toThrow('TRANSCRIPTION_MODEL');
  expect(() => readConfig({ SPEECH_MODEL: 'openai/tts-1' })).toThrow('needs OPENAI_API_KEY');
});

test('of concurrent recordings, refused ones leave nothing behind', async () => {
  provider.script = { pieces: ['At ', 'nine.'], betweenPiecesMs: 500 };
  const id = await converse('voicemail');
  const left = await Promise.allSettled([1, 2, 3].map(() => bob().voice.leave({ id, media: recording() })));
  provider.script = { pieces: ['At **nine** [1].'] };
  expect(left.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const { rows } = await product.app.deps.db.owner.query(
    'select id from attachment where conversation_id = $1',
    [id],
  );
  expect(rows).toHaveLength(1);
});
