import { AcceptInvitation, acceptInvitation } from "../identity/invitations/accept-invitation";
import { GetInvitation, getInvitation } from "../identity/invitations/get-invitation";
import { LogIn, logIn } from "../identity/users/log-in";
import { logOut } from "../identity/users/log-out";
import { RequestPasswordReset, requestPasswordReset } from "../identity/users/request-password-reset";
import { resendVerification } from "../identity/users/resend-verification";
import { ResetPassword, resetPassword } from "../identity/users/reset-password";
import { SignUp, signUp } from "../identity/users/sign-up";
import { VerifyEmail, verifyEmail } from "../identity/users/verify-email";
import { publicProcedure, router, sessionProcedure, type TrpcCtx } from "./trpc";

export const authRouter = router({
  session: publicProcedure.query(({ ctx: { session } }) =>
    session ? { user: session.user, tenant: session.tenant, role: session.actor.role } : null,
  ),
  signUp: publicProcedure
    .input(SignUp)
    .mutation(async ({ ctx, input }) => withCookie(ctx, await signUp(ctx.visitor, input))),
  logIn: publicProcedure
    .input(LogIn)
    .mutation(async ({ ctx, input }) => withCookie(ctx, await logIn(ctx.visitor, input))),
  logOut: sessionProcedure.mutation(async ({ ctx }) => withCookie(ctx, await logOut(ctx.person, {}))),
  verifyEmail: publicProcedure.input(VerifyEmail).mutation(({ ctx, input }) => verifyEmail(ctx.visitor, input)),
  resendVerification: sessionProcedure.mutation(({ ctx }) => resendVerification(ctx.person, {})),
  requestPasswordReset: publicProcedure
    .input(RequestPasswordReset)
    .mutation(({ ctx, input }) => requestPasswordReset(ctx.visitor, input)),
  resetPassword: publicProcedure.input(ResetPassword).mutation(({ ctx, input }) => resetPassword(ctx.visitor, input)),
  invitation: publicProcedure.input(GetInvitation).query(({ ctx, input }) => getInvitation(ctx.visitor, input)),
  acceptInvitation: sessionProcedure
    .input(AcceptInvitation)
    .mutation(({ ctx, input }) => acceptInvitation(ctx.person, input)),
});

/** Moves the cookie from a verb's result to the response's headers, out of the reach of scripts. */
function withCookie<T extends { cookie: string }>(ctx: TrpcCtx, { cookie, ...rest }: T): Omit<T, "cookie"> {
  ctx.responseHeaders.append("set-cookie", cookie);
  return rest;
}
