-- Volumes, networks and databases that no record names.
ALTER TABLE "unknown_volumes" RENAME TO "quarantine";
