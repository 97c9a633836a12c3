CREATE TABLE "recovery_changes" (
	"wallet_id" text NOT NULL,
	"id" text NOT NULL,
	"created_at" bigint NOT NULL,
	"confirmed_at" bigint,
	"package_hash" text NOT NULL,
	"recovery_method" text NOT NULL,
	"sealed_recovery_package" text,
	"sealed_recovery_key" text,
	"recovery_secret_id" text,
	"sealed_recovery_hints" text,
	CONSTRAINT "recovery_changes_wallet_id_id_pk" PRIMARY KEY("wallet_id","id")
);
--> statement-breakpoint
CREATE TABLE "recovery_secrets" (
	"id" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_tries" (
	"wallet_id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"hits" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"locked_until" bigint
);
--> statement-breakpoint
CREATE TABLE "wallet_roots" (
	"id" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"secret_kind" text NOT NULL,
	"chain_type" text NOT NULL,
	"address" text NOT NULL,
	"created_at" bigint NOT NULL,
	"recovery_method" text NOT NULL,
	"sealed_recovery_package" text NOT NULL,
	"sealed_recovery_key" text,
	"recovery_secret_id" text,
	"sealed_recovery_hints" text
);
--> statement-breakpoint
ALTER TABLE "wallet_sets" DROP CONSTRAINT "wallet_sets_wallet_id_wallets_id_fk";
--> statement-breakpoint
-- Until now every wallet was an entropy of its own: it becomes a root, and its values stay sealed under the same names.
INSERT INTO "wallet_roots" ("id", "app_id", "user_id", "secret_kind", "chain_type", "address", "created_at", "recovery_method", "sealed_recovery_package", "sealed_recovery_key")
	SELECT "id", "app_id", "user_id", CASE WHEN "imported" THEN 'key' ELSE 'entropy' END, "chain_type", "address", "created_at", "recovery_method", "sealed_recovery_package", "sealed_recovery_key" FROM "wallets";
--> statement-breakpoint
ALTER TABLE "share_releases" ADD COLUMN "address" text;--> statement-breakpoint
UPDATE "share_releases" SET "address" = coalesce((SELECT "address" FROM "wallets" WHERE "wallets"."id" = "share_releases"."wallet_id"), '');--> statement-breakpoint
ALTER TABLE "share_releases" ALTER COLUMN "address" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "root_id" text;--> statement-breakpoint
UPDATE "wallets" SET "root_id" = "id";--> statement-breakpoint
ALTER TABLE "wallets" ALTER COLUMN "root_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "recovery_changes" ADD CONSTRAINT "recovery_changes_wallet_id_wallet_roots_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallet_roots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_changes" ADD CONSTRAINT "recovery_changes_recovery_secret_id_recovery_secrets_id_fk" FOREIGN KEY ("recovery_secret_id") REFERENCES "public"."recovery_secrets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_secrets" ADD CONSTRAINT "recovery_secrets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_tries" ADD CONSTRAINT "recovery_tries_wallet_id_wallet_roots_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallet_roots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_roots" ADD CONSTRAINT "wallet_roots_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_roots" ADD CONSTRAINT "wallet_roots_recovery_secret_id_recovery_secrets_id_fk" FOREIGN KEY ("recovery_secret_id") REFERENCES "public"."recovery_secrets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_changes_secret" ON "recovery_changes" USING btree ("recovery_secret_id");--> statement-breakpoint
CREATE INDEX "recovery_changes_created" ON "recovery_changes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "recovery_secrets_created" ON "recovery_secrets" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "recovery_tries_user" ON "recovery_tries" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_roots_entropy" ON "wallet_roots" USING btree ("user_id") WHERE "wallet_roots"."secret_kind" = 'entropy';--> statement-breakpoint
CREATE INDEX "wallet_roots_user" ON "wallet_roots" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_roots_secret" ON "wallet_roots" USING btree ("recovery_secret_id");--> statement-breakpoint
ALTER TABLE "wallet_sets" ADD CONSTRAINT "wallet_sets_wallet_id_wallet_roots_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallet_roots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_root_id_wallet_roots_id_fk" FOREIGN KEY ("root_id") REFERENCES "public"."wallet_roots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "share_releases_user" ON "share_releases" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "wallets_root" ON "wallets" USING btree ("root_id");--> statement-breakpoint
ALTER TABLE "wallets" DROP COLUMN "recovery_method";--> statement-breakpoint
ALTER TABLE "wallets" DROP COLUMN "sealed_recovery_package";--> statement-breakpoint
ALTER TABLE "wallets" DROP COLUMN "sealed_recovery_key";