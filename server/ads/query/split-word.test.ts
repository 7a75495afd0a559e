import { expect, test } from "vitest";
import { indexOf } from "../matching/titled-index.fixture";
import { partsOf } from "./split-word";
import { vocabularyOf } from "./vocabulary.fixture";

const SHOP = indexOf([
  "Sony PS4 Games",
  "SD Card 64 GB",
  "Phone 12 Case",
  "Lexmark C782x2yg Toner Yellow",
  "TV for a Wall, Box",
  "Car Charger",
  "Petcar Toy",
  "Carpet",
  "Carpet Cleaner",
  "Red Lamp",
  "Box of Nails",
  "Car",
]);

test.each([
  ["ps4games", ["ps4", "games"], "parts with digits"],
  ["sdcard", ["sd", "card"], "two letters, next to the other part in a title"],
  ["phone12", ["phone", "12"], "a number, next to the other part in a title"],
  ["c782x2ygyellow", ["c782x2yg", "yellow"], "a rare part, in one title with the other"],
  ["carcharger", ["car", "charger"], "the pair of a title"],
  ["carpetcar", ["carpet", "car"], "of two cuts the one whose rarer part is in the most titles"],
  ["redcarpet", ["red", "carpet"], "parts that no title has together, in a small catalog"],
])("%s is cut into %j: %s", (word, parts) => expect(partsOf(word, vocabularyOf(SHOP))).toEqual(parts));

test.each([
  ["tvbox", "two letters that stand next to the other part in no title"],
  ["cardsd", "two letters that stand next to the other part in another order"],
  ["phone1264", "no cut is inside a number"],
  ["case64", "a number that stands next to the other part in no title"],
  ["dlamp", "a letter is no part"],
  ["redx", "too short"],
  ["zorbelquarl", "unknown parts"],
])("%s is not cut: %s", (word) => expect(partsOf(word, vocabularyOf(SHOP))).toBeUndefined());

test("parts that no title has together are in five titles of a large catalog", () => {
  const titles = (red: number) => [
    ...Array.from({ length: red }, () => "Red"),
    ...Array.from({ length: 10 }, () => "Carpet"),
    ...Array.from({ length: 1000 }, (_, i) => `Nail ${i}`),
  ];
  expect(partsOf("redcarpet", vocabularyOf(indexOf(titles(4))))).toBeUndefined();
  expect(partsOf("redcarpet", vocabularyOf(indexOf(titles(5))))).toEqual(["red", "carpet"]);
});

test("a removed title proves nothing", () => {
  const index = indexOf(["SD Card", "SD", "Card"]);
  expect(partsOf("sdcard", vocabularyOf(index))).toEqual(["sd", "card"]);
  index.remove(0, ["sd", "card"]);
  expect(partsOf("sdcard", vocabularyOf(index))).toBeUndefined();
});
