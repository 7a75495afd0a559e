const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Function words of the languages that offers come in: never indexed, never scored. Folded as the tokenizer folds. */
const FUNCTION_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words(`a an and are as at be been being but by can could did do does doesn doing don for from had has have having
    he her here hers him his how i if in into is isn it its ll m me might my nor of off on or our ours out shall she
    should so such than that the their them then there these they this those to too u us very was we were what when
    where which while who whom whose why will with would you your yours about am any because both each few just more most
    not now only other own same some until`),
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

/** What people say around the thing that they want; it tells how they ask, not what about. */
const CHAT_WORDS = words(`please hello hi hey thanks thank want wants wanted need needs needed looking look find finding
  get getting buy buying purchase purchasing order shop shopping show give tell recommend recommends recommended
  recommendation recommendations suggest suggests suggestion suggestions best good great better nice decent cheap cheapest
  affordable top new like help im id ive something anything one ones thing things stuff really sale deal deals price prices
  option options know think use using used also under below over between around less make sure let go going
  someone somebody everyone people daughter son mother father mom dad parents parent wife husband friend brother sister kid
  grandma grandpa ideas idea lot near budget delivery shipping today tomorrow week broke broken last ok okay helpful
  yes yeah yep nope no lol haha hehe hmm wow cool sorry welcome bye goodbye goodnight congrats congratulations
  suche brauche kaufen bestellen buchen eroffnen gunstig gute guter gutes beste bester cherche acheter veux besoin meilleur meilleure pas cher
  busco necesito comprar quiero barato barata mejor mejores`);

/** A word that carries no meaning of its own in `language` (English function words count everywhere). */
export const isFunctionWord = (word: string, language: string): boolean =>
  FUNCTION_WORDS.en?.has(word) === true || FUNCTION_WORDS[language]?.has(word) === true;

export const isChatWord = (word: string): boolean => CHAT_WORDS.has(word);

/** What sentences are full of beside the thing that is talked about: times, feelings, plans, measures of worth. */
const VAGUE_WORDS = words(`able actually again ago almost already always amount another anyone anyway anywhere asap ask
  asking available away bad basic beginner beginners believe beginning birthday bit break breaks bring bunch came can't
  care certain change choice choices choose choosing christmas collect come comes coming compare compared comparison
  comfortable completely consider considering cost costs could couple currently date day days decent decide depends
  difference different durable during easily easy either else end enough especially euro euros dollar dollars eventually
  ever every everyday everything exactly expensive experience fairly far fast favorite feel few fine fit fits forever
  found frequently friendly full future generally gift gifts girlfriend boyfriend give gives goes gone got guess guys half
  happen happy hard hate hear heard hope hour hours hurry imagine important interested interesting kind kinda kinds
  lasts last lately later learn least life list little live living long longer lots love lower main major makes making
  many matter maybe mean means mention mind minute mistake moment money month months morning moving move much must myself name
  necessary never next night nobody normal nothing often old once opinion ordinary otherwise pay perfect perhaps person
  personal pick place plan planning plenty popular possible possibly prefer preferably present pretty previous probably
  problem proper put question quick quickly quite rather read ready realize reason reasonable recently regular reliable
  replace replacement replacing right same saw say says search searching see seem seems sense serious several side simple
  since situation small big soon sort spare special spend spending start started starting still stock stop stuck
  summer winter spring autumn suitable sometimes sure surprise take takes taking talk tell than
  though thought tired total totally tried try trying type types understand until upcoming upgrade upgrading usual usually
  value various wait wanna way weekend weekends weeks whatever whether whole wish wonder wondering won word work
  working works worth would wrong year years yesterday yet young`);

/** A word that says little in a sentence, though it may name something in a bare list of words. */
export const isVagueWord = (word: string): boolean => VAGUE_WORDS.has(word);
