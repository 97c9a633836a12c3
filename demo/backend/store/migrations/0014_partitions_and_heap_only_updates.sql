DROP INDEX "refresh_tokens_session";--> statement-breakpoint
CREATE INDEX "refresh_tokens_session" ON "refresh_tokens" USING btree ("session_id","issued_at");--> statement-breakpoint
ALTER TABLE "refresh_tokens" SET (fillfactor = 85);--> statement-breakpoint
ALTER TABLE "sessions" SET (fillfactor = 85);--> statement-breakpoint
ALTER TABLE "accounts" SET (fillfactor = 90);--> statement-breakpoint
ALTER TABLE "code_addresses" SET (fillfactor = 70);--> statement-breakpoint
ALTER TABLE "rates" SET (fillfactor = 70);--> statement-breakpoint
ALTER TABLE "tallies" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "user_counts" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "audit" RENAME TO "audit_before";--> statement-breakpoint
ALTER TABLE "audit_before" ALTER COLUMN "id" DROP IDENTITY;--> statement-breakpoint
ALTER TABLE "audit_before" DROP CONSTRAINT "audit_pkey";--> statement-breakpoint
ALTER TABLE "audit_before" ADD CONSTRAINT "audit_before_pk" PRIMARY KEY("id","at");--> statement-breakpoint
ALTER INDEX "audit_app" RENAME TO "audit_before_app";--> statement-breakpoint
ALTER INDEX "audit_user" RENAME TO "audit_before_user";--> statement-breakpoint
ALTER INDEX "audit_at" RENAME TO "audit_before_at";--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint GENERATED ALWAYS AS IDENTITY,
	"at" bigint NOT NULL,
	"app_id" text NOT NULL,
	"actor_type" text NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"user_id" text,
	"place" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "audit_id_at_pk" PRIMARY KEY("id","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "audit_app" ON "audit" USING btree ("app_id","id");--> statement-breakpoint
CREATE INDEX "audit_user" ON "audit" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at");--> statement-breakpoint
SELECT setval(pg_get_serial_sequence('audit', 'id'), coalesce(max("id"), 0) + 1, false) FROM "audit_before";--> statement-breakpoint
DO $$
-- The entries so far are one partition, which ends with this month; later months are made by the sweeps.
DECLARE
  "latest" timestamp := greatest(
    clock_timestamp() AT TIME ZONE 'UTC',
    (SELECT to_timestamp(max("at") / 1000) AT TIME ZONE 'UTC' FROM "audit_before")
  );
BEGIN
  EXECUTE format(
    'ALTER TABLE "audit" ATTACH PARTITION "audit_before" FOR VALUES FROM (MINVALUE) TO (%s)',
    (extract(epoch FROM (date_trunc('month', "latest") + interval '1 month') AT TIME ZONE 'UTC') * 1000)::bigint
  );
END $$;
--> statement-breakpoint
CREATE TABLE "audit_other" PARTITION OF "audit" DEFAULT;
--> statement-breakpoint
CREATE INDEX "accounts_email" ON "accounts" USING btree ("app_id",("details"->>'email')) WHERE ("details"->>'email') IS NOT NULL;--> statement-breakpoint
CREATE INDEX "accounts_username" ON "accounts" USING btree ("app_id",("details"->>'username')) WHERE ("details"->>'username') IS NOT NULL;
