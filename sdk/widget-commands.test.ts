import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import type { Svc, SvcEvent } from "../widget/api";
import type { SlotRequest as TakenRequest } from "../widget/slot-request";
import { type SlotRequest, svc, type WidgetCommands, type WidgetEvents } from "./widget-commands";

const element = {} as HTMLElement;
let page: { svc?: { (...call: unknown[]): void; q?: unknown[] } };

beforeEach(() => {
  page = {};
  vi.stubGlobal("window", page);
});
afterEach(() => void vi.unstubAllGlobals());

describe("a command", () => {
  it("waits in the queue that the widget empties when it comes", () => {
    svc("render", element, { query: "boots" });
    svc("destroy", element);
    expect(page.svc?.q).toEqual([
      ["render", element, { query: "boots" }],
      ["destroy", element],
    ]);
  });

  it("joins the queue that the page has made", () => {
    const q: unknown[] = [];
    page.svc = Object.assign((...call: unknown[]) => void q.push(call), { q });
    svc("forget");
    expect(q).toEqual([["forget"]]);
  });

  it("is done at once when the widget is there", () => {
    const done = vi.fn();
    page.svc = done;
    const heard = (): void => undefined;
    svc("on", "rendered", heard);
    expect(done).toHaveBeenCalledWith("on", "rendered", heard);
  });
});

it("says to the compiler what the widget takes and tells", () => {
  expectTypeOf<keyof WidgetEvents>().toEqualTypeOf<SvcEvent>();
  expectTypeOf<keyof SlotRequest>().toEqualTypeOf<keyof TakenRequest>();
  expectTypeOf<SlotRequest>().toExtend<TakenRequest>();
  expectTypeOf<Svc>().toExtend<WidgetCommands>();
});
