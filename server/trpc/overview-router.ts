import { ListAttention, listAttention } from "../ads/attention/list-attention";
import { router, scoped } from "./trpc";

export const overviewRouter = router({
  attention: scoped("ads:read")
    .input(ListAttention)
    .query(({ ctx, input }) => listAttention(ctx.person, input)),
});
