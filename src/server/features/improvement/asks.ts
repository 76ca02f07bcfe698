import type { UnansweredReason } from '../../../contract/improvement.ts';
import { LEAST_SUPPORT } from '../../llm/least-support.ts';

/** Greetings, thanks, yes and no: a message of only these asks for nothing. */
const smallTalk = new Set(
  `hello hi hey hiya howdy good morning afternoon evening day night there bye goodbye thanks thank thx you so much very many
   please ok okay yes yep no nope sure great cool nice perfect fine test testing hmm
   hallo moin servus guten tag morgen abend grüezi tschüss danke dank vielen schön schönen sehr bitte ja nein gut super prima alles klar
   hola buenos buenas días dias tardes noches gracias muchas adiós adios sí si vale perfecto bien claro
   bonjour bonsoir salut merci beaucoup oui non bien au revoir d accord parfait
   ciao buongiorno buonasera grazie mille sì va bene olá ola obrigado obrigada bom dia boa tarde noite sim não`.split(
    /\s+/,
  ),
);

/** A combining mark alone, as after a heart, isn't a word. */
const words = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/**
 * Whether something is asked. `telling`: the number of its words that aren't stop words; `hasBefore`: it may continue
 * an earlier question.
 */
export function isQuestion(text: string, telling: number, hasBefore: boolean): boolean {
  const said = text.toLowerCase().normalize('NFC').match(words) ?? [];
  if (said.every((word) => smallTalk.has(word))) return false;
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
