import { expect, test } from "vitest";
import { splitStatements } from "./split-statements";

test.each([
  ["SELECT 1; SELECT 2", ["SELECT 1", "SELECT 2"]],
  ["SELECT 1;;\n ;", ["SELECT 1"]],
  ["SELECT ';' , 'it''s; \\';', \"a;b\", `c;d`; SELECT 2;", ["SELECT ';' , 'it''s; \\';', \"a;b\", `c;d`", "SELECT 2"]],
  ["-- a; b\nSELECT 1; -- it's the end;", ["-- a; b\nSELECT 1"]],
  ["/* x; y' */ SELECT 1 /* ; */; SELECT 2", ["/* x; y' */ SELECT 1 /* ; */", "SELECT 2"]],
  ["-- only a comment;\n", []],
  ["SELECT '-- no comment; /*'; SELECT 2", ["SELECT '-- no comment; /*'", "SELECT 2"]],
  ["SELECT 'unfinished; ", ["SELECT 'unfinished;"]],
  ["", []],
])("%j splits only where a statement ends", (sql, statements) => {
  expect(splitStatements(sql)).toEqual(statements);
});
