/**
 * Words with which people ask, whatever they ask about, by language: greetings, thanks, question words, and verbs such as
 * "tell" and "would". They are left out of questions, but not of passages: every one of them would count as a word that
 * the answer lacks. What is a stop word anyway isn't listed again.
 */
export const askingWords: Readonly<Record<string, string>> = {
  da: `
    hej tak venligst hvornår hvorfor hvilke hvilken hvilket hvordan hvem kan vide ved sige fortælle fortæl forklare hjælpe
    hjælp må få får behøver findes mulig muligt gerne længe jer`,
  de: `
    hallo hi hey moin servus bitte danke dankeschön gern gerne sorry entschuldigung wann wer wem wen wessen wieso warum
    weshalb woher wohin wofür womit wozu wobei wodurch woran worauf wovon wieviel wieviele konnten konntest konnte könnt
    könnten könntest könntet kannst möchte möchten möchtest mag magst mögen darf darfst dürfen dürft dürfte müssen musst
    müsst müssten sollen sollten sollt wollt willst mal eigentlich vielleicht überhaupt etwa sagen sag sagt sagst wissen
    weiß weiss weißt weisst erklären erklär erkläre erklärst erzählen erzähl helfen hilf helft fragen frage geben gib
    gibt gibts geht gehts hast habt seid wäre wären wurde wurden bekomme bekommen bekommt kriege kriegen kriegt brauche
    brauchen braucht brauchst finde lange lang viele vielen oft möglich jemand passiert`,
  en: `
    hi hello hey dear please pls plz thanks thank cheers sorry could would might may must shall ought tell want
    wanna like need needs wish help explain ask asking question wonder wondering whether possible able much many long often get
    gets got take takes give let go goes also actually exactly really anything something anyone someone way us happens
    happen mean means whats whos wheres hows whens thats theres im ive id youre dont doesnt didnt cant isnt arent wont
    havent hasnt couldnt wouldnt shouldnt cannot d ll m re ve aren couldn didn doesn hadn hasn haven isn mustn shouldn
    wasn weren won wouldn`,
  es: `
    hola buenas buenos gracias favor qué cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde adónde cómo quién quiénes
    puedo puede puedes pueden podemos podría podrías podrían poder quiero quisiera queremos quería gustaría debo debe
    deben necesito necesita necesitamos saber sabe sabes decir decirme dime dígame explicar explicarme explica ayudar
    ayudarme hay hacer hago hace hacen posible si así también`,
  fr: `
    bonjour bonsoir salut merci svp stp plaît sil où quand comment combien pourquoi quel quelle quels quelles quoi lequel
    laquelle pouvez peux peut pouvons peuvent pourriez pourrais pourrait puis veux veut voudrais voudrait voulez
    aimerais aimerait souhaite souhaiterais dois doit devons faut dire dites dis savoir sais savez expliquer expliquez
    aider aidez a fait faire fais faites possible cela ça si aussi beaucoup longtemps`,
  it: `
    ciao salve buongiorno buonasera grazie favore cortesia quando quali cosa posso può puoi possiamo potete possono potrei
    potrebbe potreste vorrei vorremmo voglio vuole devo deve dobbiamo bisogna sapere so dire dirmi dimmi spiegare
    spiegarmi aiutare aiutarmi fare fa possibile molto`,
  nl: `
    hallo hoi bedankt dankjewel dankuwel alstublieft alsjeblieft aub graag waar waarom wanneer welke welk hoeveel hoelang
    mag mogen kunt kun zouden willen wilt weten weet vertellen vertel zeggen uitleggen helpen moeten nodig krijg krijgen
    krijgt gaat mogelijk jullie lang`,
  no: `
    hei takk vennligst hvordan hvorfor hvilken hvilke hvilket vite vet si fortelle forklare hjelpe må få får trenger
    finnes mulig gjerne lenge dere`,
  pl: `
    cześć witam proszę dziękuję czy jak gdzie kiedy ile kto co jaki jaka jakie dlaczego czemu który która które mogę może
    możesz możecie można możliwe chcę chciałbym chciałabym muszę trzeba wiedzieć powiedzieć powiedz wyjaśnić pomóc jest
    są się mi mnie i w na do z o od po za to nie`,
  pt: `
    olá oi obrigado obrigada favor onde quanto quanta quantos quantas quais porque posso pode podem podemos poderia
    poderiam gostaria quero queria preciso precisa devo deve saber sabe dizer diga explicar ajudar fazer faço faz
    possível existe`,
  ru: `
    пожалуйста спасибо здравствуйте привет где сколько какой какая какие какое когда почему могу можете хочу хотел хотела
    хотелось нужно знать скажите подскажите расскажите объясните помогите`,
  sv: `
    hej tack snälla varför vilka kan kunna vill vilja veta vet säga berätta förklara hjälpa måste får få behöver finns
    möjligt gärna många länge`,
  tr: `
    merhaba selam lütfen teşekkürler kaç hangi var olabilir misiniz mısınız istiyorum isterim lazım gerek söyler`,
};

/** Phrases whose words mean something elsewhere, and those of languages without spaces between words. */
export const askingPhrases =
  /\b(?:want|like|love|need) to know\b|\bdo you know\b|\blet me know\b|请问|請問|我想知道|我想问一下|我想问|我想問|请告诉我|請告訴我|你好|您好|谢谢|謝謝|教えてください|教えて下さい|知りたいです|お願いします|こんにちは|すみません|알려주세요|알려 주세요|알고 싶어요|안녕하세요|감사합니다/gi;
