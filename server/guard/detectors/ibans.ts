import { IS_UPPER_OR_DIGIT, IS_WORD, isIn, latin1 } from "./byte-classes";
import { hasIbanChecksum } from "./checksums";
import { IBAN } from "./personal-data";
import type { Match } from "./rule";

/** The lengths of the SWIFT registry of IBANs. */
const LENGTHS = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 " +
    "GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 " +
    "NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
const SPACE = 0x20;

/** An IBAN whose check digits begin at `digitsStart`, in one word or in groups of four. */
export function ibanAt(bytes: Buffer, digitsStart: number): Match | undefined {
  const start = digitsStart - 2;
  const length = start < 0 ? undefined : LENGTHS.get(latin1(bytes, start, digitsStart));
  if (length === undefined || isIn(IS_WORD, bytes, start - 1)) return undefined;
  let [text, at] = ["", start];
  while (text.length < length) {
    if (bytes[at] === SPACE && text.length % 4 === 0 && text.length > 0) at++;
    if (!isIn(IS_UPPER_OR_DIGIT, bytes, at)) return undefined;
    text += String.fromCharCode(bytes[at] ?? 0);
    at++;
  }
  if (isIn(IS_WORD, bytes, at) || !/^[A-Z]{2}\d\d/.test(text) || !hasIbanChecksum(text)) return undefined;
  return { rule: IBAN, start, end: at, confidence: "high" };
}
