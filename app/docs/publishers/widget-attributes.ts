type Rows = readonly (readonly [attribute: string, meaning: string])[];

export const SCRIPT_ATTRIBUTES: Rows = [
  ["data-key", "The channel’s browser key (svc_pub_…). Required."],
  ["data-api", "The API's origin, if the script is served from another host. Links of offers must lead there."],
  ["data-user-id", "Your ID for the reader: a keyed hash, never personal data. Used for frequency caps and interests."],
  ["data-personalize", "Lets the widget store a random ID for 90 days, if the reader’s consent allows it."],
  [
    "data-debug",
    "Logs one line to the console per failure. Without it, only the first one that needs a fix on the page: a missing, wrong or refused key, or links of offers that lead to another origin.",
  ],
];

export const SLOT_ATTRIBUTES: Rows = [
  ["data-svc-offers", "Makes the element a slot."],
  ["data-query", "What the reader wants. Default: the search query in the URL of the page or of its referrer."],
  [
    "data-context",
    "What the page is about. Default: its title, headings, keywords and JSON-LD products or articles; never form fields, email addresses or long numbers.",
  ],
  ["data-placement", "The slot’s name in reports. Default: sponsored_result."],
  ["data-limit", "The maximum number of offers, 1 to 8. Default: 1."],
  ["data-layout", "card, list, inline or banner. Default: card."],
  ["data-theme", "auto, light or dark; auto follows the reader’s system. Default: auto."],
];
