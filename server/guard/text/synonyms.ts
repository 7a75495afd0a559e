import { stem } from "./tokenizer";

/** Words for the same goods, one group per line, for shops that use another word than their visitors. */
const GROUPS = `
laptop notebook
tv television telly
fridge refrigerator
smartphone cellphone
pc computer
hdd harddrive
gpu graphics
earphones earbuds
camcorder videocamera
cooker stove range
vacuum hoover
hairdryer blowdryer
shaver razor
sofa couch settee
wardrobe closet armoire
bookcase bookshelf
rug carpet
curtain drape
lamp light
torch flashlight
rucksack backpack
suitcase luggage
handbag purse
sneakers trainers
trousers pants
sweater jumper pullover
swimsuit swimwear
pajamas pyjamas
eyeglasses spectacles glasses
jewelry jewellery
perfume fragrance
diaper nappy
stroller pushchair pram
crib cot
pacifier dummy
bike bicycle
motorbike motorcycle
tire tyre
lawnmower mower
faucet tap
spanner wrench
wallpaper wallcovering
trash garbage rubbish
can tin
cookie biscuit
soda lemonade
eggplant aubergine
zucchini courgette
cilantro coriander
holiday vacation
hotel accommodation
flight airfare
apartment flat
adapter adaptor
charger recharger
color colour
gray grey
aluminum aluminium
fiber fibre
center centre
theater theatre
organizer organiser
`;

const SYNONYMS = new Map<string, string[]>();
for (const line of GROUPS.trim().split("\n")) {
  const forms = line.split(" ").map(stem);
  for (const form of forms) SYNONYMS.set(form, [...(SYNONYMS.get(form) ?? []), ...forms.filter((one) => one !== form)]);
}

/** Other indexed forms for an indexed form; empty for most words. */
export const synonymsOf = (form: string): readonly string[] => SYNONYMS.get(form) ?? [];
