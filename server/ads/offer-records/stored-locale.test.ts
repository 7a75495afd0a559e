import { expect, it } from "vitest";
import { storedLocale } from "./stored-locale";

it.each([
  ["en", "en"],
  ["EN_us", "en-US"],
  ["pt-br", "pt-BR"],
  ["zh-Hant-TW", "zh-TW"],
  ["es-419", "es-419"],
  ["de-DE-u-co-phonebk", "de-DE"],
  ["", "en"],
  ["x", "en"],
  ["english", "en"],
  ["<script>", "en"],
  ["en\nUS", "en"],
])("records %j as %s", (sent, stored) => {
  expect(storedLocale(sent)).toBe(stored);
});
