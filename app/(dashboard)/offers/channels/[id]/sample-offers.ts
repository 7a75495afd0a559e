/** Sample offers in the format of the offers API, for a preview without requests; links stay on `origin`, as the widget requires. */
export const sampleOffers = (origin: string, count: number) =>
  SAMPLES.slice(0, count).map(({ title, content, cta, brand, amount, was }, place) => ({
    id: `00000000-0000-7000-8000-00000000000${place}`,
    title,
    content,
    cta,
    clickUrl: `${origin}/api/v1/click/preview`,
    ad_type: "sponsored_result",
    source: "svc",
    brand: { name: brand },
    price: {
      amount,
      currency: "USD",
      ...(was && { originalPrice: was, discount: Math.round(100 * (1 - amount / was)) }),
    },
    rating: { value: RATINGS[place % RATINGS.length], scale: 5, count: 120 * (place + 1) },
  }));

const RATINGS = [4.7, 4.4, 4.8, 4.2];

const SAMPLES: { title: string; content: string; cta: string; brand: string; amount: number; was?: number }[] = [
  {
    title: "Quiet headphones for long flights",
    content: "Forty hours on one charge, folds flat, two years of warranty.",
    cta: "See the offer",
    brand: "Northlight Audio",
    amount: 149,
    was: 199,
  },
  {
    title: "Trail shoes that stay dry",
    content: "A waterproof membrane and a sole that grips wet rock.",
    cta: "Shop now",
    brand: "Ridgeline",
    amount: 119.5,
  },
  {
    title: "Espresso at home, without the fuss",
    content: "Heats in half a minute; milk froth at the turn of a knob.",
    cta: "Compare models",
    brand: "Crema & Co.",
    amount: 389,
    was: 449,
  },
  {
    title: "A tent for two in nine minutes",
    content: "Free-standing, 1.9 kg, and still up in the morning.",
    cta: "See the tent",
    brand: "Fernwood",
    amount: 259,
  },
  {
    title: "A desk lamp that follows the daylight",
    content: "Warm in the evening, clear at noon, dimmed by a touch.",
    cta: "Learn more",
    brand: "Halden",
    amount: 79,
    was: 99,
  },
  {
    title: "Notebooks with paper that takes ink",
    content: "Lies flat, numbered pages, no bleeding.",
    cta: "Choose one",
    brand: "Foliant",
    amount: 18.9,
  },
  {
    title: "A pan that outlives its owner",
    content: "Forged steel, seasoned, for every stove.",
    cta: "Shop now",
    brand: "Eisenherd",
    amount: 64,
  },
  {
    title: "Lessons in Portuguese, ten minutes a day",
    content: "Spoken by people, not by a machine.",
    cta: "Try a week",
    brand: "Falar",
    amount: 9.99,
  },
];
