-- Links that were given out before are not known to have been emailed.

-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "is_emailed" BOOLEAN NOT NULL DEFAULT false;
