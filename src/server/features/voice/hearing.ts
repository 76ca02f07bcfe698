import { MESSAGE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import type { Deps } from '../../deps.ts';
import { recordingOf } from './recording.ts';

/**
 * The transcript of a recording that came from elsewhere; undefined if transcription is not available here. Errors:
 * `storage/file-type`, `model/unavailable`.
 */
export function hearingIn({ voice }: Pick<Deps, 'voice'>) {
  return async (recording: Buffer): Promise<string | undefined> => {
    if (!voice.writeDown) return undefined;
    const sound = await recordingOf(new Blob([new Uint8Array(recording)]));
    return (await voice.writeDown(sound)).slice(0, MESSAGE_MAX_CHARACTERS);
  };
}
