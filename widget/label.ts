const LABELS: Record<string, string> = {
  de: "Anzeige",
  es: "Patrocinado",
  fr: "Sponsorisé",
  it: "Sponsorizzato",
  ja: "広告",
  pt: "Patrocinado",
};

/** The label of advertising in the language of a locale; in English if it is none of these. */
export function labelIn(locale: string): string {
  return LABELS[locale.slice(0, 2)] || "Sponsored";
}
