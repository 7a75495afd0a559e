import ipaddr from "ipaddr.js";
import { ServiceError } from "../kernel/errors";
import { publicProcedure, router, type TrpcCtx } from "./trpc";

const LETTERS_MAX = 50;

/** Letters hold links that log in, so only the machine that svc runs on may read them. */
const localProcedure = publicProcedure.use(({ ctx, next }) => {
  if (!maySeeOutbox(ctx)) {
    throw new ServiceError("not_found", "There is no outbox here: mail is delivered, or you are on another machine.");
  }
  return next();
});

export const outboxRouter = router({
  list: localProcedure.query(({ ctx }) =>
    ctx.account.db.email.findMany({ orderBy: [{ createdAt: "desc" }, { id: "desc" }], take: LETTERS_MAX }),
  ),
});

function maySeeOutbox({ isLoopback, account, request }: TrpcCtx): boolean {
  return (
    isLoopback &&
    account.mail.delivery === "outbox" &&
    ipaddr.isValid(request.address) &&
    ipaddr.process(request.address).range() === "loopback"
  );
}
