const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Function words of the supported offer languages: never indexed, never scored. Folded like tokens. */
const FUNCTION_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words(`a an and are as at be been being but by can could did do does doesn doing don for from had has have having
    he her here hers him his how i if in into is isn it its ll m me might my nor of off on or our ours out shall she
    should so such than that the their them then there these they this those to too u us very was we were what when
    where which while who whom whose why will with would you your yours about am any because both each few just more most
    not now only other own same some until much many`),
  de: words(`aber alle als also am an auch auf aus bei bin bis bist das dass dem den der des die dir du durch ein eine
    einem einen einer eines er es fur hat hatte ich ihr im in ist ja kann kein keine mein meine mich mir mit nach nicht
    noch nur ob oder ohne sein seine sich sie sind so uber um und uns unser vom von vor war was wenn wer wie wir wird wo
    zu zum zur welche welcher welches`),
  fr: words(`a ai au aux avec c ce ces cette comme d dans de des du elle en est et etre eu il ils j je l la le les leur
    lui m ma mais me mes moi mon n ne nos notre nous on ou par pas pour qu que quel quelle qui s sa sans se ses son sont
    sur ta te tes toi ton tu un une vos votre vous y`),
  es: words(`a al algo como con cual cuando de del donde el ella ellos en entre era es esa ese eso esta este esto estoy
    ha hay la las le les lo los mas me mi mis muy no nos o para pero por porque que quien se sin sobre son su sus te
    tu un una uno y ya yo`),
};

/** Words around the thing that people want, and people for whom they want it; they show how people ask, not what they want. */
const CHAT_WORDS = words(`please hello hi hey thanks thank want wants wanted need needs needed looking look find finding
  get getting buy buying purchase purchasing order shop shopping show give tell recommend recommends recommended
  recommendation recommendations suggest suggests suggestion suggestions best good great better nice decent cheap cheapest
  affordable new like help im id ive something anything one ones thing things stuff really sell sells selling carry cost costs suitable ready sale deal deals price prices
  option options know think use using used also under below over between around less make sure let go going
  someone somebody everyone people daughter son mother father mom dad parents parent wife husband friend brother sister kid
  grandma grandpa grandmother grandfather uncle aunt nephew niece girlfriend boyfriend cousin neighbor neighbour
  ideas idea lot near budget delivery shipping today tomorrow week broke broken last ok okay helpful
  yes yeah yep nope no lol haha hehe hmm wow cool sorry welcome bye goodbye goodnight congrats congratulations
  unter moins menos suche brauche kaufen bestellen buchen eroffnen gunstig gute guter gutes beste bester cherche acheter veux besoin meilleur meilleure pas cher
  busco necesito comprar quiero barato barata mejor mejores`);

/** Words that announce what is wanted: "I want a laptop", "looking for shoes", "busco zapatos". */
const WISH_WORDS =
  words(`want wants wanted need needs needed looking look find finding search searching seeking buy buying
  get getting order ordering purchase purchasing recommend recommended suggest suggested advise shopping shop sell sells carry
  stock offer afford choose choosing pick picking grab replace replacing upgrade upgrading compare comparing considering own
  market wish
  suche brauche kaufen bestellen empfehlen cherche acheter veux besoin busco necesito comprar quiero`);

/** Words of trade: what people write when they want to own something, compare it or know its price. */
const BUYING_WORDS = words(`buy buying purchase purchasing order ordering shopping shop recommend recommends recommended
  recommendation recommendations suggest suggestion suggestions advise advice best better decent cheap cheaper cheapest
  affordable inexpensive reliable durable price prices priced cost costs deal deals discount coupon bargain sale sell sells
  stock gift gifts present replace replacement replacing upgrade upgrading choose choosing pick compare comparison versus vs
  review reviews worth budget afford under below
  kaufen bestellen gunstig gunstige gunstiger preis preise angebot empfehlen empfehlung geschenk
  acheter achat prix promo soldes cadeau comprar precio oferta ofertas regalo barato barata`);

/** Words that open a question or a request to write, explain or do something, which rarely names goods. */
const QUESTION_WORDS = words(`who why when how what where whose is are was were does did do can could will would should
  explain translate write tell define calculate solve summarize convert describe name list set turn play call
  wer wann warum wo wie was comment pourquoi quand ou como cuando donde quien por`);

/** Whether a word has no meaning of its own in `language`; English function words count in every language. */
export const isFunctionWord = (word: string, language: string): boolean =>
  FUNCTION_WORDS.en?.has(word) === true || FUNCTION_WORDS[language]?.has(word) === true;

export const isChatWord = (word: string): boolean => CHAT_WORDS.has(word);
export const isWishWord = (word: string): boolean => WISH_WORDS.has(word);
export const isQuestionWord = (word: string): boolean => QUESTION_WORDS.has(word);
export const isBuyingWord = (word: string): boolean => BUYING_WORDS.has(word);
