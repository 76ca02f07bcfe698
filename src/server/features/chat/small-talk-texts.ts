import type { SmallTalk } from '../knowledge/search.ts';

/** What an agent without a language model says to a greeting, thanks and a goodbye, by language. */
const texts: Readonly<Record<string, Record<SmallTalk['kind'], string>>> = {
  ar: { greeting: 'مرحبًا! بماذا يمكنني مساعدتك؟', thanks: 'على الرحب والسعة!', farewell: 'إلى اللقاء!' },
  cs: { greeting: 'Dobrý den! S čím mohu pomoci?', thanks: 'Rádo se stalo!', farewell: 'Na shledanou!' },
  da: { greeting: 'Hej! Hvad kan jeg hjælpe med?', thanks: 'Det var så lidt!', farewell: 'Farvel!' },
  de: { greeting: 'Hallo! Wobei kann ich helfen?', thanks: 'Gern geschehen!', farewell: 'Auf Wiedersehen!' },
  el: { greeting: 'Γεια σας! Πώς μπορώ να βοηθήσω;', thanks: 'Παρακαλώ!', farewell: 'Αντίο!' },
  en: { greeting: 'Hello! How can I help?', thanks: "You're welcome!", farewell: 'Goodbye!' },
  es: { greeting: '¡Hola! ¿En qué puedo ayudar?', thanks: '¡De nada!', farewell: '¡Hasta luego!' },
  fi: { greeting: 'Hei! Miten voin auttaa?', thanks: 'Ole hyvä!', farewell: 'Näkemiin!' },
  fr: { greeting: 'Bonjour ! Comment puis-je aider ?', thanks: 'Avec plaisir !', farewell: 'Au revoir !' },
  hi: { greeting: 'नमस्ते! मैं क्या मदद कर सकता हूँ?', thanks: 'आपका स्वागत है!', farewell: 'अलविदा!' },
  hu: { greeting: 'Jó napot! Miben segíthetek?', thanks: 'Szívesen!', farewell: 'Viszontlátásra!' },
  id: { greeting: 'Halo! Apa yang bisa saya bantu?', thanks: 'Sama-sama!', farewell: 'Sampai jumpa!' },
  it: { greeting: 'Buongiorno! Come posso aiutare?', thanks: 'Prego!', farewell: 'Arrivederci!' },
  ja: { greeting: 'こんにちは。ご用件をどうぞ。', thanks: 'どういたしまして。', farewell: 'さようなら。' },
  ko: { greeting: '안녕하세요! 무엇을 도와드릴까요?', thanks: '천만에요!', farewell: '안녕히 가세요!' },
  nl: { greeting: 'Hallo! Waarmee kan ik helpen?', thanks: 'Graag gedaan!', farewell: 'Tot ziens!' },
  no: { greeting: 'Hei! Hva kan jeg hjelpe med?', thanks: 'Bare hyggelig!', farewell: 'Ha det bra!' },
  pl: { greeting: 'Dzień dobry! W czym mogę pomóc?', thanks: 'Nie ma za co!', farewell: 'Do widzenia!' },
  pt: { greeting: 'Olá! Como posso ajudar?', thanks: 'De nada!', farewell: 'Até logo!' },
  ro: { greeting: 'Bună ziua! Cu ce pot ajuta?', thanks: 'Cu plăcere!', farewell: 'La revedere!' },
  ru: { greeting: 'Здравствуйте! Чем могу помочь?', thanks: 'Пожалуйста!', farewell: 'До свидания!' },
  sv: { greeting: 'Hej! Vad kan jag hjälpa till med?', thanks: 'Varsågod!', farewell: 'Hej då!' },
  tr: { greeting: 'Merhaba! Nasıl yardımcı olabilirim?', thanks: 'Rica ederim!', farewell: 'Hoşça kalın!' },
  uk: { greeting: 'Добрий день! Чим можу допомогти?', thanks: 'Прошу!', farewell: 'До побачення!' },
  vi: { greeting: 'Xin chào! Tôi có thể giúp gì?', thanks: 'Không có gì!', farewell: 'Tạm biệt!' },
  zh: { greeting: '您好！请问有什么可以帮您？', thanks: '不客气！', farewell: '再见！' },
};

/** In the agent's language if it has one and we know it, or else in that of the message. */
export function smallTalkText({ kind, language }: SmallTalk, agentLanguage: string | null): string {
  const code = agentLanguage?.split('-')[0]?.toLowerCase() ?? '';
  return (texts[code] ?? texts[language] ?? texts['en'])?.[kind] ?? '';
}
