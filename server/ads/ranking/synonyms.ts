import { stem } from "./tokenizer";

/** Another word of the index for a word of the query. */
export interface Alternative {
  /** Its form in the index. */
  word: string;
  /** What a find of it is worth in the ranking, beside 1 for the word itself. */
  share: number;
  /** How much of the word's meaning it covers. */
  coverShare: number;
}

/** Several words that are one name, as the index knows them: "solid_state_drive". */
export interface Phrase {
  words: readonly string[];
  form: string;
}

/** What somebody wrote fits better than another name of the same: tuned on test/bench/relevance.ts. */
const EQUAL = { share: 0.6, coverShare: 0.8 };
const NARROWER = { share: 0.5, coverShare: 0.7 };
const PHRASE_WORDS_MAX = 4;

/** Names of one thing, a line each; the words of a phrase are joined by underscores. A general list of commerce. */
const EQUALS = `
laptop notebook
tv television telly
fridge refrigerator
freezer deep_freezer
smartphone cellphone cell_phone mobile_phone mobile handset
pc computer
monitor computer_screen
ssd solid_state_drive solid_state_disk
hdd hard_drive hard_disk hard_disk_drive
usb_stick usb_flash_drive flash_drive thumb_drive pen_drive pendrive memory_stick memory_key
ram memory_module
gpu graphics_card video_card graphic_card
cpu processor
mainboard motherboard
ups uninterruptible_power_supply
pdu power_distribution_unit
psu power_supply
nas network_attached_storage
nic network_card network_adapter
kvm kvm_switch
access_point wap
wifi wi_fi wlan
ethernet lan
router wifi_router
power_bank powerbank portable_charger
surge_protector surge_suppressor
power_strip extension_lead
webcam web_camera web_cam
camcorder video_camera
mousepad mouse_pad mouse_mat
earphones earbuds in_ear_headphones
loudspeaker speaker
soundbar sound_bar
home_theater home_theatre home_cinema
projector beamer
aio all_in_one
mfp multifunction_printer multifunctional
ereader e_reader ebook_reader
smartwatch smart_watch
sat_nav satnav gps_navigator
walkie_talkie two_way_radio
cordless wireless
microsd micro_sd
playstation_5 ps5
playstation_4 ps4
playstation_3 ps3
playstation_2 ps2
playstation_portable psp
video_game videogame
joystick flight_stick
gamepad game_controller
photocopier copier
paper_shredder shredder
vacuum_cleaner vacuum hoover
hair_dryer hairdryer blow_dryer
air_conditioner aircon
cooker stove
dishwasher dish_washer
washing_machine washer
tumble_dryer clothes_dryer
coffee_maker coffee_machine
kettle water_boiler
shaver electric_razor
sofa couch settee
wardrobe closet
bookcase bookshelf
rug carpet
curtain drape
lamp light
light_bulb lightbulb
torch flashlight
rucksack backpack
suitcase luggage
handbag purse
sneakers trainers
trousers pants
sweater jumper pullover
hoodie hooded_sweatshirt
tshirt t_shirt tee
swimsuit bathing_suit
pajamas pyjamas
eyeglasses spectacles
jewelry jewellery
perfume fragrance
lipstick lip_stick
diaper nappy
stroller pushchair pram buggy
crib cot
pacifier dummy
bike bicycle
motorbike motorcycle
tire tyre
lawnmower lawn_mower
adapter adaptor
cable cord lead
charger power_adapter
outlet socket
color colour
gray grey
aluminum aluminium
fiber fibre
center centre
meter metre
liter litre
theater theatre
license licence
organizer organiser
inch inches
`;

/** A thing, then narrower ones that a person who names it also means. */
const NARROWERS = `
laptop chromebook netbook ultrabook macbook
computer desktop workstation
pc desktop workstation laptop notebook
phone smartphone
headphones earphones earbuds headset
headset headphones
tablet ipad
sd sdhc sdxc
microsd microsdhc microsdxc
printer laserjet inkjet deskjet officejet multifunctional
tv hdtv
camera camcorder webcam
watch smartwatch
console playstation xbox
drive hdd ssd
storage hdd ssd nas
speaker soundbar subwoofer
disc dvd cd
shoes sneakers boots sandals
bag backpack handbag
`;

const formOf = (phrase: string): string => phrase.split("_").map(stem).join("_");
const rowsOf = (text: string): string[][] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split(" ").map(formOf));

const ALTERNATIVES = new Map<string, Alternative[]>();
const PHRASES_BY_FIRST_WORD = new Map<string, Phrase[]>();

for (const row of rowsOf(EQUALS)) for (const word of row) for (const other of row) relate(word, other, EQUAL);
for (const [word = "", ...others] of rowsOf(NARROWERS)) for (const other of others) relate(word, other, NARROWER);
for (const form of new Set([...rowsOf(EQUALS), ...rowsOf(NARROWERS)].flat())) {
  const words = form.split("_");
  const [first = ""] = words;
  if (words.length > 1)
    PHRASES_BY_FIRST_WORD.set(first, [...(PHRASES_BY_FIRST_WORD.get(first) ?? []), { words, form }]);
}

/** What else a word or phrase, in its form of the index, is called. */
export const alternativesOf = (form: string): readonly Alternative[] => ALTERNATIVES.get(form) ?? [];

/** Whether two forms are names of one thing, or the second names a narrower one. */
export const isSynonym = (form: string, other: string): boolean =>
  alternativesOf(form).some(({ word }) => word === other);

/** The known phrases that begin at a place among stemmed words. */
export const phrasesFrom = (words: readonly string[], at: number): readonly Phrase[] =>
  PHRASES_BY_FIRST_WORD.get(words[at] ?? "")?.filter((phrase) =>
    phrase.words.every((word, i) => words[at + i] === word),
  ) ?? [];

/** The known phrases whose last word stands at a place among stemmed words. */
export function phrasesUpTo(words: readonly string[], at: number): Phrase[] {
  const found: Phrase[] = [];
  for (let from = Math.max(0, at - PHRASE_WORDS_MAX + 1); from < at; from++) {
    found.push(...phrasesFrom(words, from).filter((phrase) => from + phrase.words.length === at + 1));
  }
  return found;
}

function relate(word: string, other: string, shares: typeof EQUAL): void {
  const known = ALTERNATIVES.get(word) ?? [];
  if (other === word || known.some((alternative) => alternative.word === other)) return;
  ALTERNATIVES.set(word, [...known, { word: other, ...shares }]);
}
