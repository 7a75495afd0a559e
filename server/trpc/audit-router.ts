import { ListAudit, listAudit } from "../identity/audit/list-audit";
import { verifyAudit } from "../identity/audit/verify-audit";
import { router, scoped } from "./trpc";

const read = scoped("audit:read");

export const auditRouter = router({
  list: read.input(ListAudit).query(({ ctx, input }) => listAudit(ctx.person, input)),
  verify: read.query(({ ctx }) => verifyAudit(ctx.person, ctx.person.actor.tenantId)),
});
