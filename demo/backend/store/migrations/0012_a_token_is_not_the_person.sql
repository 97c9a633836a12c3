ALTER TABLE "sessions" ADD COLUMN "origin_id" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "confirmed_at" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "frozen_at" bigint;--> statement-breakpoint
CREATE INDEX "sessions_origin" ON "sessions" USING btree ("origin_id");