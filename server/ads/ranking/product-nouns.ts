const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Nouns of things that belong to other things: in "laptop bag" or "mouse pad" the word before them names what the item
 * is for, not what it is. Singular, folded as the tokenizer folds; a general list of commerce.
 */
const ACCESSORIES = words(`
  abdeckung accesorio accessoire accessory adapter adaptor akku antenna arm attachment backpack bag base bateria
  batterie battery belt bezel bolsa bracket bumper cabinet cable card cargador carrier cart case charger
  chargeur chassis clip coating collar connector controller converter cooler coque cord cover cradle cuff
  cushion decal dock drawer drum enclosure etui extender extension fan feeder filament filter fixture foil folie
  folio frame funda fuser glove grip guard halter halterung hanger hardware harness head headset heatsink hinge
  holder holster hood hook hose housing housse hub hulle insert insole inverter jack jacket kabel kit knob
  koffer lace ladegerat lamp lanyard lead lens licence license lid liner lock maintenance manual mat mount
  mounting needle nozzle pad pan panel part patch pedal pied pillow plate pod pouch protection protector rack
  rail reader receiver reflector remote replacement rest retainer ribbon roller sacoche saddle schutzfolie
  schutzhulle screen screw seal service shade sheath shelf shell shield skin sleeve slot socket software
  solution soporte spindle splitter spool stacker stand standfuss station stick sticker stopper strap strip
  stylus suction supply support suspension tail tasche tintenpatrone toner toolkit topper transceiver tray
  tripod trolley upgrade valve visor wallet warranty wipe wrap wristband zipper zubehor
`);

/** Nouns of things that stand for themselves, beside each other where an item is both: "notebook PC", "keyboard and mouse". */
const MAIN_PRODUCTS = words(`
  alarm amplifier appliance armchair barbecue barebone bench bicycle bike bildschirm binder blanket blender
  boiler book bookcase boot bottle bracelet calculator camcorder camera candle car carpet chair chaussure
  chromebook clock coat coffee coffeemaker combo computer console cooker copier couch cream cup dehumidifier
  desktop detector dishwasher display doll dress drill drive drone drucker dryer earbud earphone ecran espresso
  fax fernseher flashlight freezer fridge fryer fuse game gamepad glasses grill guitar hammer handy hat
  headphone heater helmet hob hoodie humidifier impresora imprimante iron jeans joystick kamera kettle keyboard
  knife kopfhorer ladder lantern laptop lautsprecher loudspeaker luggage machine mainboard mattress memory
  microphone microscope microwave mirror mixer mobile modem monitor montre motherboard motorcycle mouse mower
  mug multifunctional necklace netbook notebook ordenador ordinateur oven pantalla pants pc perfume phone photo
  piano player plotter pot printer processor projector purse puzzle radio razor recorder refrigerator reloj ring
  robot router saw scale scanner schuh scooter server shampoo shaver shirt shoe shorts shredder skirt smartphone
  smartwatch sneaker soap sock sofa soundbar speaker stove stroller stuhl suitcase sunglasses sweater switch
  table tablet telephone telescope television theater theatre thermometer thermostat tisch toaster tool
  toothbrush towel toy treadmill trimmer trousers turntable tv uhr ultrabook ups vacuum vase vehicle violin
  walker wardrobe washer watch webcam wine workstation zapato
`);

/** Whether a word names an accessory, a product of its own, or neither; plurals count. */
export function nounKind(word: string): "accessory" | "main" | undefined {
  const forms = [word, word.replace(/s$/, ""), word.replace(/es$/, ""), word.replace(/ies$/, "y")];
  if (forms.some((form) => ACCESSORIES.has(form))) return "accessory";
  return forms.some((form) => MAIN_PRODUCTS.has(form)) ? "main" : undefined;
}

const MAKE_BELIEVE = words(
  "doll dolls dollhouse toy toys playset miniature spielzeug puppe jouet poupee juguete muneca",
);

/** Whether a word says that an item only plays what its other nouns name: a toy car, a doll's bag. */
export const isMakeBelieve = (word: string): boolean => MAKE_BELIEVE.has(word);
