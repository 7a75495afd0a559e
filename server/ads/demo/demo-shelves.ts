/** A product of the demo, before it gets its ids, link and price tag. */
export interface DemoProduct {
  title: string;
  category: string;
  description: string;
  amount: number;
  originalAmount: number | undefined;
  rating: { value: number; scale: number; count: number };
}

/** What each shop sells: category, then `name | price | price before` with the words that buyers use. */
const SHELVES: Readonly<Record<string, { category: string; about: string; goods: string }>> = {
  computers: {
    category: "Electronics>Computers",
    about: "Three-year guarantee, delivered in two days.",
    goods: `
    Feather 13 laptop for students, 16 GB memory | 799 | 899
    Feather 15 laptop for work, 32 GB memory | 1299
    Forge 17 gaming laptop with RTX-class graphics | 1899 | 2099
    Slate 11 tablet with pen | 449
    Vista 27 monitor, 4K | 379 | 429
    Vista 34 curved ultrawide monitor | 649
    USB-C docking station, 12 ports | 159
    Quiet mechanical keyboard | 99
    Wireless ergonomic mouse | 49 | 59
    Pocket SSD 1 TB external drive | 89
    Laptop backpack 15 inch, water-resistant | 69
    Laptop stand, folding aluminium | 39`,
  },
  audio: {
    category: "Electronics>Audio",
    about: "Made to be repaired: cushions and batteries can be changed.",
    goods: `
    Hush Pro noise-cancelling wireless headphones | 249 | 299
    Hush Lite on-ear headphones | 99
    Drop wireless earbuds with charging case | 129
    Drop Sport waterproof earbuds for running | 89 | 109
    Cove bluetooth speaker, 20 hours | 119
    Cove Mini portable speaker | 59
    Stage soundbar with subwoofer for television | 349 | 399
    Gaming headset with microphone | 79
    Needle turntable record player | 229
    Studio microphone for podcasts, USB | 139`,
  },
  photo: {
    category: "Electronics>Cameras",
    about: "With a free online course in photography.",
    goods: `
    Pocket 5 compact digital camera | 399
    System 2 mirrorless camera with 18-55 mm lens | 899 | 999
    50 mm portrait lens | 249
    Travel tripod, carbon | 149
    Padded camera bag | 69
    Action camera, waterproof to 30 m | 279 | 319
    Instant camera with film | 89
    Memory card 128 GB | 29`,
  },
  kitchen: {
    category: "Home>Kitchen",
    about: "Spare parts for 15 years.",
    goods: `
    Drip coffee maker with thermal jug | 89 | 109
    Espresso machine with grinder | 449
    Electric kettle, 1.5 litres | 49
    Cast-iron frying pan, 28 cm | 59
    Stainless steel pot set, five pieces | 149 | 189
    Chef's kitchen knife, 20 cm | 79
    Stand mixer for bread dough | 299
    Hand blender | 45
    Air fryer, 5 litres | 129 | 149
    Toaster for four slices | 55
    Food storage boxes of glass, set of eight | 39`,
  },
  furniture: {
    category: "Home>Furniture",
    about: "Fits through narrow doors, assembled without tools.",
    goods: `
    Electric standing desk, 140 cm | 399 | 459
    Ergonomic office chair with lumbar support | 289
    Sofa bed for two | 749 | 849
    Oak bookshelf, five levels | 219
    Folding dining table for six | 329
    Reading floor lamp, dimmable | 89
    Desk lamp with USB port | 49
    Bed frame with drawers, 160 cm | 459
    Memory foam mattress, 160 cm | 399 | 499
    Shoe cabinet, slim | 99`,
  },
  outdoor: {
    category: "Outdoor>Camping",
    about: "Repaired free of charge for five years.",
    goods: `
    Two-person hiking tent, 1.9 kg | 249 | 299
    Family camping tent for five | 429
    Waterproof hiking boots for women | 159
    Waterproof hiking boots for men | 159
    Trekking backpack 55 litres | 179 | 199
    Down sleeping bag to -5 degrees | 219
    Inflatable sleeping mat | 79
    Camping gas stove | 45
    Head torch, rechargeable | 39
    Insulated water bottle, 1 litre | 29
    Rain jacket with pit zips | 139 | 169
    Trekking poles, pair | 65`,
  },
  cycling: {
    category: "Outdoor>Cycling",
    about: "Delivered assembled and adjusted to your height.",
    goods: `
    City e-bike with belt drive | 2199 | 2499
    Gravel bike, aluminium | 1399
    Folding bicycle for commuters | 799
    Children's bicycle, 20 inch | 299
    Bicycle helmet with light | 79
    Bike lock, folding | 69
    Rear bicycle child seat | 99
    Bike panniers, waterproof pair | 119`,
  },
  clothes: {
    category: "Fashion>Clothing",
    about: "Organic cotton and wool, sizes XS to 4XL.",
    goods: `
    Winter jacket for women, recycled down | 189 | 229
    Winter jacket for men, recycled down | 189
    Merino wool sweater | 89
    Linen summer dress | 79 | 99
    Organic cotton T-shirt, pack of three | 45
    Straight jeans | 85
    Wool coat, long | 249
    Rain poncho | 59
    Merino socks, five pairs | 39
    Leather belt | 35`,
  },
  shoes: {
    category: "Fashion>Shoes",
    about: "100 days to try, returns free.",
    goods: `
    Glide running shoes for women | 129
    Glide running shoes for men | 129
    Arc stability running shoes for flat feet | 139 | 159
    Crag trail running shoes | 149
    Court white leather sneakers | 99
    Slip-on canvas sneakers | 59 | 69
    Winter boots, lined | 149
    Children's sneakers with velcro | 49
    Sandals for walking | 79`,
  },
  pets: {
    category: "Pets",
    about: "In the amount that your pet eats, every month.",
    goods: `
    Grain-free dry dog food, salmon, 12 kg | 59 | 69
    Puppy food with chicken, 3 kg | 22
    Wet cat food, mixed box of 24 | 26
    Orthopaedic dog bed, large | 89
    Cat tree with scratching post | 79 | 99
    Dog harness, reflective | 32
    Clumping cat litter, 15 kg | 19
    Chew toys for puppies, set | 18
    Pet carrier for cats and small dogs | 49`,
  },
  pantry: {
    category: "Food>Pantry",
    about: "From small growers, sent within a day.",
    goods: `
    Espresso coffee beans, 1 kg | 24
    Filter coffee beans from Ethiopia, 500 g | 16
    Decaf coffee, ground, 500 g | 15
    Japanese green tea, loose, 100 g | 14
    Extra virgin olive oil, 1 litre | 21 | 25
    Dark chocolate bars, box of ten | 32
    Wildflower honey, 500 g | 11
    Organic pasta, box of twelve | 29
    Mixed nuts, roasted, 1 kg | 19`,
  },
  beauty: {
    category: "Beauty>Skin care",
    about: "Without perfume, for sensitive skin.",
    goods: `
    Daily face cream with SPF 30 | 24
    Night moisturiser, 50 ml | 28 | 34
    Mineral sunscreen SPF 50 | 19
    Gentle shampoo, solid bar | 12
    Vitamin C serum | 32
    Hand cream, set of three | 18
    Beard oil and comb | 25
    Electric toothbrush with two heads | 79 | 99`,
  },
  toys: {
    category: "Toys>Games",
    about: "From beech wood and recycled card.",
    goods: `
    Wooden building blocks, 100 pieces | 49
    Harvest Road board game for the family | 39 | 45
    Night Signal co-operative board game | 44
    Jigsaw puzzle of a mountain lake, 1000 pieces | 22
    Wooden train set, 60 pieces | 69 | 79
    Marble run, large | 55
    Balance bike for toddlers | 89
    Memory card game with animals | 15
    Science kit: build a radio | 49`,
  },
  garden: {
    category: "Garden",
    about: "With a planting calendar for your region.",
    goods: `
    Garden hose on a reel, 25 m | 69 | 79
    Vegetable seeds, twelve kinds | 24
    Pruning shears | 29
    Raised bed of larch, 120 cm | 119
    Cordless lawn mower | 349 | 399
    Balcony planter with water tank | 35
    Potting soil without peat, 40 litres | 14
    Compost bin, 300 litres | 65
    Solar garden lights, set of eight | 39`,
  },
};

const LINE = /^(.+?) \| ([\d.]+)(?: \| ([\d.]+))?$/;

/** The products of a shelf, in the order in which they stand there. */
export function productsOf(shelf: string): DemoProduct[] {
  const { category, about, goods } = SHELVES[shelf] ?? { category: "", about: "", goods: "" };
  const lines = goods.split("\n").map((line) => LINE.exec(line.trim()));
  return lines.flatMap((match, i) => {
    if (!match) return [];
    const [, title = "", amount, before] = match;
    const rating = { value: 4 + ((i * 7) % 10) / 10, scale: 5, count: 40 + ((i * 137) % 900) };
    const description = `${title}. ${about}`;
    const originalAmount = before === undefined ? undefined : Number(before);
    return [{ title, category, description, amount: Number(amount), originalAmount, rating }];
  });
}
