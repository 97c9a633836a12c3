CREATE TABLE "account_changes" (
	"hash" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"session_id" text NOT NULL,
	"change" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "former_addresses" (
	"user_id" text NOT NULL,
	"channel" text NOT NULL,
	"address" text NOT NULL,
	"linked_at" bigint NOT NULL,
	"confirmed_at" bigint,
	"removed_at" bigint NOT NULL,
	CONSTRAINT "former_addresses_user_id_channel_address_pk" PRIMARY KEY("user_id","channel","address")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "confirmed_at" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "frozen_at" bigint;--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_addresses" ADD CONSTRAINT "former_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_changes_session" ON "account_changes" USING btree ("session_id","created_at");--> statement-breakpoint
CREATE INDEX "account_changes_user" ON "account_changes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_changes_expires" ON "account_changes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "former_addresses_removed" ON "former_addresses" USING btree ("removed_at");