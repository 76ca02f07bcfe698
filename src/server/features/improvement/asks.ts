import type { UnansweredReason } from '../../../contract/improvement.ts';
import { LEAST_SUPPORT } from '../../llm/least-support.ts';
import { isSmallTalk } from '../knowledge/search.ts';

/**
 * Whether something is asked. `telling`: the number of its words that aren't stop words; `hasBefore`: it may continue
 * an earlier question.
 */
export function isQuestion(text: string, telling: number, hasBefore: boolean): boolean {
  if (isSmallTalk(text)) return false;
  return telling > 0 || hasBefore;
}

/** What is known about how a question was answered. */
export interface Answered {
  refused: boolean;
  /** See `Receipt`. */
  support: number | null;
  cited: number;
  calledTools: boolean;
  /** The agent has some knowledge. */
  hasKnowledge: boolean;
  disliked: boolean;
  /** A person was requested before the next question. */
  handedOver: boolean;
}

/** Why a question counts as unanswered, most certain reason first; null if it was answered. */
export function whyUnanswered(answered: Answered): UnansweredReason | null {
  if (answered.refused) return 'refused';
  if (answered.disliked) return 'disliked';
  if (answered.handedOver) return 'handover';
  return isWeak(answered) ? 'weak' : null;
}

function isWeak({ hasKnowledge, support, cited, calledTools }: Answered): boolean {
  return hasKnowledge && !calledTools && cited === 0 && support !== null && support < LEAST_SUPPORT;
}
