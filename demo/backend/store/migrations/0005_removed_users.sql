ALTER TABLE "users" ADD COLUMN "removed_at" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "removed_with" jsonb;