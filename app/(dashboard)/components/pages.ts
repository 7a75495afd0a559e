import { keepPreviousData } from "@tanstack/react-query";
import { refreshEvery } from "../../trpc/query-client";

/** A part of a list, as the API returns it. */
export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** The cursor of the next page; undefined on the last one. */
export const nextCursor = (page: { next_cursor: string | null }): string | undefined => page.next_cursor ?? undefined;

/** How a list is loaded: page by page, and while a filter changes its rows stay. */
export const PAGES = { getNextPageParam: nextCursor, placeholderData: keepPreviousData } as const;

/** As `PAGES`, and loaded again every `ms`. */
export const pagesEvery = (ms: number) => ({ ...PAGES, refetchInterval: refreshEvery(ms) });

interface PagesState {
  state: { data?: { pages: { data: unknown[] }[] } | undefined; error: unknown };
}

/** As `PAGES`, and loaded again every `often` ms while one of the rows is about to change, else every `rest` ms. */
export const pagesWhile = <T>(isChanging: (row: T) => boolean, often: number, rest: number) => ({
  ...PAGES,
  refetchInterval: ({ state }: PagesState) => {
    const isMoving = state.data?.pages.some(({ data }) => (data as T[]).some(isChanging));
    return refreshEvery(isMoving ? often : rest)({ state });
  },
});
