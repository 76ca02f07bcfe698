/** Messages that ask for nothing, by language; `also` are words that only go with the others. Phrases are separated by commas. */
interface SmallTalkWords {
  greeting: string;
  thanks: string;
  farewell: string;
  also: string;
}

export const smallTalkWords: Readonly<Record<string, SmallTalkWords>> = {
  ar: {
    greeting: 'مرحبا, اهلا, أهلا, السلام عليكم, صباح الخير, مساء الخير, اهلا وسهلا, أهلا وسهلا',
    thanks: 'شكرا, شكرا لك, شكرا جزيلا',
    farewell: 'مع السلامة, إلى اللقاء, الى اللقاء, وداعا',
    also: 'نعم, لا, حسنا, جدا, تمام',
  },
  cs: {
    greeting: 'ahoj, dobrý den, dobré ráno, dobrý večer, zdravím, čau',
    thanks: 'děkuji, děkuju, díky, dík',
    farewell: 'na shledanou, nashledanou, sbohem, měj se, mějte se',
    also: 'moc, mockrát, ano, ne, dobře, super, za pomoc',
  },
  da: {
    greeting: 'hej, hejsa, goddag, godmorgen, god morgen, godaften, god aften',
    thanks: 'tak, tusind tak, mange tak',
    farewell: 'farvel, hej hej, vi ses',
    also: 'ja, nej, okay, ok, godt, fint, super, for hjælpen, skal du have',
  },
  de: {
    greeting:
      'hallo, hi, hey, moin, moin moin, servus, grüezi, grüß gott, gruß gott, guten tag, guten morgen, guten abend, schönen guten tag, schönen guten abend',
    thanks:
      'danke, danke schön, dankeschön, vielen dank, besten dank, herzlichen dank, danke dir, danke ihnen',
    farewell: 'tschüss, tschüß, tschau, auf wiedersehen, bis bald, bis dann, schönen tag noch, gute nacht',
    also: 'ja, nein, ok, okay, gut, super, prima, perfekt, toll, alles klar, bitte, sehr, zusammen, schon mal, für die hilfe, für ihre hilfe, für deine hilfe, für die info, für die auskunft',
  },
  el: {
    greeting: 'γεια, γεια σου, γεια σας, καλημέρα, καλησπέρα',
    thanks: 'ευχαριστώ, ευχαριστώ πολύ, σας ευχαριστώ',
    farewell: 'αντίο, καληνύχτα',
    also: 'ναι, όχι, εντάξει, πολύ, ωραία',
  },
  en: {
    greeting:
      'hi, hello, hey, hiya, howdy, greetings, good morning, good afternoon, good evening, good day, hi there, hello there, hey there',
    thanks:
      'thanks, thank you, thx, ty, cheers, thanks a lot, many thanks, thank you so much, thank you very much',
    farewell:
      'bye, goodbye, good bye, bye bye, see you, see you later, good night, have a nice day, have a good day',
    also: 'yes, yep, no, nope, ok, okay, sure, great, cool, nice, fine, perfect, awesome, good, got it, all, everyone, again, so, so much, very much, a lot, please, hmm, test, testing, for your help, for the help, for helping, for the info',
  },
  es: {
    greeting: 'hola, buenas, buenos días, buenas tardes, buenas noches, qué tal',
    thanks: 'gracias, muchas gracias, mil gracias',
    farewell: 'adiós, hasta luego, hasta pronto, chao',
    also: 'sí, no, vale, ok, perfecto, bien, claro, genial, por la ayuda, por tu ayuda, por su ayuda',
  },
  fi: {
    greeting: 'hei, moi, terve, hyvää huomenta, hyvää päivää, hyvää iltaa, huomenta, päivää',
    thanks: 'kiitos, kiitoksia, kiitti, paljon kiitoksia',
    farewell: 'näkemiin, hei hei, moi moi, moikka, heippa',
    also: 'kyllä, joo, ei, ok, hyvä, paljon, avusta',
  },
  fr: {
    greeting: 'bonjour, bonsoir, salut, coucou, bonjour à tous',
    thanks: 'merci, merci beaucoup, merci bien, un grand merci, je vous remercie',
    farewell: 'au revoir, à bientôt, à plus, bonne journée, bonne soirée, bonne nuit',
    also: "oui, non, bien, ok, d accord, d'accord, parfait, super, très bien, pour votre aide, pour ton aide, pour l aide, pour l'aide",
  },
  hi: {
    greeting: 'नमस्ते, नमस्कार, सुप्रभात',
    thanks: 'धन्यवाद, शुक्रिया, बहुत धन्यवाद',
    farewell: 'अलविदा, फिर मिलेंगे',
    also: 'हाँ, हां, नहीं, ठीक है, बहुत',
  },
  hu: {
    greeting: 'szia, sziasztok, helló, üdv, jó napot, jó reggelt, jó estét, jó napot kívánok',
    thanks: 'köszönöm, köszi, köszönöm szépen, nagyon köszönöm',
    farewell: 'viszlát, viszontlátásra',
    also: 'igen, nem, oké, ok, rendben, a segítséget',
  },
  id: {
    greeting: 'halo, hai, selamat pagi, selamat siang, selamat sore, selamat malam',
    thanks: 'terima kasih, makasih, terima kasih banyak',
    farewell: 'sampai jumpa, selamat tinggal',
    also: 'ya, tidak, oke, ok, baik, banyak',
  },
  it: {
    greeting: 'ciao, salve, buongiorno, buon giorno, buonasera, buona sera, buon pomeriggio',
    thanks: 'grazie, grazie mille, molte grazie, tante grazie',
    farewell: 'arrivederci, a presto, buonanotte, buona notte, buona giornata',
    also: 'sì, no, ok, va bene, perfetto, bene, mille, per l aiuto',
  },
  ja: {
    greeting: 'こんにちは, こんばんは, おはよう, おはようございます, はじめまして, やあ',
    thanks: 'ありがとう, ありがとうございます, ありがとうございました, どうもありがとうございます',
    farewell: 'さようなら, またね, おやすみなさい',
    also: 'はい, いいえ, どうも, 了解です',
  },
  ko: {
    greeting: '안녕하세요, 안녕, 안녕하십니까, 여보세요',
    thanks: '감사합니다, 고마워요, 고맙습니다, 고마워',
    farewell: '안녕히 계세요, 잘 있어요, 안녕히 가세요',
    also: '네, 예, 아니요, 정말, 대단히',
  },
  nl: {
    greeting: 'hallo, hoi, hey, goedemorgen, goedemiddag, goedenavond, goedendag, dag',
    thanks:
      'bedankt, dank je, dank u, dankjewel, dank je wel, dank u wel, dankuwel, hartelijk dank, heel erg bedankt',
    farewell: 'tot ziens, doei, tot straks, fijne dag, fijne dag nog',
    also: 'ja, nee, ok, oké, prima, goed, super, voor de hulp, voor je hulp, voor uw hulp',
  },
  no: {
    greeting: 'hei, hallo, god dag, god morgen, god kveld, heisann',
    thanks: 'takk, tusen takk, mange takk, takk skal du ha',
    farewell: 'ha det, ha det bra, på gjensyn, vi ses',
    also: 'ja, nei, ok, fint, bra, for hjelpen',
  },
  pl: {
    greeting: 'cześć, dzień dobry, dobry wieczór, witam, witaj, hej',
    thanks: 'dziękuję, dzięki, bardzo dziękuję, dziękuję bardzo, wielkie dzięki',
    farewell: 'do widzenia, na razie, pa, do zobaczenia, miłego dnia',
    also: 'tak, nie, ok, dobrze, super, za pomoc',
  },
  pt: {
    greeting: 'olá, oi, bom dia, boa tarde, boa noite',
    thanks: 'obrigado, obrigada, muito obrigado, muito obrigada',
    farewell: 'adeus, tchau, até logo, até breve',
    also: 'sim, não, ok, certo, perfeito, tudo bem, pela ajuda',
  },
  ro: {
    greeting: 'bună, salut, bună ziua, bună dimineața, bună seara',
    thanks: 'mulțumesc, mersi, mulțumesc mult, vă mulțumesc',
    farewell: 'la revedere, pa',
    also: 'da, nu, ok, bine, perfect, pentru ajutor',
  },
  ru: {
    greeting: 'привет, здравствуйте, здравствуй, добрый день, доброе утро, добрый вечер',
    thanks: 'спасибо, спасибо большое, большое спасибо, благодарю',
    farewell: 'до свидания, пока, всего доброго',
    also: 'да, нет, хорошо, ладно, понятно, отлично, за помощь, вам',
  },
  sv: {
    greeting: 'hej, hejsan, tjena, god morgon, god dag, god kväll, hallå',
    thanks: 'tack, tack så mycket, tusen tack, stort tack',
    farewell: 'hej då, adjö, vi ses, ha det bra',
    also: 'ja, nej, ok, okej, bra, fint, för hjälpen',
  },
  tr: {
    greeting: 'merhaba, selam, günaydın, iyi günler, iyi akşamlar, selamün aleyküm',
    thanks: 'teşekkürler, teşekkür ederim, çok teşekkürler, çok teşekkür ederim, sağol, sağ ol, sağ olun',
    farewell: 'güle güle, hoşça kal, hoşça kalın, görüşürüz, iyi geceler',
    also: 'evet, hayır, tamam, çok, peki',
  },
  uk: {
    greeting: 'привіт, вітаю, добрий день, доброго дня, добрий ранок, добрий вечір',
    thanks: 'дякую, дуже дякую, щиро дякую, спасибі',
    farewell: 'до побачення, бувай',
    also: 'так, ні, добре, гаразд, чудово, за допомогу',
  },
  vi: {
    greeting: 'xin chào, chào, chào bạn, chào anh, chào chị',
    thanks: 'cảm ơn, cám ơn, cảm ơn bạn, cảm ơn nhiều',
    farewell: 'tạm biệt, hẹn gặp lại',
    also: 'vâng, không, được, ok, nhiều',
  },
  zh: {
    greeting: '你好, 您好, 嗨, 哈喽, 早上好, 下午好, 晚上好, 大家好',
    thanks: '谢谢, 谢谢你, 谢谢您, 多谢, 非常感谢, 感谢, 謝謝',
    farewell: '再见, 拜拜, 再見, 晚安',
    also: '好的, 好, 是, 不, 嗯, 了, 啊',
  },
};
