import type { Outputs } from "../../../trpc/client";

export type Creative = Outputs["campaigns"]["listCreatives"]["data"][number];

/** What a preview shows of a creative. */
export type PreviewedCreative = Pick<Creative, "title" | "content" | "cta" | "brand" | "price" | "rating">;
