const LOCALE = /^([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_].*)?$/i;

/**
 * The locale as it is recorded: language, and region where there is one, in the letters of BCP 47 (`en`, `pt-BR`); `en`
 * for what is none. Matching and call-to-action labels go by what was sent.
 */
export function storedLocale(locale: string): string {
  const [, language, region] = LOCALE.exec(locale) ?? [];
  if (!language) return "en";
  return region ? `${language.toLowerCase()}-${region.toUpperCase()}` : language.toLowerCase();
}
