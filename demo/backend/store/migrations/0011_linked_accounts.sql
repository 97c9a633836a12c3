ALTER TABLE "accounts" ADD COLUMN "linked_at" bigint;--> statement-breakpoint
UPDATE "accounts" SET "linked_at" = COALESCE("first_verified_at", "verified_at");--> statement-breakpoint
ALTER TABLE "accounts" ALTER COLUMN "linked_at" SET NOT NULL;