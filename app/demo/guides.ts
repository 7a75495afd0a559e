/** One guide of the invented magazine. */
export interface Guide {
  slug: string;
  title: string;
  standfirst: string;
  /** What readers type when they need it; also a search to try. */
  query: string;
  words: string[];
  monthsInUse: number;
  testers: number;
}

export const GUIDES: Guide[] = [
  {
    slug: "trail-shoes",
    title: "Trail shoes at 900 kilometres",
    standfirst: "Foam goes flat before the lugs do. Which pairs still felt like shoes in the second winter.",
    query: "trail running shoes",
    words: ["trail", "running", "shoes", "shoe", "hiking", "run"],
    monthsInUse: 19,
    testers: 6,
  },
  {
    slug: "espresso",
    title: "Espresso machines after 3,000 shots",
    standfirst: "Gaskets, scale and one snapped portafilter: what owning a machine is really like.",
    query: "espresso machine for home",
    words: ["espresso", "coffee", "machine", "grinder"],
    monthsInUse: 26,
    testers: 4,
  },
  {
    slug: "headphones",
    title: "Headphones you can repair",
    standfirst: "Ear pads and batteries wear out in two years. We replaced both on nine models.",
    query: "noise cancelling headphones",
    words: ["headphones", "headphone", "noise", "cancelling", "earbuds", "audio"],
    monthsInUse: 31,
    testers: 9,
  },
  {
    slug: "standing-desks",
    title: "Standing desks, raised 11,000 times",
    standfirst: "Motors first, then wobble. The frames that stayed quiet, and the two that did not.",
    query: "standing desk",
    words: ["standing", "desk", "office", "chair", "ergonomic"],
    monthsInUse: 24,
    testers: 5,
  },
  {
    slug: "backpacks",
    title: "Travel backpacks, zip by zip",
    standfirst: "Forty flights each. Fabric survives everything; zips and straps decide.",
    query: "carry-on travel backpack",
    words: ["travel", "backpack", "carry-on", "bag", "luggage"],
    monthsInUse: 15,
    testers: 7,
  },
  {
    slug: "laptops",
    title: "Student laptops in year three",
    standfirst: "We bought the same five laptops that students bought, and handed them back scratched.",
    query: "laptop for college under 800",
    words: ["laptop", "college", "student", "computer", "notebook"],
    monthsInUse: 34,
    testers: 5,
  },
];

/** Guides that share a word with the search, most shared words first. */
export function findGuides(query: string): Guide[] {
  const asked = new Set(query.toLowerCase().split(/\s+/));
  const shared = (guide: Guide): number => guide.words.filter((word) => asked.has(word)).length;
  return GUIDES.filter((guide) => shared(guide) > 0).sort((a, b) => shared(b) - shared(a));
}
