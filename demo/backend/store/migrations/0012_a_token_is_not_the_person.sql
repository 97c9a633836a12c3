ALTER TABLE "accounts" ADD COLUMN "confirmed_at" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "frozen_at" bigint;