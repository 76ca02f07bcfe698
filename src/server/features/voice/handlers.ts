import type { voice as contract } from '../../../contract/answer.ts';
import type { Attachment, Message } from '../../../contract/chat.ts';
import { cutText } from '../../../contract/cut-text.ts';
import { MESSAGE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { requireEntitled } from '../../access/entitlement.ts';
import { requireChat, type Agent } from '../../access/gate.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { ChatCaller, Handlers } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { findMessage, type OpenConversation } from '../chat/store.ts';
import { forgetRecording, inOwn, keepRecording } from './keep.ts';
import { recordingOf, type Sound } from './recording.ts';
import { spoken } from './spoken.ts';

interface Words {
  text: string;
  attachments: Attachment[];
}

/** What the chat needs. */
interface Speaking {
  requireLeft: (tx: Tx, caller: ChatCaller, agent: Agent) => Promise<void>;
  ask: (
    caller: ChatCaller,
    conversationId: string,
    words: Words,
  ) => Promise<{ message: Message; answer: Message | null }>;
  leave: (caller: ChatCaller, conversationId: string, words: Words) => Promise<Message>;
}

export function voiceHandlers(deps: Deps, speaking: Speaking): Handlers<typeof contract> {
  const { log, voice } = deps;

  /** With an agent that can still be asked: it may have become private since, or be for sale. */
  const open = (id: string, caller: ChatCaller): Promise<OpenConversation> =>
    inOwn(deps, id, caller, async (tx, found) => {
      await requireChat(tx, found.agent, caller);
      await requireEntitled(tx, found.agent, caller);
      return found;
    });

  return {
    abilities: async () => ({
      transcription: voice.writeDown !== undefined,
      speech: voice.readAloud !== undefined,
    }),

    transcribe: async ({ id, media }, caller, { signal }) => {
      const { agent } = await open(id, caller);
      const sound = await recordingOf(media);
      requireVoice(agent);
      if (!voice.writeDown) throw new AppError('model/unavailable');
      return { text: cutText(await voice.writeDown(sound, signal), MESSAGE_MAX_CHARACTERS) };
    },

    speak: async ({ id, messageId }, caller, { signal }) => {
      const { conversation, agent } = await open(id, caller);
      const answer = await inOwn(deps, id, caller, (tx) =>
        findMessage(tx, conversation.organizationId, messageId),
      );
      if (answer?.conversationId !== id) throw notFound();
      const text = answer.role === 'assistant' ? spoken(answer.text) : '';
      if (text === '') throw new AppError('chat/nothing-to-answer', 'There is nothing to read aloud here.');
      requireVoice(agent);
      if (!voice.readAloud) throw new AppError('model/unavailable');
      const { data, mediaType } = await voice.readAloud(text, signal);
      return { audio: `data:${mediaType};base64,${Buffer.from(data).toString('base64')}` };
    },

    leave: async ({ id, media }, caller) => {
      const { conversation, agent } = await open(id, caller);
      if (conversation.kind !== 'voicemail')
        throw new AppError('chat/nothing-to-answer', 'This conversation does not accept voice messages.');
      if (conversation.answering) throw new AppError('chat/busy');
      await inOwn(deps, id, caller, (tx) => speaking.requireLeft(tx, caller, agent));
      const sound = await recordingOf(media);
      const kept = await keepRecording(deps, id, caller, sound);
      const text = await writtenDown(sound);
      try {
        return await answered(caller, id, { text, attachments: [kept] });
      } catch (error) {
        // Unless the refusal is certain, a message may contain it.
        if (error instanceof AppError && error.status < 500) await forgetRecording(deps, id, caller, kept);
        throw error;
      }
    },
  };

  /** Empty if transcription is unavailable or nothing was said. The recording is kept either way. */
  async function writtenDown(sound: Sound): Promise<string> {
    try {
      const text = await voice.writeDown?.(sound);
      return cutText(text ?? '', MESSAGE_MAX_CHARACTERS).toWellFormed();
    } catch (error) {
      log.warn({ err: error }, 'a voice message could not be transcribed');
      return '';
    }
  }

  /** Without words, or without credit for an answer, it is kept for a person to listen to. */
  async function answered(caller: ChatCaller, id: string, words: Words) {
    if (words.text !== '') {
      try {
        return await speaking.ask(caller, id, words);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'quota/exceeded')) throw error;
      }
    }
    return { message: await speaking.leave(caller, id, words), answer: null };
  }
}

/** Both cost the agent's operator, who decides whether it speaks. */
function requireVoice({ voiceEnabled }: Pick<Agent, 'voiceEnabled'>): void {
  if (!voiceEnabled) throw new AppError('chat/no-voice');
}
