const LOCALE = /^([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_].*)?$/i;

/**
 * The locale as it is stored: language and optional region in BCP 47 case (`en`, `pt-BR`), or `en` for an invalid
 * locale. Matching and call-to-action labels use the original value.
 */
export function storedLocale(locale: string): string {
  const [, language, region] = LOCALE.exec(locale) ?? [];
  if (!language) return "en";
  return region ? `${language.toLowerCase()}-${region.toUpperCase()}` : language.toLowerCase();
}
