import type { UnansweredReason } from '../../../contract/improvement.ts';
import { LEAST_SUPPORT } from '../../../contract/limits.ts';

/** Greetings, thanks, yes and no: to say only these asks for nothing. */
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

/** A mark alone, as behind a heart, is none. */
const words = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/**
 * Something is asked. `telling`: words of its own that are no stop words; `hasBefore`: it may go on with what was asked
 * before.
 */
export function isQuestion(text: string, telling: number, hasBefore: boolean): boolean {
  const said = text.toLowerCase().normalize('NFC').match(words) ?? [];
  if (said.every((word) => smallTalk.has(word))) return false;
  return telling > 0 || hasBefore;
}

/** What is known of how a question was answered. */
export interface Answered {
  refused: boolean;
  /** See `Receipt`. */
  support: number | null;
  cited: number;
  calledTools: boolean;
  /** The agent has something to know. */
  hasKnowledge: boolean;
  disliked: boolean;
  /** A person was wanted before the next question. */
  handedOver: boolean;
}

/** Why a question counts as unanswered, what is most certain first; null for an answered one. */
export function whyUnanswered(answered: Answered): UnansweredReason | null {
  if (answered.refused) return 'refused';
  if (answered.disliked) return 'disliked';
  if (answered.handedOver) return 'handover';
  return isWeak(answered) ? 'weak' : null;
}

function isWeak({ hasKnowledge, support, cited, calledTools }: Answered): boolean {
  return hasKnowledge && !calledTools && cited === 0 && support !== null && support < LEAST_SUPPORT;
}
