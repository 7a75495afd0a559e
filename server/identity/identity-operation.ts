import type { z } from "zod";
import { type Operation, operationsOf, type Provided } from "../operation/operation";
import type { VisitorCtx } from "./identity-ctx";

const PRODUCT = "identity";

/** Declares an operation on keys, projects or the tenant, for callers with its scope. */
export const operation = operationsOf<never>(PRODUCT);

type Declared<Ctx, I extends z.ZodObject, O extends z.ZodType, R extends z.input<O>, Id extends string> = Omit<
  Operation<Ctx, I, O, R, Id>,
  "product" | "access"
>;

/** Declares an operation on the caller's own account. */
export const personOperation = <
  Ctx,
  I extends z.ZodObject,
  O extends z.ZodType,
  R extends z.input<O>,
  Id extends string,
>(
  declared: Declared<Ctx, I, O, R, Id> & { access: "person" },
): Operation<Ctx, I, O, R, Id> => ({ ...declared, product: PRODUCT });

/** Declares an operation that anyone may call. */
export const publicOperation = <
  Ctx,
  I extends z.ZodObject,
  O extends z.ZodType,
  R extends z.input<O>,
  Id extends string,
>(
  declared: Declared<Ctx, I, O, R, Id> & { access: "public" } & Provided<VisitorCtx, Ctx>,
): Operation<Ctx, I, O, R, Id> => ({ ...declared, product: PRODUCT });
