import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECKSUM_LENGTH = 6;

/** Whether a token of GitHub or npm ends with the CRC32 of its random part in base 62, as both of them publish. */
export function hasTokenChecksum(token: string): boolean {
  const random = token.slice(token.indexOf("_") + 1, -CHECKSUM_LENGTH);
  let text = "";
  for (let left = crc32(random); left > 0; left = Math.floor(left / 62)) text = BASE62.charAt(left % 62) + text;
  return text.padStart(CHECKSUM_LENGTH, "0") === token.slice(-CHECKSUM_LENGTH);
}

/** ISO/IEC 7812-1, annex B. */
export function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** ISO 13616: the number modulo 97 is 1, with the first four characters at the end and letters as 10 to 35. */
export function hasIbanChecksum(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Japan's order 85 of 2014 of the Ministry of Internal Affairs, article 5: weights 2 to 7 twice, modulo 11. */
export function hasMyNumberDigit(digits: string): boolean {
  let sum = 0;
  for (let n = 1; n <= 11; n++) sum += (digits.charCodeAt(11 - n) - 48) * (n <= 6 ? n + 1 : n - 5);
  const rest = sum % 11;
  return digits.charCodeAt(11) - 48 === (rest <= 1 ? 0 : 11 - rest);
}
