import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { type Columns, DataTable } from "./data-table";

interface Queue {
  id: string;
  waiting: number;
}

const QUEUES: Queue[] = [
  { id: "jobs", waiting: 3 },
  { id: "mails", waiting: 0 },
];
const COLUMNS: Columns<Queue> = [
  { label: "Name", sortBy: "name", cell: ({ id }) => id },
  { label: "Waiting", numeric: true, sortBy: "waiting", cell: ({ waiting }) => waiting },
];
const TABLE = { caption: "Queues", rows: QUEUES, keyOf: ({ id }: Queue) => id, columns: COLUMNS };

it("names each row by its first column, and has no column for menus where there are none", () => {
  const html = renderToStaticMarkup(<DataTable {...TABLE} />);
  expect(html.match(/<th scope="row"[^>]*>[^<]*/g)?.map((cell) => cell.replace(/.*>/, ""))).toEqual(["jobs", "mails"]);
  expect(html).not.toContain("Actions");
  expect(renderToStaticMarkup(<DataTable {...TABLE} menu={({ id }) => `menu of ${id}`} />)).toMatch(
    /Actions.*menu of jobs.*menu of mails/,
  );
});

it("marks the heading that the rows are sorted by, for assistive technology too", () => {
  const sorting = { sort: "waiting", order: "desc" as const, onSort: () => undefined };
  const html = renderToStaticMarkup(<DataTable {...TABLE} sorting={sorting} />);
  expect(html.match(/aria-sort="[a-z]+"/g)).toEqual(['aria-sort="descending"']);
  expect(renderToStaticMarkup(<DataTable {...TABLE} />)).not.toContain("<button");
});

it("has a checkbox for each row, and one for all, which is checked once all are", () => {
  const checked = (chosen: readonly string[]) => {
    const selection = {
      nameOf: ({ id }: Queue) => id,
      isChosen: ({ id }: Queue) => chosen.includes(id),
      onToggle: () => undefined,
      onAll: () => undefined,
    };
    const html = renderToStaticMarkup(<DataTable {...TABLE} selection={selection} />);
    return [...html.matchAll(/<input[^>]*aria-label="([^"]*)"[^>]*>/g)].map(([input, label]) => [
      label,
      input.includes("checked"),
    ]);
  };
  expect(checked(["jobs"])).toEqual([
    ["Select all shown", false],
    ["Select jobs", true],
    ["Select mails", false],
  ]);
  expect(checked(["jobs", "mails"])[0]).toEqual(["Select all shown", true]);
});
